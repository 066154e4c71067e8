import TestSupport
import Testing

@testable import TimerEngine

@Suite("Invariants of any sequence of calls")
struct CountdownInvariantTests {
    /// The state of a countdown at one instant.
    private struct Reading: Equatable {
        let mode: Mode, remaining: Duration, next: Instant?
    }

    private static func allowance(_ countdown: Countdown, added: Duration) -> Duration {
        .seconds(countdown.thresholds.start) + added
    }

    @Test("remaining time, transitions and deadlines stay valid", arguments: SeededGenerator.seeds(200))
    func randomCalls(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let start = Int.random(in: 1...20, using: &random)
        let warning = Int.random(in: 0..<start, using: &random)
        let final = Int.random(in: 0..<max(1, warning > 0 ? warning : start), using: &random)
        var countdown = Countdown(try times(start, warning, final))
        var now = at(0)
        var shownMode = countdown.mode
        var added: Duration = .zero

        for _ in 0..<200 {
            let left = countdown.remaining(at: now)
            now = now + .milliseconds(Int.random(in: 0...2500, using: &random))
            #expect(countdown.remaining(at: now) <= left, "the passing of time never adds time")

            let before = countdown
            let mayRise: Bool
            var events: [Countdown.Event] = []
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                events = try countdown.start(at: now)
                (added, mayRise) = (.zero, true)
            case 1:
                events = countdown.stop(at: now)
                (added, mayRise) = (.zero, true)
            case 2: (events, mayRise) = (countdown.end(at: now), false)
            case 3, 4: (events, mayRise) = ((try? countdown.pause(at: now)) ?? [], false)
            case 5, 6: (events, mayRise) = ((try? countdown.resume(at: now)) ?? [], false)
            case 7:
                let seconds = Int.random(in: -2...25, using: &random)
                let date = now + .milliseconds(Int.random(in: -3000...3000, using: &random))
                (events, mayRise) = ((try? countdown.sync(to: seconds, at: date, now: now)) ?? [], true)
            case 8:
                let seconds = Duration.milliseconds(Int.random(in: -500...25_000, using: &random))
                (events, mayRise) = (countdown.setRemaining(seconds, at: now), true)
            case 9:
                let seconds = Int.random(in: -10...10, using: &random)
                if let given = try? countdown.add(seconds, at: now) {
                    events = given
                    added += .seconds(max(0, seconds))
                }
                mayRise = true
            case 10:
                countdown = try Countdown(countdown.snapshot)
                mayRise = false
            default: (events, mayRise) = (countdown.advance(to: now), false)
            }

            let reached = countdown.remaining(at: now)
            #expect(reached >= .zero && reached <= Self.allowance(countdown, added: added))
            if !mayRise, before.mode != .stopped { #expect(reached <= left) }
            #expect((countdown.nextInstant != nil) == countdown.mode.isRunning)
            #expect((countdown.zero != nil) == countdown.mode.isRunning)
            for case .transition(let from, let to, let due) in events {
                #expect(from == shownMode || from == shownMode.unpaused, "each transition begins where the last ended")
                #expect(from != to && due <= now)
                shownMode = to
            }
            #expect(shownMode == countdown.mode, "each change of mode was reported")
        }
    }

    @Test(
        "in an undisturbed run, the ticks decrease by one and each transition occurs once, in order",
        arguments: SeededGenerator.seeds(100))
    func undisturbed(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: 1_000 + seed)
        let start = Int.random(in: 1...90, using: &random)
        let warning = Int.random(in: 0..<start, using: &random)
        let final = Int.random(in: 0..<max(1, warning > 0 ? warning : start), using: &random)
        var countdown = Countdown(try times(start, warning, final))
        var now = at(0)
        var events = try countdown.start(at: now)
        while countdown.mode.isRunning {
            now = now + .milliseconds(Int.random(in: 1...999, using: &random))
            events += countdown.advance(to: now)
        }

        let ticks = events.compactMap { if case .tick(let second, _) = $0 { second } else { nil } }
        #expect(ticks == (0...start).reversed())
        let modes = events.compactMap { if case .transition(_, let to, _) = $0 { to } else { nil } }
        var expected: [Mode] = [.countdown]
        if warning > max(final, 1) || (warning == 1 && final == 0) { expected.append(.warning) }
        if final > 1 { expected.append(.final) }
        #expect(modes == expected + [.alarm])
        let due = events.map { if case .tick(_, let instant) = $0 { instant } else { nil as Instant? } }.compactMap(
            \.self)
        #expect(due == due.sorted())
    }

    @Test(
        "any number of pauses of any length delay the alarm by exactly the paused time",
        arguments: SeededGenerator.seeds(100))
    func pauses(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: 2_000 + seed)
        let start = Int.random(in: 5...60, using: &random)
        var countdown = Countdown(try times(start, start / 2, start / 4))
        _ = try countdown.start(at: at(0))
        var now = at(0)
        var paused: Duration = .zero
        while true {
            now = now + .nanoseconds(Int.random(in: 1...3_000_000_000, using: &random))
            guard (try? countdown.pause(at: now)) != nil else { break }
            let shown = countdown.shownSeconds(at: now)
            let length = Duration.nanoseconds(Int.random(in: 0...9_000_000_000, using: &random))
            now = now + length
            paused += length
            #expect(try countdown.resume(at: now).count == 1)
            #expect(countdown.shownSeconds(at: now) == shown)
            #expect(countdown.zero == at(Double(start)) + paused)
        }
        _ = countdown.advance(to: now)
        #expect(countdown.alarmedSince == at(Double(start)) + paused)
        #expect(countdown.used(at: at(Double(start)) + paused) == .seconds(start))
    }

    @Test("a saved and restored countdown continues identically", arguments: Situation.allCases)
    func saved(_ situation: Situation) throws {
        var original = try situation.made()
        var copy = try Countdown(original.snapshot)
        #expect(copy == original)
        #expect(copy.play() == original.play())
        #expect(copy == original)
    }

    @Test("a countdown that is restored late catches up and dates its alarm to the original instant")
    func restoredLate() throws {
        let original = try Situation.final.made()
        var copy = try Countdown(original.snapshot)
        #expect(copy.advance(to: at(130)).lines == ["109.5: 0", "109.5: final → alarm"])
    }

    @Test("on a clock with a different zero, everything shifts by the difference", arguments: Situation.allCases)
    func shifted(_ situation: Situation) throws {
        let original = try situation.made()
        var copy = original
        copy.shift(by: lasting(1000))
        #expect(copy.remaining(at: at(1103)) == original.remaining(at: at(103)))
        #expect(copy.used(at: at(1103)) == original.used(at: at(103)))
        #expect(copy.over(at: at(1103)) == original.over(at: at(103)))
        #expect(copy.nextInstant == original.nextInstant.map { $0 + lasting(1000) })
    }
}
