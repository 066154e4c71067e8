internal import TimerProtocol

/// A stoplight as a drawing: three lamps in a housing, sized to match the digits beside it.
struct Stoplight {
    private static let lamps: [(name: String, colour: TerminalStyle.Colour)] = [
        ("red", .red), ("yellow", .yellow), ("green", .green),
    ]

    /// Returns the colour of the topmost lamp that a mode lights; nil for the terminal's default.
    static func colour(_ signal: ModeSignals.Signal) -> TerminalStyle.Colour? {
        lamps.first { signal.lamps?[$0.name] ?? .off != .off }?.colour
    }

    private let outputs: OutputStates?

    init(_ outputs: OutputStates?) { self.outputs = outputs }

    /// Returns the width of the drawing in a size, in columns.
    static func width(_ size: BigDigits.Size) -> Int { 2 * size.rows + 4 }

    /// Returns the height of the drawing in a size, in rows.
    static func height(_ size: BigDigits.Size) -> Int { 3 * size.rows + 2 }

    /// Adds one row of the drawing to a row of the screen.
    func add(_ row: Int, _ size: BigDigits.Size, to line: inout ScreenRow, _ style: TerminalStyle) {
        let (edges, inside) = (style.edges, 2 * size.rows + 2)
        let side = String(repeating: edges.line, count: inside)
        guard row > 0 else { return line.add(edges.topLeft + side + edges.topRight) }
        guard row < Self.height(size) - 1 else { return line.add(edges.bottomLeft + side + edges.bottomRight) }
        let lamp = Self.lamps[(row - 1) / size.rows]
        let state = outputs?[lamp.name] ?? .off
        let block = state == .off ? style.empty : style.full
        line.add("\(edges.side) ")
        line.add(
            String(repeating: block, count: 2 * size.rows),
            state == .off ? .init() : .init(colour: lamp.colour, blinks: state == .blink))
        line.add(" \(edges.side)")
    }

    /// Adds the lamps as three dots and two spaces.
    func addDots(to line: inout ScreenRow, _ style: TerminalStyle) {
        for lamp in Self.lamps {
            let state = outputs?[lamp.name] ?? .off
            line.add(
                state == .off ? style.dot.off : style.dot.on,
                state == .off ? .init() : .init(colour: lamp.colour, blinks: state == .blink))
        }
        line.add("  ")
    }

    /// Returns the names of the outputs that are on and are not lamps of the stoplight.
    static func others(_ outputs: OutputStates?) -> [String] {
        guard let outputs else { return [] }
        return outputs.names.filter { name in outputs[name] != .off && !lamps.contains { $0.name == name } }
    }
}

/// A time in digits that can be read across a room.
struct BigDigits {
    /// The height of a digit in rows, at the smallest size.
    static let height = 5

    /// The glyphs: three columns and five rows each, except the colon, which has one column.
    private static let font: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": ["  #", "  #", "  #", "  #", "  #"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
        ":": [" ", "#", " ", "#", " "], "+": ["   ", " # ", "###", " # ", "   "],
        "-": ["   ", "   ", "###", "   ", "   "],
    ]

    private let pixels: [String]

    /// Creates the drawing of a time such as `4:12` or `+0:05`; other characters are omitted.
    init(_ text: String) {
        let glyphs = text.compactMap { Self.font[$0] }
        pixels = (0..<Self.height).map { row in glyphs.map { $0[row] }.joined(separator: " ") }
    }

    /// Returns the number of columns that the time occupies in a size.
    func width(_ size: Size) -> Int { (pixels.first?.count ?? 0) * size.columns }

    /// The size of a pixel in columns and rows.
    struct Size: Hashable {
        let columns: Int
        let rows: Int

        /// The sizes, smallest first. A terminal's characters are about twice as high as they are wide.
        static let all = [Size(columns: 1, rows: 1)] + (1...8).map { Size(columns: 2 * $0, rows: $0) }

        var height: Int { BigDigits.height * rows }
    }

    /// Returns the rows of the drawing.
    func rows(_ size: Size, full: String) -> [String] {
        pixels.flatMap { row in
            let line = row.map { String(repeating: $0 == "#" ? full : " ", count: size.columns) }.joined()
            return Array(repeating: line, count: size.rows)
        }
    }
}

// The width of strings in a terminal. Names are typed by people, in any script.

extension String {
    /// The number of columns that the text occupies.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Returns as much of the beginning of the text as fits into this number of columns.
    func prefix(columns: Int) -> String {
        var left = columns
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix { scalar in
                    left -= scalar.columns
                    return left >= 0
                }))
    }

    /// Returns as much of the end of the text as fits into this number of columns.
    func suffix(columns: Int) -> String {
        var left = columns
        let end = unicodeScalars.reversed().prefix { scalar in
            left -= scalar.columns
            return left >= 0
        }
        return String(String.UnicodeScalarView(end.reversed()))
    }

    /// Returns the text in rows of at most this number of columns, broken at spaces if possible.
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
    /// The number of columns: 0 for control characters and scalars that combine with the one before, 2 for wide East
    /// Asian scripts and emoji, otherwise 1.
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isWide = Self.wide.contains { $0.contains(value) } || properties.isEmojiPresentation
        return isWide ? 2 : 1
    }

    /// The blocks in which all characters are wide, from Unicode's EastAsianWidth.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18CFF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
