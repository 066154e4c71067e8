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
    package func misfit(in text: String) -> String? { fault(text) }

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
        if let misfit = misfit(in: text, bytes: 0...MessageToSpeaker.maximumBytes) { return misfit }
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
            misfit(in: $0, bytes: range)
        }
    }

    private static func misfit(in text: String, bytes range: ClosedRange<Int>) -> String? {
        if !text.isPrintableASCII, let control = text.unicodeScalars.first(where: \.isControl) { return control.shown }
        if range.contains(text.utf8.count) { return nil }
        return text.isEmpty ? "\"\"" : "\(text.utf8.count) bytes"
    }
}
