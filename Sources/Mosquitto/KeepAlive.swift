internal import TimerEngine

/// Computes when libmosquitto must check its keep-alive, so that the loop does not wake earlier.
///
/// `mosquitto_loop_misc` sends PINGREQ, or gives up if the last one was not answered, once nothing was sent or nothing
/// was received for the keep-alive period. libmosquitto does not tell when that will be, so its timestamps are tracked
/// here too.
struct KeepAlive {
    /// libmosquitto counts whole seconds, whose boundaries are unknown.
    private static let granularity = Duration.seconds(1)

    /// The keep-alive period, which an MQTT 5 broker may impose; nil for none.
    var period: Duration?
    private var lastReceived: TimerEngine.Instant
    private var lastSent: TimerEngine.Instant

    /// Starts at the instant at which CONNECT was sent.
    init(seconds: Int, at now: TimerEngine.Instant) {
        period = seconds > 0 ? .seconds(seconds) : nil
        lastReceived = now
        lastSent = now
    }

    /// When to call `mosquitto_loop_misc` next; nil for never.
    var deadline: TimerEngine.Instant? {
        period.map { min(lastReceived, lastSent) + $0 + Self.granularity }
    }

    /// Records that data was received.
    mutating func recordReceived(at now: TimerEngine.Instant) { lastReceived = now }

    /// Records that a packet was sent.
    mutating func recordSent(at now: TimerEngine.Instant) { lastSent = now }

    /// Records that `mosquitto_loop_misc` was called at the deadline: both periods start again.
    mutating func restart(at now: TimerEngine.Instant) {
        lastReceived = now
        lastSent = now
    }
}
