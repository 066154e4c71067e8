/// A time in digits that can be read across a room.
struct BigDigits {
    /// The rows of a digit of the smallest size.
    static let height = 5

    /// Three columns and five rows each; a colon has one column.
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

    /// Draws a time such as `4:12` or `+0:05`; other characters are left out.
    init(_ text: String) {
        let glyphs = text.compactMap { Self.font[$0] }
        pixels = (0..<Self.height).map { row in glyphs.map { $0[row] }.joined(separator: " ") }
    }

    /// The columns that the time takes in a size.
    func width(_ size: Size) -> Int { (pixels.first?.count ?? 0) * size.columns }

    /// How many columns and rows a pixel has.
    struct Size: Hashable {
        let columns: Int
        let rows: Int

        /// The sizes from the smallest. The characters of a terminal are about twice as high as wide.
        static let all = [Size(columns: 1, rows: 1)] + (1...8).map { Size(columns: 2 * $0, rows: $0) }

        var height: Int { BigDigits.height * rows }
    }

    /// The rows of the drawing.
    func rows(_ size: Size, full: String) -> [String] {
        pixels.flatMap { row in
            let line = row.map { String(repeating: $0 == "#" ? full : " ", count: size.columns) }.joined()
            return Array(repeating: line, count: size.rows)
        }
    }
}
