internal import Glibc
package import IoTNode
internal import LinuxSystem
package import TimerEngine

/// A stoplight without hardware: drawn in place where there is a terminal, else a line for each change.
package final class SimulatedOutputs: Outputs, StatusDisplay {
    private let isTerminal: Bool
    private let write: (String) -> Bool
    private var isHeld = false
    private var drawnRows = 0
    private var drawn: StoplightDrawing?

    /// A stoplight that hands its text to `write`.
    ///
    /// - Parameters:
    ///   - isTerminal: whether the text may move the cursor and use colours.
    ///   - write: takes text with its line ends; returns whether it did, as a text that finds no room is left out.
    package init(isTerminal: Bool, write: @escaping (String) -> Bool) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// A stoplight on the standard output, or another open descriptor.
    package convenience init(descriptor: Int32 = STDOUT_FILENO) {
        let output = NonblockingOutput(descriptor)
        self.init(isTerminal: isatty(descriptor) == 1) { output.write($0) }
    }

    /// Nothing to wait for.
    package var interests: [Interest] { [] }

    /// Never anything.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }

    /// Nothing to take; the status that follows lights the lamps.
    @discardableResult
    package func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        isHeld = true
        return .simulated
    }

    /// Nothing to set; the status that follows lights the lamps.
    package func set(_ levels: [OutputName: Bool]) throws(LinesFault) {}

    /// All dark.
    package func release() {
        if isHeld { draw(StoplightDrawing(status: nil)) }
        isHeld = false
    }

    /// Draws the lamps with the time and the mode beside them.
    package func show(_ status: NodeStatus) {
        draw(StoplightDrawing(status: status))
    }

    /// Draws what changed; a drawing that was left out is made up for by the next one.
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
