internal import TimerProtocol

/// A stoplight as a drawing: three lamps in a housing, as high as the digits beside it have room.
struct Stoplight {
    private static let lamps: [(name: String, colour: TerminalStyle.Colour)] = [
        ("red", .red), ("yellow", .yellow), ("green", .green),
    ]

    /// The colour of the topmost lamp that a mode lights; nil for the terminal's own.
    static func colour(_ signal: ModeSignals.Signal) -> TerminalStyle.Colour? {
        lamps.first { signal.lamps?[$0.name] ?? .off != .off }?.colour
    }

    private let outputs: OutputStates?

    init(_ outputs: OutputStates?) { self.outputs = outputs }

    /// How wide the drawing is in a size.
    static func width(_ size: BigDigits.Size) -> Int { 2 * size.rows + 4 }

    /// How high the drawing is in a size.
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

    /// Adds the lamps as three dots in a row, and a space.
    func addDots(to line: inout ScreenRow, _ style: TerminalStyle) {
        for lamp in Self.lamps {
            let state = outputs?[lamp.name] ?? .off
            line.add(
                state == .off ? style.dot.off : style.dot.on,
                state == .off ? .init() : .init(colour: lamp.colour, blinks: state == .blink))
        }
        line.add("  ")
    }

    /// The outputs that are no lamps of a stoplight and are on.
    static func others(_ outputs: OutputStates?) -> [String] {
        guard let outputs else { return [] }
        return outputs.names.filter { name in outputs[name] != .off && !lamps.contains { $0.name == name } }
    }
}
