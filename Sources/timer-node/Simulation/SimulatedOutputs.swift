internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine

/// A stoplight without hardware: drawn in place on a terminal, otherwise one line per change.
final class SimulatedOutputs: Outputs, StatusDisplay {
    private let isTerminal: Bool
    private let write: (String) -> Bool
    private var isHeld = false
    private var drawnRows = 0
    private var drawn: StoplightDrawing?

    /// A stoplight that passes its text to `write`.
    ///
    /// - Parameters:
    ///   - isTerminal: whether the text may move the cursor and use colours.
    ///   - write: writes text that includes its newlines; returns false if there was no room and the text was dropped.
    init(isTerminal: Bool, write: @escaping (String) -> Bool) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// A stoplight on standard output or another open descriptor.
    convenience init(descriptor: Int32 = STDOUT_FILENO) {
        let output = NonblockingOutput(descriptor)
        self.init(isTerminal: isatty(descriptor) == 1) { output.write($0) }
    }

    /// Holds no lines; the following status draws the lamps.
    @discardableResult
    func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        isHeld = true
        return .simulated
    }

    /// Does nothing; the following status draws the lamps.
    func set(_ levels: [OutputName: Bool]) throws(LinesFault) {}

    /// Draws all lamps dark.
    func release() {
        if isHeld { draw(StoplightDrawing(status: nil)) }
        isHeld = false
    }

    func show(_ status: NodeStatus) {
        draw(StoplightDrawing(status: status))
    }

    /// Draws changes; the next drawing makes up for one that was dropped.
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
