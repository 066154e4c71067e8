/// A kind of text and its limits. The same limits apply wherever such a text is read: in the configuration, in a
/// command, and in the messages of a node.
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
    ///   - fault: returns what is wrong with a text, or nil if it fits.
    package init(expected: String, fault: @escaping @Sendable (String) -> String?) {
        self.expected = expected
        self.fault = fault
    }

    /// Returns what is wrong with a text, for a message; nil if it fits.
    package func violation(in text: String) -> String? { fault(text) }

    /// Whether a text is of this kind.
    package func fits(_ text: String) -> Bool { fault(text) == nil }
}

// MARK: - Kinds

extension TextKind {
    /// The maximum length, in bytes, of a text that people enter, except notes and messages.
    package static let longest = 128

    /// A word or two, short enough for a display.
    package static let word = bytes(1...24)
    /// A name.
    package static let name = bytes(1...longest)
    /// A text that may be empty.
    package static let plain = bytes(0...longest)
    /// A readable selector of a timer, such as `2/1 Questions`: a path and a name.
    package static let selector = bytes(0...longest + 16)
    /// A note, long enough for a URL.
    package static let note = bytes(0...512)
    /// A text from a program for people, such as the reason for a refusal.
    package static let sentence = bytes(0...4096)

    /// A message to the speaker; an empty one removes the message.
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

// How messages show what was found: in a response, in the log, in a configuration error.

extension String {
    /// The maximum number of characters of a text in a message: half of 80, since some messages contain the text twice.
    private static let longestShown = 40

    /// The text in quotes, on one line, and shortened if it is long.
    ///
    /// The text is untrusted, and the message is sent to other clients and written to the log. Only the scheme is shown
    /// of a URL with a user name, since the URL may also contain a password.
    package var quoted: String {
        if let scheme = firstRange(of: "://"), self[scheme.upperBound...].contains("@") {
            let letters = self[..<scheme.lowerBound].reversed().prefix { $0.isASCII && $0.isLetter }.prefix(8)
            return "\"\(String(letters.reversed()))://…\""
        }
        // Scalars are counted, since one character may have thousands of them. They are counted after escaping, since
        // an escape is longer than its scalar.
        func start(_ count: Int) -> String { String(UnicodeScalarView(unicodeScalars.prefix(count))).debugDescription }
        let whole = start(Self.longestShown + 1)
        if whole.unicodeScalars.count <= Self.longestShown + 2, unicodeScalars.dropFirst(Self.longestShown).isEmpty {
            return whole
        }
        var count = Self.longestShown - 3
        while start(count).unicodeScalars.count > Self.longestShown - 1 { count -= 1 }
        return start(count) + "…"
    }

    /// The text itself if it has at most 80 bytes, otherwise as ``quoted``. This is for texts that have been checked,
    /// such as topics.
    package var brief: String { utf8.count <= 80 ? self : quoted }

    /// The text itself if it is short and plain, otherwise as ``quoted``.
    package var excerpt: String { !isEmpty && quoted == "\"\(self)\"" ? self : quoted }
}

extension String {
    /// Whether the text has only printable ASCII characters. Most texts do, and the check is fast.
    var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// The text on one line of a terminal or a log. Characters that would control a terminal are escaped.
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

/// Returns the word with the smallest ``editDistance(_:_:)`` to another one; nil if that distance is large.
package func nearest(to word: String, in words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.count / 2) && best.distance < best.word.count ? best.word : nil
}

/// Returns how many letters must be inserted, removed or replaced to turn one word into the other.
package func editDistance(_ first: String, _ second: String) -> Int {
    // The words are configuration keys, which are short. The limit bounds the work for long texts that are pasted
    // instead.
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
