extension JSON {
    /// How deep arrays and objects may be nested.
    package static let maximumDepth = 8

    /// Why text is refused as JSON.
    package struct ParseError: Error, Hashable, CustomStringConvertible {
        /// A description of the problem and its position.
        package let description: String
    }

    /// Parses one JSON value.
    ///
    /// - Throws: ``ParseError`` for bytes that are not UTF-8, for text that is not JSON, for an object with a duplicate
    ///   key, and for nesting deeper than ``maximumDepth``.
    package init(parsing bytes: [UInt8]) throws(ParseError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ParseError(description: "the payload is not valid UTF-8")
        }
        var parser = JSONParser(bytes: bytes)
        do throws(JSONFault) {
            self = try parser.document()
        } catch {
            throw ParseError(description: error.description)
        }
    }
}

/// Why parsing failed. Each enclosing object and array adds a step to the path.
private struct JSONFault: Error, CustomStringConvertible {
    let problem: String
    /// The object or array with the problem, such as `groups[1]`; nil if the problem states the byte.
    var place: String?

    var description: String {
        if let place, !place.isEmpty { "\(problem) in \(place)" } else { problem }
    }

    /// Returns the fault with one more step in front of its path. The path is shortened, since its keys are untrusted.
    func within(_ step: String) -> JSONFault {
        guard let place, !place.hasPrefix("…") else { return self }
        let whole = place.isEmpty || place.hasPrefix("[") ? step + place : "\(step).\(place)"
        return JSONFault(problem: problem, place: whole.utf8.count <= 40 ? whole : "…\(place)")
    }
}

/// Parses bytes that are known to be UTF-8, by recursive descent.
private struct JSONParser {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONFault) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("the end of the text") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSON {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return .object(try members(depth: try deeper(depth)))
        case UInt8(ascii: "["): return .array(try elements(depth: try deeper(depth)))
        case UInt8(ascii: "\""): return .string(try string())
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
        default:
            for (word, value) in [("true", JSON.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return value
            }
            throw fault("a value")
        }
    }

    private func deeper(_ depth: Int) throws(JSONFault) -> Int {
        guard depth < JSON.maximumDepth else {
            throw JSONFault(problem: "nested deeper than \(JSON.maximumDepth) levels at byte \(position + 1)")
        }
        return depth + 1
    }

    private mutating func members(depth: Int) throws(JSONFault) -> [JSON.Member] {
        var members: [JSON.Member] = []
        var keys: Set<String> = []
        position += 1
        skipSpace()
        if consume("}") { return members }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a key in quotes") }
            let key = try string()
            guard keys.insert(key).inserted else { throw JSONFault(problem: "duplicate key \(key.quoted)", place: "") }
            skipSpace()
            guard consume(":") else { throw fault("a colon") }
            do throws(JSONFault) {
                members.append(JSON.Member(key: key, value: try value(depth: depth)))
            } catch {
                throw error.within(key.excerpt)
            }
            skipSpace()
        } while consume(",")
        guard consume("}") else { throw fault("a comma or a closing brace") }
        return members
    }

    private mutating func elements(depth: Int) throws(JSONFault) -> [JSON] {
        var elements: [JSON] = []
        position += 1
        skipSpace()
        if consume("]") { return elements }
        repeat {
            do throws(JSONFault) {
                elements.append(try value(depth: depth))
            } catch {
                throw error.within("[\(elements.count + 1)]")
            }
            skipSpace()
        } while consume(",")
        guard consume("]") else { throw fault("a comma or a closing bracket") }
        return elements
    }

    private mutating func string() throws(JSONFault) -> String {
        position += 1
        // The text up to the last escape; most strings have no escapes.
        var text: [UInt8] = []
        var start = position
        while let byte = peek, byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<position - 1]
                return text.isEmpty
                    ? String(decoding: rest, as: UTF8.self) : String(decoding: text + rest, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[start..<position - 1]
                text += String(try escaped()).utf8
                start = position
            default: break
            }
        }
        throw fault("the end of a string")
    }

    private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
        let letter = peek
        position += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default:
            position -= 1
            throw fault("an escape")
        }
    }

    /// Reads `XXXX` after `\u`, and a second escape if both form a surrogate pair.
    private mutating func unicode() throws(JSONFault) -> Unicode.Scalar {
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code) {
            guard consume("\\"), consume("u") else { throw fault("the second half of a surrogate pair") }
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw fault("the second half of a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("a Unicode scalar") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("four hexadecimal digits")
            }
            code = code << 4 + UInt32(digit)
            position += 1
        }
        return code
    }

    private mutating func number() throws(JSONFault) -> JSON {
        let start = position
        _ = consume("-")
        let digits = try consumeDigits()
        if digits > 1, bytes[position - digits] == UInt8(ascii: "0") { throw fault("no leading zero") }
        var whole = true
        if consume(".") {
            whole = false
            _ = try consumeDigits()
        }
        if consume("e") || consume("E") {
            whole = false
            if !consume("+") { _ = consume("-") }
            _ = try consumeDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if whole, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw fault("a number in range") }
        return .number(number)
    }

    private mutating func consumeDigits() throws(JSONFault) -> Int {
        let start = position
        while let byte = peek, Self.isDigit(byte) { position += 1 }
        guard position > start else { throw fault("a digit") }
        return position - start
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private func fault(_ expected: String) -> JSONFault {
        // The text is valid UTF-8, and a fault is always found at the beginning of a scalar.
        let found =
            bytes.indices.contains(position) ? String(decoding: bytes[position...].prefix(4), as: UTF8.self) : ""
        let shown = found.unicodeScalars.first?.shown ?? "the end"
        return JSONFault(problem: "not JSON: found \(shown) at byte \(position + 1), expected \(expected)")
    }
}
