// How wide texts are in a terminal. Names come from people, in any script.

extension String {
    /// The columns that the text takes.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// As much of the text as fits into so many columns.
    func prefix(columns: Int) -> String {
        var left = columns
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix { scalar in
                    left -= scalar.columns
                    return left >= 0
                }))
    }

    /// As much of the end of the text as fits into so many columns.
    func suffix(columns: Int) -> String {
        var left = columns
        let end = unicodeScalars.reversed().prefix { scalar in
            left -= scalar.columns
            return left >= 0
        }
        return String(String.UnicodeScalarView(end.reversed()))
    }

    /// The text in rows of so many columns, broken at spaces where there are some.
    func wrapped(columns: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        for word in split(separator: " ") {
            var word = String(word)
            if !row.isEmpty, row.columns + 1 + word.columns > columns {
                rows.append(row)
                row = ""
            }
            while word.columns > columns, columns > 1 {
                let start = word.prefix(columns: columns)
                rows.append(start)
                word = String(String.UnicodeScalarView(word.unicodeScalars.dropFirst(start.unicodeScalars.count)))
            }
            row += (row.isEmpty ? "" : " ") + word
        }
        return rows + (row.isEmpty ? [] : [row])
    }

    /// The text with a question mark for each character that is not ASCII.
    var ascii: String { String(map { $0.isASCII ? $0 : "?" }) }
}

extension Unicode.Scalar {
    /// 0 for what joins the scalar before it, 2 for the wide scripts of East Asia and emoji, else 1.
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isWide = Self.wide.contains { $0.contains(value) } || properties.isEmojiPresentation
        return isWide ? 2 : 1
    }

    /// The blocks that are wide as a whole, by Unicode's EastAsianWidth.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18CFF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
