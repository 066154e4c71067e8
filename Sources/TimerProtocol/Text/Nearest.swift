/// The word that is most like another one; nil where none is like it at all.
package func nearest(to word: String, in words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.count / 2) && best.distance < best.word.count ? best.word : nil
}

/// How many letters have to be put in, taken out or replaced to make one word of the other.
package func editDistance(_ first: String, _ second: String) -> Int {
    // A key of a configuration is short; what somebody pastes instead of one may not be.
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
