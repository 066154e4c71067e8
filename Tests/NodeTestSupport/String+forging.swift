internal import TimerProtocol

extension String {
    /// Returns a node's message with the reading of its boot clock moved forward by `time`.
    package func withBootClock(laterBy time: Duration) -> String {
        replacing(/"now":([0-9]+)/) { "\"now\":\((Int($0.output.1) ?? 0) + time.count(of: .microseconds(1)))" }
    }
}
