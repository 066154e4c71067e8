/// The word with the smallest ``editDistance(_:_:)`` to another one; nil where that distance is large.
package func nearest(to word: String, in words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.count / 2) && best.distance < best.word.count ? best.word : nil
}

/// How many letters must be inserted, removed or replaced to turn one word into the other.
package func editDistance(_ first: String, _ second: String) -> Int {
    // Words are keys of a configuration, which are short. The limit is for long texts that somebody pastes instead.
    let first = Array(first.unicodeScalars.prefix(80))
    let second = Array(second.unicodeScalars.prefix(80))
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in second.enumerated() {
            let replaced = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[second.count]
}
