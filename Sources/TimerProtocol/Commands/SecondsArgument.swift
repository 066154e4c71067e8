/// A time in whole seconds: a number, or a string such as `1:30`.
struct SecondsArgument: FieldValue {
    enum Bounds {
        case unsigned
        /// The string may have a sign.
        case signed
    }

    let seconds: Int

    init(_ seconds: Int) { self.seconds = seconds }

    static func read(_ value: PayloadValue, _ bounds: Bounds) throws(Refusal) -> SecondsArgument {
        let isSigned = bounds == .signed
        if case .string(let text) = value.json {
            let text = value.isPlain ? withoutZeros(text) : text
            if let seconds = isSigned ? DurationText.signedSeconds(text) : DurationText.seconds(text) {
                return Self(seconds)
            }
            if value.isPlain {
                throw value.refusal(expected: "a time such as \(isSigned ? "+30, -30 or 1:00" : "90 or 1:30")")
            }
        }
        let expected = "whole seconds or a time such as \"\(isSigned ? "-1:30" : "1:30")\""
        guard let seconds = Int(number: value.json) else { throw value.refusal(expected: expected) }
        let range = ClosedRange.commandSeconds
        guard range.contains(seconds) else {
            throw value.refusal(expected: "\(expected), at most \(range.upperBound) s")
        }
        return Self(seconds)
    }

    /// Removes zeros after the decimal point, because some devices send whole numbers as `5.0`.
    private static func withoutZeros(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isWhole = parts.count == 2 && !parts[1].isEmpty && parts[1].allSatisfy { $0 == "0" }
        return isWhole && !parts[0].contains(":") ? String(parts[0]) : text
    }

    func write(to writer: inout JSONWriter, _ bounds: Bounds) { writer.value(seconds) }

    static func schema(_ bounds: Bounds) -> JSON { ["oneOf": [Int.schema(.commandSeconds), ["type": "string"]]] }
}

extension FieldVisitor {
    /// Visits an optional argument: a number of seconds, or a string such as `1:30`.
    @inline(__always)
    mutating func seconds(_ key: String, _ value: inout Int?, _ about: String) throws(Refusal) {
        var seconds = value.map { SecondsArgument($0) }
        try field(key, &seconds, .unsigned, .omitted, about)
        value = seconds?.seconds
    }

    /// Visits the revision that a command expects.
    mutating func revision(_ key: String, _ value: inout Int?) throws(Refusal) {
        try field(key, &value, .counts, .omitted, "The expected revision; the command is refused on a mismatch.")
    }
}
