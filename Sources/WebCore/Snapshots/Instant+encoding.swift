package import TimerEngine
package import TimerProtocol

extension JSONWriter {
    /// Writes an instant in milliseconds, to the microsecond.
    package mutating func member(_ key: String, milliseconds instant: TimerEngine.Instant?) {
        self.key(key)
        if let instant { value(instant.milliseconds) } else { null() }
    }
}

extension TimerEngine.Instant {
    /// The milliseconds since the clock's zero, to the microsecond.
    package var milliseconds: Double {
        let (seconds, attoseconds) = sinceEpoch.components
        return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
    }
}
