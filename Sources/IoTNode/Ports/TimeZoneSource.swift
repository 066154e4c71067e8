package import TimerEngine

/// Reads time zones, without holding up whoever asks.
package protocol TimeZoneSource: EventSource {
    /// Reads the machine's zone and those of some names. ``NodeEvent/timeZonesRead(_:)`` follows.
    func read(_ names: [String])
}

/// A system with no zone but UTC.
package final class NoTimeZones: TimeZoneSource {
    private var pending: [NodeEvent] = []

    package init() {}

    package var interests: [Interest] { [] }
    package var nextInstant: Instant? { pending.isEmpty ? nil : Instant(sinceEpoch: .zero) }

    package func read(_ names: [String]) {
        pending.append(
            .timeZonesRead(TimeZones(machine: .utc, machineName: "UTC", named: ["UTC": .utc], asked: Set(names))))
    }

    package func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending
    }
}
