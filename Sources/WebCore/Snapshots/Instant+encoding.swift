package import TimerEngine
package import TimerProtocol

extension FieldVisitor {
    /// Visits an instant of the server's clock, in milliseconds to the microsecond; null for nil.
    package mutating func milliseconds(
        _ key: String, _ instant: inout Instant?, _ about: String
    ) throws(Refusal) {
        var milliseconds = instant.map(\.milliseconds)
        try field(key, &milliseconds, -1e15...1e15, about)
        instant = milliseconds.map { Instant(sinceEpoch: .microseconds(Int(($0 * 1000).rounded()))) }
    }
}

extension Instant {
    /// The milliseconds since the clock's zero, to the microsecond.
    package var milliseconds: Double {
        let (seconds, attoseconds) = sinceEpoch.components
        return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
    }
}
