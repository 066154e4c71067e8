internal import TimerProtocol

/// A payload with placeholders.
package struct MirrorText: Hashable, Sendable {
    /// What replaces a placeholder.
    package enum Value: String, CaseIterable, Sendable {
        /// The time left, as a display shows it.
        case display
        /// The whole seconds left.
        case remaining
        /// The mode.
        case mode
        /// The colour of the lamp that is lit.
        case color
        /// The speaker, or nothing.
        case speaker
        /// The timer's name, or nothing.
        case timer
        /// The message to the speaker, or nothing.
        case message
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case value(Value)
    }

    /// Why a text cannot be used.
    package struct Fault: Error {
        let problem: ConfigurationFault.Problem
    }

    private let parts: [Part]
    /// Whether the text is JSON, so that values are escaped.
    private let isJSON: Bool

    /// Reads a text: `{name}` is a placeholder, and `{{name}}` is the text `{name}`.
    ///
    /// - Throws: ``Fault`` for a text that has another placeholder, or begins as JSON and is not.
    package init(_ text: String) throws(Fault) {
        parts = try Self.parts(of: text)
        // A number stands for each value, inside a string and outside.
        let sample = Self.fill(parts) { _ in "0" }
        isJSON = Self.beginsWithWord(text) ? false : try Self.isJSON(sample)
    }

    /// Returns the payload with these values.
    package func filled(_ value: (Value) -> String) -> String {
        Self.fill(parts) { name in isJSON ? Self.escaped(value(name)) : value(name) }
    }

    private static func fill(_ parts: [Part], _ value: (Value) -> String) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let literal): text += literal
            case .value(let name): text += value(name)
            }
        }
    }

    /// Returns a string as it is written between the quotes of a JSON string.
    private static func escaped(_ text: String) -> String {
        String(JSON.string(text).text.dropFirst().dropLast())
    }

    /// Whether a text is JSON.
    ///
    /// - Throws: ``Fault`` if it begins as JSON, and is not.
    static func isJSON(_ text: String) throws(Fault) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else { return false }
        do throws(JSON.ParseError) { _ = try JSON(parsing: Array(text.utf8)) } catch {
            throw Fault(problem: .other("found \(text.quoted), which begins as JSON: \(error)"))
        }
        return true
    }

    private static func parts(of text: String) throws(Fault) -> [Part] {
        var (parts, literal) = ([Part](), "")
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            literal += rest[..<brace]
            rest = rest[brace...]
            guard let (name, isDoubled) = word(at: rest) else {
                literal += "{"
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(name.count + (isDoubled ? 4 : 2))
            if isDoubled {
                literal += "{\(name)}"
            } else if let value = Value(rawValue: name) {
                parts += [.text(literal), .value(value)]
                literal = ""
            } else {
                let known = Value.allCases.map { "{\($0.rawValue)}" }.alternatives
                let expected = "\(known); {{\(name)}} for the text itself"
                throw Fault(problem: .unexpected(found: "{\(name)}", expected: expected))
            }
        }
        return parts + [.text(literal + rest)]
    }

    private static func beginsWithWord(_ text: String) -> Bool {
        word(at: text.drop(while: \.isWhitespace)) != nil
    }

    /// Returns the word in the braces that a text begins with, and whether the braces are doubled.
    private static func word(at text: Substring) -> (name: String, isDoubled: Bool)? {
        let isDoubled = text.hasPrefix("{{")
        let inner = text.dropFirst(isDoubled ? 2 : 1)
        let name = inner.prefix { ("a"..."z").contains($0) }
        guard text.first == "{", !name.isEmpty, inner.dropFirst(name.count).hasPrefix(isDoubled ? "}}" : "}") else {
            return nil
        }
        return (String(name), isDoubled)
    }
}
