/// A key of the keyboard, as a terminal sends it.
enum Key: Hashable {
    /// A letter, a digit or a sign.
    case character(Character)
    case up
    case down
    case enter
    case escape
    case backspace
    /// Ctrl-C, or the end of the input.
    case interrupt
    /// Ctrl-Z.
    case suspend
    /// Ctrl-L.
    case redraw

    /// The keys that bytes stand for. What is no key that this program knows is left out.
    static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let first = rest.popFirst() {
            switch first {
            case "\u{1B}": keys += escape(&rest)
            case "\r", "\n": keys.append(.enter)
            case "\u{08}", "\u{7F}": keys.append(.backspace)
            case "\u{03}", "\u{04}": keys.append(.interrupt)
            case "\u{1A}": keys.append(.suspend)
            case "\u{0C}": keys.append(.redraw)
            case _ where first.value >= 0x20: keys.append(.character(Character(first)))
            default: break
            }
        }
        return keys
    }

    /// What follows an Escape: nothing after the key itself, else a sequence such as `[A`.
    private static func escape(_ rest: inout Substring.UnicodeScalarView) -> [Key] {
        guard let bracket = rest.first, bracket == "[" || bracket == "O" else { return [.escape] }
        rest.removeFirst()
        var last: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            last = scalar
            // Parameters come first; the letter that ends a sequence says what it is.
            if (0x40...0x7E).contains(scalar.value) { break }
        }
        return last == "A" ? [.up] : last == "B" ? [.down] : []
    }
}
