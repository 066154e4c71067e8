extension [UInt8] {
    /// Appends a number in decimal digits, with zeros in front where it has fewer digits than `width`.
    package mutating func append(decimal number: Int, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: number.magnitude, width: width)
    }

    /// Appends a number in decimal digits, with zeros in front where it has fewer digits than `width`.
    package mutating func append(decimal number: UInt, width: Int = 1) {
        let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
        if high > 0 {
            append(decimal: high, width: width - 8)
            return append(decimal: low, width: 8)
        }
        // There are at most eight digits, and they are found from the last to the first. Each goes into a byte of one number,
        // and the first digit ends up in the lowest byte.
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

    /// Appends a number below 100 as two digits.
    package mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two bytes as two hexadecimal digits each.
    package mutating func append(hexadecimal first: UInt8, _ second: UInt8) {
        for half in [first >> 4, first & 15, second >> 4, second & 15] {
            append(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10)
        }
    }
}
