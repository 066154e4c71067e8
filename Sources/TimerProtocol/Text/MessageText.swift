// How messages show what was found: in a response, in the log, in a fault of the configuration.

extension String {
    /// How much of a text a message repeats: half of 80 characters, as some name it twice.
    private static let longestShown = 40

    /// The text in quotes, on one line, and no more of it than helps.
    ///
    /// What is found comes from strangers, and goes to others and into the log. A URL with a user name in it, which may
    /// have a password as well, shows its scheme alone.
    package var quoted: String {
        if let scheme = firstRange(of: "://"), self[scheme.upperBound...].contains("@") {
            let letters = self[..<scheme.lowerBound].reversed().prefix { $0.isASCII && $0.isLetter }.prefix(8)
            return "\"\(String(letters.reversed()))://…\""
        }
        // A character may be thousands of scalars, and an escape is longer than what it stands for.
        func start(_ count: Int) -> String { String(UnicodeScalarView(unicodeScalars.prefix(count))).debugDescription }
        let whole = start(Self.longestShown + 1)
        if whole.unicodeScalars.count <= Self.longestShown + 2, unicodeScalars.dropFirst(Self.longestShown).isEmpty {
            return whole
        }
        var count = Self.longestShown - 3
        while start(count).unicodeScalars.count > Self.longestShown - 1 { count -= 1 }
        return start(count) + "…"
    }

    /// The text itself where it has 80 bytes at most, else as ``quoted``: for what we have looked at, such as a topic.
    package var brief: String { utf8.count <= 80 ? self : quoted }

    /// The text itself where it is short and plain, else as ``quoted``.
    package var excerpt: String { !isEmpty && quoted == "\"\(self)\"" ? self : quoted }
}

extension Unicode.Scalar {
    /// Whether a terminal may take it for a command.
    package var isControl: Bool { properties.generalCategory == .control }

    /// What a message calls it: itself, or that it is a control character.
    package var shown: String {
        guard isControl else { return "'\(self)'" }
        let code = String(value, radix: 16, uppercase: true)
        return "a control character (U+\(String(repeating: "0", count: 4 - code.count))\(code))"
    }
}

extension [String] {
    /// As in "none, sound or vibrate".
    package var alternatives: String {
        count > 1 ? "\(dropLast().joined(separator: ", ")) or \(self[count - 1])" : joined()
    }
}

/// The names and texts that people give, in the configuration and over MQTT.
package enum PlainText {
    /// The longest, in bytes.
    package static let maximumLength = 128
    /// What they are, for messages about others.
    package static let expected = "a text of at most \(maximumLength) bytes without control characters"
    /// What those are that may not be empty.
    package static let expectedName = "a text of 1 to \(maximumLength) bytes without control characters"

    /// Whether a text is short enough, and has nothing that a terminal or a service manager would take for a command.
    package static func fits(_ text: String) -> Bool { misfit(in: text) == nil }

    /// What does not fit in a text, for a message; nil where all of it does.
    package static func misfit(in text: String) -> String? {
        if let control = text.unicodeScalars.first(where: \.isControl) { return control.shown }
        return text.utf8.count > maximumLength ? "\(text.utf8.count) bytes" : nil
    }

    /// The text with spaces for its control characters: a state that an older version saved may have some.
    package static func shown(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}
