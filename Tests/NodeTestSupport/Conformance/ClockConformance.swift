package import BrokerLink
import FoundationEssentials
import TimerEngine

/// A clock, and a second clock to check it against.
package protocol ClockHarness {
    /// Returns another clock of the same machine on each call.
    func makeClock() -> any NodeClock
    /// Returns the time since some moment in the past, measured by a different clock.
    func elapsed() -> Duration
}

/// The rules for a ``NodeClock``.
package enum ClockConformance {
    package static let rules: [Rule<any ClockHarness>] = [
        Rule("never goes back, whether the caller waits, yields or only reads it") { harness in
            let clock = harness.makeClock()
            var last = clock.now.instant
            for round in 0..<300 {
                if round % 100 == 1 { _ = clock.wait(for: [], until: last + .milliseconds(1)) }
                if round % 100 == 2 { clock.yieldBriefly() }
                let now = clock.now.instant
                try require(last <= now, "\(now) came after \(last)")
                last = now
            }
        },
        Rule("returns at once if the deadline of a wait is in the past or now") { harness in
            let clock = harness.makeClock()
            let (began, now) = (harness.elapsed(), clock.now.instant)
            for deadline in [now, now - .milliseconds(1), now - .seconds(3600), Instant(sinceEpoch: .zero)] {
                try require(clock.wait(for: [], until: deadline), is: [], "the ready descriptors")
            }
            try require(harness.elapsed() - began < .seconds(20), "it took \(harness.elapsed() - began)")
        },
        Rule("ends a wait at its deadline, and not before") { harness in
            let clock = harness.makeClock()
            try wait(.milliseconds(150), on: clock, harness)
        },
        Rule("waits for each new deadline, a later or an earlier one, and not for one that has passed") { harness in
            let clock = harness.makeClock()
            let first = try wait(.milliseconds(60), on: clock, harness)
            let began = harness.elapsed()
            for _ in 0..<3 { _ = clock.wait(for: [], until: first) }
            try require(harness.elapsed() - began < .seconds(20), "it waited for \(first) again")
            try wait(.milliseconds(120), on: clock, harness)
            // This wait returns at once; a new deadline follows.
            _ = clock.wait(for: [], until: clock.now.instant)
            try wait(.milliseconds(30), on: clock, harness)
        },
        Rule("moves the date with the instant") { harness in
            let clock = harness.makeClock()
            // The date may be set meanwhile, or the machine may stall between the readings, but not every time.
            var found: [Double] = []
            for _ in 0..<10 {
                let before = clock.now
                _ = clock.wait(for: [], until: before.instant + .milliseconds(200))
                let after = clock.now
                let difference =
                    before.date.distance(to: after.date) - before.instant.duration(to: after.instant) / .seconds(1)
                if abs(difference) < 0.05 { return }
                found.append(difference)
            }
            throw BrokenRule("the date ran ahead of the instant by these numbers of seconds: \(found)")
        },
        Rule("reports the same boot at each reading, as does each clock of the machine") { harness in
            let clock = harness.makeClock()
            let boot = clock.boot
            _ = clock.wait(for: [], until: clock.now.instant + .milliseconds(10))
            try require(clock.boot, is: boot, "the boot after a while")
            try require(harness.makeClock().boot, is: boot, "another clock's boot")
        },
        Rule("yields only for a moment") { harness in
            let clock = harness.makeClock()
            let began = harness.elapsed()
            for _ in 0..<10 { clock.yieldBriefly() }
            try require(harness.elapsed() - began < .seconds(20), "it took \(harness.elapsed() - began)")
        },
    ]

    /// Waits for the duration, in as many waits as necessary, and returns the deadline.
    @discardableResult
    private static func wait(
        _ duration: Duration, on clock: any NodeClock, _ harness: any ClockHarness
    ) throws -> Instant {
        let began = harness.elapsed()
        let deadline = clock.now.instant + duration
        var waits = 0
        while clock.now.instant < deadline {
            // A wait may end early, for example because of a signal, but only rarely.
            try require(waits < 100, "\(waits) waits ended before their deadline")
            try require(clock.wait(for: [], until: deadline), is: [], "the ready descriptors")
            waits += 1
        }
        let took = harness.elapsed() - began
        try require((duration..<duration + .seconds(20)).contains(took), "a wait of \(duration) took \(took)")
        return deadline
    }
}
