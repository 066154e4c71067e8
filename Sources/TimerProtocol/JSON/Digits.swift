/// Numbers as the bytes of a text.
extension [UInt8] {
    /// Appends a number as people write it, with zeros in front of it up to so many digits.
    package mutating func append(decimal number: Int, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: number.magnitude, width: width)
    }

    /// Appends a number as people write it, with zeros in front of it up to so many digits.
    package mutating func append(decimal number: UInt, width: Int = 1) {
        let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
        if high > 0 {
            append(decimal: high, width: width - 8)
            return append(decimal: low, width: 8)
        }
        // Eight digits at most, which come from the last to the first and fit into one number, the first one lowest.
        var (rest, digits, count) = (low, UInt64(0), 0)
        repeat {
            let tens = rest / 10
            digits = digits << 8 | UInt64(rest - tens * 10)
            (rest, count) = (tens, count + 1)
        } while rest > 0 || count < width
        for _ in 0..<count {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits))
            digits >>= 8
        }
    }

    /// Appends a number below 100 with a zero in front of it where it has one digit.
    package mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two bytes with two digits each.
    package mutating func append(hexadecimal first: UInt8, _ second: UInt8) {
        for half in [first >> 4, first & 15, second >> 4, second & 15] {
            append(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10)
        }
    }
}
