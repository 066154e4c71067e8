/// The names and texts that people give, in the configuration and over MQTT.
enum PlainText {
    /// The longest, in bytes.
    static let maximumLength = 128
    /// What they are, for messages about others.
    static let expected = "a text of at most \(maximumLength) bytes without control characters"
    /// What those are that may not be empty.
    static let expectedName = "a text of 1 to \(maximumLength) bytes without control characters"

    /// Whether a text is short enough, and has nothing that a terminal or a service manager would take for a command.
    static func fits(_ text: String) -> Bool { misfit(in: text) == nil }

    /// What does not fit in a text, for a message; nil where all of it does.
    static func misfit(in text: String) -> String? {
        if let control = text.unicodeScalars.first(where: \.isControl) { return control.shown }
        return text.utf8.count > maximumLength ? "\(text.utf8.count) bytes" : nil
    }

    /// The text with spaces for its control characters: a state that an older version saved may have some.
    static func shown(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}
