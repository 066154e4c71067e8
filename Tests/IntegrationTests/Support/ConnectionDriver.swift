import BrokerLink
import Foundation
import LinuxSystem
import TimerEngine

@testable import Mosquitto

/// Drives a connection as the node's loop does: with one poll, and no clock except the connection's own deadlines.
final class ConnectionDriver {
    /// The connection.
    let connection = MosquittoConnection()
    /// The events that the connection reported.
    private(set) var events: [ConnectionEvent] = []
    /// The number of waits that ended before the test's own time limit.
    private(set) var wakeUps = 0
    /// The largest number of messages reported at once.
    private(set) var mostMessagesAtOnce = 0

    /// The failures among the events.
    var failures: [ConnectionError] { events.compactMap { if case .lost(let failure) = $0 { failure } else { nil } } }
    /// The messages among the events.
    var messages: [IncomingMessage] {
        events.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    /// Creates a driver, and makes the process ignore SIGPIPE.
    init() { BrokenPipe.ignore() }

    /// Discards the events and the wake-up count so far.
    func forget() {
        events = []
        wakeUps = 0
    }

    /// Runs until the condition holds.
    func run(until what: String, timeout: Duration = longestWait, _ condition: (ConnectionDriver) -> Bool) throws {
        let deadline = ContinuousClock.now + timeout
        while !condition(self) {
            guard ContinuousClock.now < deadline else {
                throw TestFailure("waited \(timeout) in vain for \(what); so far: \(events)")
            }
            turn(until: deadline)
        }
    }

    /// Runs for a given time, regardless of events.
    func run(for duration: Duration) {
        let deadline = ContinuousClock.now + duration
        while ContinuousClock.now < deadline { turn(until: deadline) }
    }

    /// Connects, and waits until it is connected.
    func connect(_ request: ConnectOptions) throws {
        connection.connect(request)
        try run(until: "a connection") { $0.events.contains(.connected) || !$0.failures.isEmpty }
        guard events == [.connected] else { throw TestFailure("not connected: \(events)") }
    }

    private func turn(until limit: ContinuousClock.Instant) {
        let interests = connection.interests
        var descriptors = interests.map { interest in
            pollfd(
                fd: interest.descriptor,
                events: Int16(
                    (interest.events.contains(.read) ? POLLIN : 0) | (interest.events.contains(.write) ? POLLOUT : 0)),
                revents: 0)
        }
        var wait = limit - .now
        if let next = connection.nextInstant { wait = min(wait, bootTime().duration(to: next)) }
        let milliseconds = Int32((max(0, wait.inSeconds) * 1000).rounded(.up))
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        if count > 0 || ContinuousClock.now < limit { wakeUps += 1 }

        let ready = zip(interests, descriptors).compactMap { interest, descriptor -> Interest? in
            let broken = Int32(descriptor.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
            var events: Interest.Events = []
            if broken || Int32(descriptor.revents) & POLLIN != 0 { events.insert(.read) }
            if broken || Int32(descriptor.revents) & POLLOUT != 0 { events.insert(.write) }
            events.formIntersection(interest.events)
            return events.isEmpty ? nil : Interest(descriptor: interest.descriptor, events: events)
        }
        var messagesNow = 0
        for event in connection.takeEvents(ready: ready, at: bootTime()) {
            events.append(event)
            if case .lost(let failure) = event { TestSecrets.check("\(failure)") }
            if case .message = event { messagesNow += 1 }
        }
        mostMessagesAtOnce = max(mostMessagesAtOnce, messagesNow)
    }
}

/// The node's monotonic clock.
func bootTime() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
}

/// Sleeps until an instant of ``bootTime()``.
func sleep(until instant: Instant) {
    usleep(UInt32(max(0, bootTime().duration(to: instant).inSeconds * 1_000_000)))
}
