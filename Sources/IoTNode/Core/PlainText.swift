/// The names and texts that people give, in the configuration and over MQTT.
enum PlainText {
    /// The longest, in bytes.
    static let longest = 128
    /// What they are, for messages about others.
    static let expected = "a text of at most \(longest) bytes without control characters"

    /// Whether a text is short enough, and has nothing that a terminal or a service manager would take for a command.
    static func fits(_ text: String) -> Bool {
        text.utf8.count <= longest && text.unicodeScalars.allSatisfy { !isControl($0) }
    }

    /// The text with spaces for its control characters: a state that an older version saved may have some.
    static func shown(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}
