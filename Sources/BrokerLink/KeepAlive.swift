package import TimerEngine

/// When a silent connection needs a packet: a PINGREQ to keep it alive, or a probe that makes the broker respond.
///
/// A silent broker is probed before the keep-alive ends, which leaves time to wait for the response. The broker counts
/// as dead one second after the keep-alive.
///
/// The broker needs packets from us as well: `mosquitto_loop_misc` sends PINGREQ when nothing has been sent for the
/// keep-alive. libmosquitto does not report when that will be, so the time of the last packet is tracked here too.
package struct KeepAlive {
    /// libmosquitto counts whole seconds, whose boundaries are unknown.
    private static let granularity = Duration.seconds(1)
    /// How long before the end of the keep-alive a silent broker is probed, unless the keep-alive is too short.
    private static let answerTime = Duration.seconds(4)
    /// The minimum time for the response, in case this process was stopped and the probe is late.
    private static let minimumAnswerTime = Duration.seconds(2)
    /// How long after the keep-alive a silent broker counts as dead.
    private static let grace = Duration.seconds(1)

    /// The keep-alive period, which an MQTT 5 broker may impose; nil for none.
    package var period: Duration?
    private var lastReceived: Instant
    private var lastSent: Instant
    /// When the broker was probed; nil if it has sent data since.
    private var askedAt: Instant?

    /// Starts at the instant at which CONNECT was sent.
    package init(seconds: Int, at now: Instant) {
        period = seconds > 0 ? .seconds(seconds) : nil
        lastReceived = now
        lastSent = now
    }

    /// The earliest of the deadlines below; nil for never.
    package var nextInstant: Instant? {
        .earliest(.earliest(pingDeadline, probeDeadline), lossDeadline)
    }

    /// When to call `mosquitto_loop_misc`; nil for never.
    package var pingDeadline: Instant? { period.map { lastSent + $0 + Self.granularity } }

    /// When to probe the broker; nil for never, or if it has already been probed.
    package var probeDeadline: Instant? {
        guard let period, askedAt == nil else { return nil }
        return lastReceived + max(period - Self.answerTime, period / 2)
    }

    /// When the broker counts as dead unless it sends data first; nil for never, or if it has not been probed yet.
    package var lossDeadline: Instant? {
        guard let period, let askedAt else { return nil }
        return max(lastReceived + period + Self.grace, askedAt + Self.minimumAnswerTime)
    }

    /// Records that data was received.
    package mutating func recordReceived(at now: Instant) {
        lastReceived = now
        askedAt = nil
    }

    /// Records that a packet was sent, including PINGREQ.
    package mutating func recordSent(at now: Instant) { lastSent = now }

    /// Records that the broker was probed.
    package mutating func recordAsked(at now: Instant) { askedAt = now }
}
