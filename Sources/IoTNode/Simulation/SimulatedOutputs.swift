internal import Glibc
public import TimerEngine

/// A stoplight without hardware: drawn in place where there is a terminal, else a line for each change.
public final class SimulatedOutputs: Outputs, StatusDisplay {
    private let isTerminal: Bool
    private let write: (String) -> Void
    private var levels: [OutputName: Bool] = [:]
    private var status: NodeStatus?
    private var drawnRows = 0
    private var lastKey: [String]?

    /// A stoplight that hands its text to `write`.
    ///
    /// - Parameters:
    ///   - isTerminal: whether the text may move the cursor and use colours.
    ///   - write: takes text with its line ends.
    public init(isTerminal: Bool, write: @escaping (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// A stoplight on the standard output.
    public convenience init() {
        self.init(isTerminal: isatty(STDOUT_FILENO) == 1) { text in
            var text = text
            text.withUTF8 { bytes in
                // SAFETY: the call reads the bytes and keeps no pointer; a drawing that cannot be written is no fault.
                _ = unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            }
        }
    }

    /// Nothing to wait for.
    public var interests: [Interest] { [] }

    /// Never anything.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }

    /// Lights the first lamps.
    public func acquire(_ levels: [OutputName: Bool]) throws(OutputsFault) {
        self.levels = levels
        draw()
    }

    /// Switches lamps.
    public func set(_ levels: [OutputName: Bool]) throws(OutputsFault) {
        self.levels.merge(levels) { $1 }
        draw()
    }

    /// All dark.
    public func release() {
        guard !levels.isEmpty else { return }
        status = nil
        levels = levels.mapValues { _ in false }
        draw()
        levels = [:]
    }

    /// Shows the time and the mode beside the lamps.
    public func show(_ status: NodeStatus) {
        self.status = status
        draw()
    }

    private func draw() {
        let drawing = StoplightDrawing(levels: levels, status: status)
        guard isTerminal else {
            if drawing.key != lastKey { write(drawing.line + "\n") }
            lastKey = drawing.key
            return
        }
        let rows = drawing.picture
        let up = drawnRows > 0 ? "\u{1B}[\(drawnRows)A" : ""
        write(up + rows.map { "\r\($0)\u{1B}[K\n" }.joined())
        drawnRows = rows.count
    }
}
