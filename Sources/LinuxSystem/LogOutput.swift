internal import Glibc
package import IoTNode
package import TimerEngine

/// The log: a line for each event, on standard error.
///
/// Lines that find no room are left out and counted, and one line says so when there is room again.
package final class LogOutput: EventSource {
    /// Makes a line, with its end, of a level and a message.
    package var format: (LogLevel, String) -> String
    private let output: NonblockingOutput
    private var leftOut = 0
    private var reason = ""

    /// A log on an open descriptor.
    package init(descriptor: Int32 = STDERR_FILENO, format: @escaping (LogLevel, String) -> String) {
        output = NonblockingOutput(descriptor)
        self.format = format
    }

    /// Writes a line, or counts it.
    package func write(_ level: LogLevel, _ message: String) {
        // Nothing is written before it is said what is missing there.
        guard tellLeftOut(), output.write(format(level, message)) else { return leaveOut() }
    }

    /// The output, only while something waits for room there.
    package var interests: [Interest] {
        output.watched.map { [Interest(descriptor: $0, events: .write)] } ?? []
    }

    /// Writes what waited for room.
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

    /// Says what was left out, after the rest of what was not; returns whether there is nothing more to say.
    private func tellLeftOut() -> Bool {
        guard leftOut > 0 else { return output.flush() }
        let lines = leftOut == 1 ? "1 log line was" : "\(leftOut) log lines were"
        guard output.write(format(.warning, "\(lines) left out: \(reason)")) else { return false }
        leftOut = 0
        return true
    }
}
