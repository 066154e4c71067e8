import FoundationEssentials
import TestSupport

/// The tokens of an openHAB file: names, quoted strings, and single characters. Comments are skipped.
struct OpenHABFile {
    enum Token: Hashable {
        case word(String)
        case text(String)
        case sign(Character)
    }

    /// Why a test cannot read a file.
    struct Fault: Error {
        let description: String
    }

    let tokens: [Token]
    private var place = 0

    init(_ path: String) throws {
        var rest = Substring(try String(contentsOfFile: repositoryFile(path), encoding: .utf8))
        var tokens: [Token] = []
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if character == "\"" {
                tokens.append(.text(try Self.text(&rest)))
            } else if Self.isOfName(character) {
                tokens.append(.word(String(rest.prefix(while: Self.isOfName))))
                rest = rest.drop(while: Self.isOfName)
            } else {
                tokens.append(.sign(rest.removeFirst()))
            }
        }
        self.tokens = tokens
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
    }

    /// Reads a string with its quotation marks; a backslash escapes the next character.
    private static func text(_ rest: inout Substring) throws(Fault) -> String {
        var text = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                guard let escaped = rest.popFirst(), "\"'\\".contains(escaped) else {
                    throw Fault(description: "an unnecessary backslash after \(text)")
                }
                text.append(escaped)
            default: text.append(character)
            }
        }
        throw Fault(description: "no closing quotation mark in \(text)")
    }
}

extension OpenHABFile {
    var isAtEnd: Bool { place == tokens.count }

    /// Reads the next token if it is this one.
    mutating func take(_ token: Token) -> Bool {
        guard place < tokens.count, tokens[place] == token else { return false }
        place += 1
        return true
    }

    mutating func take(_ sign: Character) -> Bool { take(.sign(sign)) }

    /// Reads the next token if it is a string.
    mutating func takeText() -> String? {
        guard place < tokens.count, case .text(let text) = tokens[place] else { return nil }
        place += 1
        return text
    }

    /// Reads the next token if it is a name.
    mutating func takeWord() -> String? {
        guard place < tokens.count, case .word(let word) = tokens[place] else { return nil }
        place += 1
        return word
    }

    /// Reads the next token.
    mutating func skip() { place += 1 }

    mutating func expect(_ token: Token) throws(Fault) {
        guard take(token) else { throw fault("\(token)") }
    }

    mutating func expect(_ sign: Character) throws(Fault) { try expect(.sign(sign)) }

    mutating func word() throws(Fault) -> String {
        guard let word = takeWord() else { throw fault("a name") }
        return word
    }

    /// Reads names with separators between them, such as `mqtt:topic`.
    mutating func words(separatedBy sign: Character) throws(Fault) -> String {
        var words = try word()
        while take(sign) { words += "\(sign)" + (try word()) }
        return words
    }

    /// Reads `[key=value, …]` if it is next.
    mutating func takeProperties(
        from begin: Character = "[", to end: Character = "]"
    ) throws(Fault) -> [(key: String, value: String)] {
        guard take(begin) else { return [] }
        var properties: [(key: String, value: String)] = []
        repeat {
            let key = try word()
            try expect("=")
            guard let value = takeText() ?? takeWord() else { throw fault("a value for \(key)") }
            properties.append((key, value))
        } while take(",")
        try expect(end)
        return properties
    }

    private func fault(_ expected: String) -> Fault {
        Fault(description: "expected \(expected) at \(tokens[place...].prefix(5))")
    }
}
