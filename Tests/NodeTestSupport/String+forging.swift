internal import TimerProtocol

extension String {
    /// A node's message, with what its boot clock shows changed to so much later.
    package func withBootClock(laterBy time: Duration) -> String {
        replacing(/"now":([0-9]+)/) { "\"now\":\((Int($0.output.1) ?? 0) + time.count(of: .microseconds(1)))" }
    }
}
