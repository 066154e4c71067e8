/// What a text may be. Each kind holds wherever such a text is read: in the configuration, in a command, and in what a
/// node publishes.
///
/// No kind allows control characters, because a terminal or a service manager may obey them.
package struct TextKind: Sendable {
    /// How a message describes such a text.
    package let expected: String
    private let fault: @Sendable (String) -> String?

    /// A kind of text.
    ///
    /// - Parameters:
    ///   - expected: how a message describes such a text.
    ///   - fault: says what is wrong with a text, and nil where nothing is.
    package init(expected: String, fault: @escaping @Sendable (String) -> String?) {
        self.expected = expected
        self.fault = fault
    }

    /// What is wrong with a text, for a message; nil where it fits.
    package func violation(in text: String) -> String? { fault(text) }

    /// Whether a text is of this kind.
    package func fits(_ text: String) -> Bool { fault(text) == nil }
}

// MARK: - Kinds

extension TextKind {
    /// The most bytes of a text that people give, but for notes and messages.
    package static let longest = 128

    /// A word or two, as a display has room for them.
    package static let word = bytes(1...24)
    /// A name.
    package static let name = bytes(1...longest)
    /// A text that may be empty.
    package static let plain = bytes(0...longest)
    /// A timer for people, such as `2/1 Questions`: a path, and a name.
    package static let selector = bytes(0...longest + 16)
    /// A note, which has room for a URL.
    package static let note = bytes(0...512)
    /// What a program says to people, such as the reason of a refusal.
    package static let sentence = bytes(0...4096)

    /// A message to the speaker; an empty one takes the message away.
    package static let message = TextKind(
        expected: "a text of at most \(MessageToSpeaker.maximumCharacters) characters in "
            + "\(MessageToSpeaker.maximumBytes) bytes without control characters"
    ) { text in
        if let violation = violation(in: text, bytes: 0...MessageToSpeaker.maximumBytes) { return violation }
        return text.count > MessageToSpeaker.maximumCharacters ? "\(text.count) characters" : nil
    }

    /// The name of a node, of a group of nodes or of an output.
    package static let identifier = TextKind(expected: Identifier.expected) { text in
        Identifier.isValid(text) ? nil : text.quoted
    }

    /// The name of a time zone.
    package static let zone = TextKind(expected: ZoneName.expected) { text in
        ZoneName.isValid(text) ? nil : text.quoted
    }

    private static func bytes(_ range: ClosedRange<Int>) -> TextKind {
        let length = range.lowerBound > 0 ? "\(range.lowerBound) to \(range.upperBound)" : "at most \(range.upperBound)"
        return TextKind(expected: "a text of \(length) bytes without control characters") {
            violation(in: $0, bytes: range)
        }
    }

    private static func violation(in text: String, bytes range: ClosedRange<Int>) -> String? {
        if !text.isPrintableASCII, let control = text.unicodeScalars.first(where: \.isControl) { return control.shown }
        if range.contains(text.utf8.count) { return nil }
        return text.isEmpty ? "\"\"" : "\(text.utf8.count) bytes"
    }
}

// How messages show what was found: in a response, in the log, in a fault of the configuration.

extension String {
    /// How many characters of a text a message repeats: half of 80, since some messages name the text twice.
    private static let longestShown = 40

    /// The text in quotes, on one line, and cut short where it is long.
    ///
    /// The text comes from strangers, and the message goes to others and into the log. Of a URL with a user name only the
    /// scheme is shown, since the URL may have a password too.
    package var quoted: String {
        if let scheme = firstRange(of: "://"), self[scheme.upperBound...].contains("@") {
            let letters = self[..<scheme.lowerBound].reversed().prefix { $0.isASCII && $0.isLetter }.prefix(8)
            return "\"\(String(letters.reversed()))://…\""
        }
        // Scalars are counted, since one character may have thousands of them. They are counted after escaping, since an
        // escape is longer than its scalar.
        func start(_ count: Int) -> String { String(UnicodeScalarView(unicodeScalars.prefix(count))).debugDescription }
        let whole = start(Self.longestShown + 1)
        if whole.unicodeScalars.count <= Self.longestShown + 2, unicodeScalars.dropFirst(Self.longestShown).isEmpty {
            return whole
        }
        var count = Self.longestShown - 3
        while start(count).unicodeScalars.count > Self.longestShown - 1 { count -= 1 }
        return start(count) + "…"
    }

    /// The text itself where it has at most 80 bytes, else as ``quoted``. This is for texts that were checked, such as topics.
    package var brief: String { utf8.count <= 80 ? self : quoted }

    /// The text itself where it is short and plain, else as ``quoted``.
    package var excerpt: String { !isEmpty && quoted == "\"\(self)\"" ? self : quoted }
}

extension String {
    /// Whether it has no characters but those of ASCII that are printed, as most texts, which is soon found out.
    var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// The text on one line of a terminal or a log: what would drive a terminal is escaped.
    package var terminalText: String {
        if isPrintableASCII { return self }
        return unicodeScalars.reduce(into: "") { $0 += $1.drivesTerminal ? $1.escaped(asASCII: true) : String($1) }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, which a terminal may obey.
    package var isControl: Bool { properties.generalCategory == .control }

    /// Whether a terminal may obey the scalar, begin a new line at it, or show what follows from right to left.
    package var drivesTerminal: Bool {
        isControl || properties.isBidiControl || value == 0x2028 || value == 0x2029
    }

    /// The scalar as a message shows it: in quotes, or as the code of a control character.
    package var shown: String {
        guard isControl else { return "'\(self)'" }
        let code = String(value, radix: 16, uppercase: true)
        return "a control character (U+\(String(repeating: "0", count: 4 - code.count))\(code))"
    }
}

extension [String] {
    /// The texts as a list for people, as in "none, sound or vibrate".
    package var alternatives: String {
        count > 1 ? "\(dropLast().joined(separator: ", ")) or \(self[count - 1])" : joined()
    }
}

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
