internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine

/// A stoplight without hardware: redrawn in place on a terminal, otherwise one line per change.
final class SimulatedOutputs: Outputs, StatusDisplay {
    private let isTerminal: Bool
    private let write: (String) -> Bool
    private var isHeld = false
    private var drawnRows = 0
    private var drawn: StoplightDrawing?

    /// Creates a stoplight that passes its text to `write`.
    ///
    /// - Parameters:
    ///   - isTerminal: whether the text may move the cursor and use colours.
    ///   - write: writes text that includes its newlines; returns false if there was no room and the text was dropped.
    init(isTerminal: Bool, write: @escaping (String) -> Bool) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Creates a stoplight on standard output or another open descriptor.
    convenience init(descriptor: Int32 = STDOUT_FILENO) {
        let output = NonblockingOutput(descriptor)
        self.init(isTerminal: isatty(descriptor) == 1) { output.write($0) }
    }

    /// Acquires no lines; the next status draws the lamps.
    @discardableResult
    func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        isHeld = true
        return .simulated
    }

    /// Does nothing; the next status draws the lamps.
    func set(_ levels: [OutputName: Bool]) throws(LinesFault) {}

    /// Draws all lamps dark.
    func release() {
        if isHeld { draw(StoplightDrawing(status: nil)) }
        isHeld = false
    }

    func show(_ status: NodeStatus) {
        draw(StoplightDrawing(status: status))
    }

    /// Draws what has changed. If a drawing is dropped, the next one makes up for it.
    private func draw(_ drawing: StoplightDrawing) {
        guard isTerminal else {
            if drawing.differs(from: drawn), write(drawing.line + "\n") { drawn = drawing }
            return
        }
        let rows = drawing.picture
        let up = drawnRows > 0 ? "\u{1B}[\(drawnRows)A" : ""
        if write(up + rows.map { "\r\($0)\u{1B}[K\n" }.joined()) { drawnRows = rows.count }
    }
}

/// A stoplight as text: lamps, time and mode.
struct StoplightDrawing {
    /// The status to draw; nil for a stoplight that was released.
    let status: NodeStatus?

    /// The usual lamps from top to bottom, with their colours as SGR codes.
    private static let lamps: [(name: OutputName, colour: Int)] = [("red", 91), ("yellow", 93), ("green", 92)]

    private var levels: [OutputName: Bool] { status?.outputs ?? [:] }

    private var time: String {
        guard let status else { return "" }
        return status.remaining == 0 ? "0" : TimerEngine.timerDisplay(of: status.remaining)
    }

    private var mode: String {
        guard let mode = status?.mode else { return "" }
        return mode.isPaused ? "paused in \(mode.unpaused)" : mode.description
    }

    /// The outputs that are on, lamps first.
    private let lit: [OutputName]

    init(status: NodeStatus?) {
        self.status = status
        let on = (status?.outputs ?? [:]).compactMap { $0.value ? $0.key : nil }.sorted()
        lit =
            Self.lamps.map(\.name).filter(on.contains) + on.filter { name in !Self.lamps.contains { $0.name == name } }
    }

    /// The lines that draw a stoplight with the time beside it, for an ANSI terminal.
    var picture: [String] {
        let beside = [status?.timer ?? "", "\u{1B}[1m\(time)\u{1B}[0m  \(mode)", buzzer]
        let rows = zip(Self.lamps, beside).map { lamp, text in
            let isOn = levels[lamp.name] == true
            return "  │ \u{1B}[\(isOn ? lamp.colour : 90)m\(isOn ? "●" : "○")\u{1B}[0m │  \(text)"
        }
        return ["  ╭───╮"] + rows + ["  ╰───╯"]
    }

    private var buzzer: String {
        let sounding = lit.filter { name in !Self.lamps.contains { $0.name == name } }
        return sounding.isEmpty ? "" : "♪ \(sounding.joined(separator: ", "))"
    }

    /// One line for a log: the outputs that are on, and the state of the timer.
    var line: String {
        let lit = lit.isEmpty ? "dark" : lit.joined(separator: " + ")
        return status == nil ? lit : lit + "  (" + mode + ", " + time + " left)"
    }

    /// Returns whether the line differs from an earlier drawing by more than the time.
    func differs(from other: StoplightDrawing?) -> Bool {
        status?.mode != other?.status?.mode || lit != other?.lit
    }
}
