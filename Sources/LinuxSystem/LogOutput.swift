internal import Glibc
package import IoTNode
package import TimerEngine

/// The log: one line per event, on standard error.
///
/// Lines that would block are dropped and counted; once there is room again, one line reports how many.
package final class LogOutput: EventSource {
    /// Formats a level and a message as a line, including the newline.
    package var format: (LogLevel, String) -> String
    private let output: NonblockingOutput
    private var leftOut = 0
    private var reason = ""

    package init(descriptor: Int32 = STDERR_FILENO, format: @escaping (LogLevel, String) -> String) {
        output = NonblockingOutput(descriptor)
        self.format = format
    }

    /// Writes a line, or counts it as dropped.
    package func write(_ level: LogLevel, _ message: String) {
        // Dropped lines are reported before the next line is written.
        guard tellLeftOut(), output.write(format(level, message)) else { return leaveOut() }
    }

    /// The output, only while something waits for it to become writable.
    package var interests: [Interest] {
        output.watched.map { [Interest(descriptor: $0, events: .write)] } ?? []
    }

    /// Writes pending text.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        if !ready.isEmpty { _ = tellLeftOut() }
        return []
    }

    private func leaveOut() {
        if leftOut == 0 {
            reason = output.fault == EAGAIN ? "nobody read standard error" : SystemError.text(output.fault)
        }
        leftOut += 1
    }

    /// Reports dropped lines, after the rest of a partially written line; returns whether nothing is pending.
    private func tellLeftOut() -> Bool {
        guard leftOut > 0 else { return output.flush() }
        let lines = leftOut == 1 ? "1 log line was" : "\(leftOut) log lines were"
        guard output.write(format(.warning, "\(lines) left out: \(reason)")) else { return false }
        leftOut = 0
        return true
    }
}
