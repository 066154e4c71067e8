package import BrokerLink
internal import Glibc
package import NodeConfiguration
package import TimerEngine

/// The log: one line per event, on standard error.
///
/// Lines that would block are dropped and counted; once there is room again, one line reports how many.
package final class LogOutput: EventSource {
    /// Formats a level and a message as a line, including the newline.
    package var format: (LogLevel, String) -> String
    private let output: NonblockingOutput
    private var droppedLines = 0
    private var reason = ""

    package init(descriptor: Int32 = STDERR_FILENO, format: @escaping (LogLevel, String) -> String) {
        output = NonblockingOutput(descriptor)
        self.format = format
    }

    /// Writes a line, or counts it as dropped.
    package func write(_ level: LogLevel, _ message: String) {
        // Dropped lines are reported before the next line is written.
        guard reportDroppedLines(), output.write(format(level, message)) else { return dropLine() }
    }

    /// The output, only while something waits for it to become writable.
    package var interests: [Interest] {
        output.watched.map { [Interest(descriptor: $0, events: .write)] } ?? []
    }

    /// Writes pending text.
    package func takeEvents(ready: [Interest], at now: Instant) -> [Never] {
        if !ready.isEmpty { _ = reportDroppedLines() }
        return []
    }

    private func dropLine() {
        if droppedLines == 0 {
            reason = output.error == EAGAIN ? "nobody read standard error" : SystemError.text(output.error)
        }
        droppedLines += 1
    }

    /// Reports dropped lines, after the rest of a partially written line; returns whether nothing is pending.
    private func reportDroppedLines() -> Bool {
        guard droppedLines > 0 else { return output.flush() }
        let lines = droppedLines == 1 ? "1 log line was" : "\(droppedLines) log lines were"
        guard output.write(format(.warning, "\(lines) left out: \(reason)")) else { return false }
        droppedLines = 0
        return true
    }
}
