package import TimerEngine

/// When a silent connection needs something: the broker a PINGREQ, or we a sign of life from the broker.
///
/// A broker that says nothing is asked for a sign of life before the keep-alive ends, so that there is time to wait for
/// the answer, and counts as dead a second after it.
///
/// The broker needs packets from us as well: `mosquitto_loop_misc` sends PINGREQ once nothing was sent for the keep-alive.
/// libmosquitto does not tell when that will be, so its timestamp is tracked here too.
package struct KeepAlive {
    /// libmosquitto counts whole seconds, whose boundaries are unknown.
    private static let granularity = Duration.seconds(1)
    /// How long before the end of the keep-alive a silent broker is asked, unless the keep-alive is too short for that.
    private static let answerTime = Duration.seconds(4)
    /// The least time for the answer, if this process was stopped and asks late.
    private static let minimumAnswerTime = Duration.seconds(2)
    /// How long after the keep-alive a silent broker counts as dead.
    private static let grace = Duration.seconds(1)

    /// The keep-alive period, which an MQTT 5 broker may impose; nil for none.
    package var period: Duration?
    private var lastReceived: Instant
    private var lastSent: Instant
    /// When the broker was asked for a sign of life; nil if it has sent something since.
    private var askedAt: Instant?

    /// Starts at the instant at which CONNECT was sent.
    package init(seconds: Int, at now: Instant) {
        period = seconds > 0 ? .seconds(seconds) : nil
        lastReceived = now
        lastSent = now
    }

    /// When any of the deadlines below comes next; nil for never.
    package var nextInstant: Instant? {
        .earliest(.earliest(pingDeadline, askDeadline), lossDeadline)
    }

    /// When to call `mosquitto_loop_misc`; nil for never.
    package var pingDeadline: Instant? { period.map { lastSent + $0 + Self.granularity } }

    /// When to ask the broker for a sign of life; nil for never, or if it was asked already.
    package var askDeadline: Instant? {
        guard let period, askedAt == nil else { return nil }
        return lastReceived + max(period - Self.answerTime, period / 2)
    }

    /// When the broker counts as dead, unless something comes before; nil for never, or if it was not asked yet.
    package var lossDeadline: Instant? {
        guard let period, let askedAt else { return nil }
        return max(lastReceived + period + Self.grace, askedAt + Self.minimumAnswerTime)
    }

    /// Records that data was received.
    package mutating func recordReceived(at now: Instant) {
        lastReceived = now
        askedAt = nil
    }

    /// Records that a packet was sent, PINGREQ among them.
    package mutating func recordSent(at now: Instant) { lastSent = now }

    /// Records that the broker was asked for a sign of life.
    package mutating func recordAsked(at now: Instant) { askedAt = now }
}
