internal import TimerEngine

/// When libmosquitto has to be asked to look at its keep-alive, and no earlier.
///
/// `mosquitto_loop_misc` sends PINGREQ, or gives up where the last one was not answered, once nothing was sent or nothing
/// was received for the keep-alive. It offers no way to ask when that will be, so what it goes by is kept here too.
struct KeepAlive {
    /// libmosquitto counts whole seconds of a clock whose second begins when it likes.
    private static let granularity = Duration.seconds(1)

    /// The keep-alive, in MQTT 5 perhaps imposed by the broker; nil for none.
    var period: Duration?
    private var lastReceived: TimerEngine.Instant
    private var lastSent: TimerEngine.Instant

    /// Begins with the instant at which CONNECT went out.
    init(seconds: Int, at now: TimerEngine.Instant) {
        period = seconds > 0 ? .seconds(seconds) : nil
        lastReceived = now
        lastSent = now
    }

    /// The next instant to call `mosquitto_loop_misc` at; nil for never.
    var deadline: TimerEngine.Instant? {
        period.map { min(lastReceived, lastSent) + $0 + Self.granularity }
    }

    /// A packet arrived.
    mutating func received(at now: TimerEngine.Instant) { lastReceived = now }

    /// A packet left.
    mutating func sent(at now: TimerEngine.Instant) { lastSent = now }

    /// `mosquitto_loop_misc` was called at the deadline: it counts anew from there, on both sides.
    mutating func checked(at now: TimerEngine.Instant) {
        lastReceived = now
        lastSent = now
    }
}
