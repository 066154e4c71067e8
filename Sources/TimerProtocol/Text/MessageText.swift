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
