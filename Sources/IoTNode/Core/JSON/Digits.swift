/// Numbers as the bytes of a text.
extension [UInt8] {
    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    /// Appends a number as people write it, with zeros in front of it up to so many digits.
    mutating func append(decimal number: Int, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: number.magnitude, width: width)
    }

    /// Appends a number as people write it, with zeros in front of it up to so many digits.
    mutating func append(decimal number: UInt, width: Int = 1) {
        if number < 10, width == 1 { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
        // The first digits first: as many times by ten as there are more of them.
        var (unit, digits): (UInt, Int) = (1, 1)
        var rest = number / 10
        while rest > 0 || digits < width {
            unit *= 10
            digits += 1
            rest /= 10
        }
        rest = number
        while unit > 1 {
            let (digit, below) = rest.quotientAndRemainder(dividingBy: unit)
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            (rest, unit) = (below, unit / 10)
        }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest))
    }

    /// Appends bytes with two digits each.
    mutating func append(hexadecimal bytes: UInt8...) {
        for byte in bytes {
            append(Self.hexadecimalDigits[Int(byte >> 4)])
            append(Self.hexadecimalDigits[Int(byte & 15)])
        }
    }
}
