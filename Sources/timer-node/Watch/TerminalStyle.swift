internal import TimerProtocol

/// The colours and characters that a terminal can show.
struct TerminalStyle: Hashable {
    /// Whether the terminal has colours: the eight that every colour terminal has.
    var hasColours = true
    /// Whether the terminal shows characters other than ASCII.
    var isUnicode = true

    init(hasColours: Bool = true, isUnicode: Bool = true) {
        self.hasColours = hasColours
        self.isUnicode = isUnicode
    }

    /// Creates the style that the environment requests, by the conventions for `NO_COLOR`, `TERM` and the locale.
    init(_ environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        let isPlain = ["", "dumb", "vt100", "vt102", "vt220"].contains(terminal) || terminal.hasSuffix("-mono")
        hasColours = environment["NO_COLOR", default: ""].isEmpty && !isPlain
        // The first one that is set decides, as in setlocale(3).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        isUnicode = name.contains("utf-8") || name.contains("utf8")
    }

    /// A foreground colour; the raw value is its number in SGR sequences.
    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// A filled block; `empty` is an unfilled one.
    var full: String { isUnicode ? "█" : "#" }
    var empty: String { isUnicode ? "░" : "." }
    var dot: (on: String, off: String) { isUnicode ? ("●", "○") : ("*", "-") }
    var separator: String { isUnicode ? " · " : " - " }
    var ellipsis: String { isUnicode ? "…" : "~" }
    var edges: (topLeft: String, topRight: String, bottomLeft: String, bottomRight: String, side: String, line: String)
    {
        isUnicode ? ("╭", "╮", "╰", "╯", "│", "─") : ("+", "+", "+", "+", "|", "-")
    }
}

/// A row of the screen: styled text, cut at the end of the row.
struct ScreenRow: Hashable {
    /// The style of a piece of text.
    struct Look: Hashable {
        var colour: TerminalStyle.Colour?
        var isBold = false
        var blinks = false
        var isReversed = false
    }

    private let style: TerminalStyle
    private let columns: Int
    private(set) var width = 0
    private var parts: [(text: String, look: Look)] = []

    init(_ style: TerminalStyle, columns: Int) {
        self.style = style
        self.columns = columns
    }

    /// Adds text; the part that does not fit is replaced by an ellipsis.
    ///
    /// - Parameter reserve: the number of columns to leave at the end of the row.
    mutating func add(_ text: String, _ look: Look = Look(), leaving reserve: Int = 0) {
        let text = style.isUnicode ? text.terminalText : text.terminalText.ascii
        let room = columns - reserve - width
        guard room > 0 else { return }
        let wanted = text.columns
        if wanted <= room {
            parts.append((text, look))
            width += wanted
        } else {
            parts.append((text.prefix(columns: room - 1) + style.ellipsis, look))
            width += room
        }
    }

    /// Adds spaces up to a column.
    mutating func pad(to column: Int) {
        let count = min(column, columns) - width
        if count > 0 { add(String(repeating: " ", count: count)) }
    }

    /// Adds text that ends at the last column, after at least one space; does nothing if there is no room for it.
    mutating func addAtEnd(_ text: String, _ look: Look = Look()) {
        let wanted = text.columns
        guard width + 1 + wanted <= columns else { return }
        pad(to: columns - wanted)
        add(text, look)
    }

    /// The row without colours and other looks.
    var text: String { parts.map(\.text).joined() }

    /// The row with the control sequences for a terminal.
    var rendered: String {
        parts.map { part in
            var codes: [Int] = []
            if part.look.isBold { codes.append(1) }
            if part.look.blinks { codes.append(5) }
            if part.look.isReversed { codes.append(7) }
            if style.hasColours, let colour = part.look.colour { codes.append(colour.rawValue) }
            guard !codes.isEmpty else { return part.text }
            return "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m\(part.text)\u{1B}[0m"
        }.joined()
    }

    static func == (one: ScreenRow, other: ScreenRow) -> Bool { one.rendered == other.rendered }

    func hash(into hasher: inout Hasher) { hasher.combine(rendered) }
}
