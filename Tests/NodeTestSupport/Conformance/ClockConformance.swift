package import BrokerLink
import FoundationEssentials
import TimerEngine

/// A clock, and another way to tell the time.
package protocol ClockHarness {
    /// Another one of the same machine each time.
    func makeClock() -> any NodeClock
    /// The time since some moment in the past, by another clock.
    func elapsed() -> Duration
}

/// What ``NodeClock`` promises.
package enum ClockConformance {
    package static let rules: [Rule<any ClockHarness>] = [
        Rule("never goes back, whether one waits, rests or only looks") { harness in
            let clock = harness.makeClock()
            var last = clock.now.instant
            for round in 0..<300 {
                if round % 100 == 1 { _ = clock.wait(for: [], until: last + .milliseconds(1)) }
                if round % 100 == 2 { clock.letOthersRun() }
                let now = clock.now.instant
                try require(last <= now, "\(now) came after \(last)")
                last = now
            }
        },
        Rule("returns at once from a wait for what is past or present") { harness in
            let clock = harness.makeClock()
            let (began, now) = (harness.elapsed(), clock.now.instant)
            for deadline in [now, now - .milliseconds(1), now - .seconds(3600), Instant(sinceEpoch: .zero)] {
                try require(clock.wait(for: [], until: deadline), is: [], "what is ready")
            }
            try require(harness.elapsed() - began < .seconds(20), "it took \(harness.elapsed() - began)")
        },
        Rule("ends a wait at its deadline, and not before") { harness in
            let clock = harness.makeClock()
            try wait(.milliseconds(150), on: clock, harness)
        },
        Rule("waits anew for each deadline, a later or an earlier one, and not for one that was there") { harness in
            let clock = harness.makeClock()
            let first = try wait(.milliseconds(60), on: clock, harness)
            let began = harness.elapsed()
            for _ in 0..<3 { _ = clock.wait(for: [], until: first) }
            try require(harness.elapsed() - began < .seconds(20), "it waited for \(first) again")
            try wait(.milliseconds(120), on: clock, harness)
            // A far one that nobody waits for to the end.
            _ = clock.wait(for: [], until: clock.now.instant)
            try wait(.milliseconds(30), on: clock, harness)
        },
        Rule("moves the date with the instant") { harness in
            let clock = harness.makeClock()
            // Somebody may set the date meanwhile, or the machine halt between the readings, but not each time.
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
            throw BrokenRule("the date was ahead of the instant by so many seconds: \(found)")
        },
        Rule("tells one boot at each reading, and so does each clock of the machine") { harness in
            let clock = harness.makeClock()
            let boot = clock.boot
            _ = clock.wait(for: [], until: clock.now.instant + .milliseconds(10))
            try require(clock.boot, is: boot, "the boot after a while")
            try require(harness.makeClock().boot, is: boot, "another clock's boot")
        },
        Rule("rests for a moment only") { harness in
            let clock = harness.makeClock()
            let began = harness.elapsed()
            for _ in 0..<10 { clock.letOthersRun() }
            try require(harness.elapsed() - began < .seconds(20), "it took \(harness.elapsed() - began)")
        },
    ]

    /// Waits for so long from now, as often as that takes, and returns the deadline.
    @discardableResult
    private static func wait(
        _ duration: Duration, on clock: any NodeClock, _ harness: any ClockHarness
    ) throws -> Instant {
        let began = harness.elapsed()
        let deadline = clock.now.instant + duration
        var waits = 0
        while clock.now.instant < deadline {
            // A wait may end early, such as for a signal, but not as if there were none.
            try require(waits < 100, "\(waits) waits ended before their deadline")
            try require(clock.wait(for: [], until: deadline), is: [], "what is ready")
            waits += 1
        }
        let took = harness.elapsed() - began
        try require((duration..<duration + .seconds(20)).contains(took), "a wait of \(duration) took \(took)")
        return deadline
    }
}
