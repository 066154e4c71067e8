import TestSupport
import Testing
import TimerEngine

@Suite("A duration in seconds")
struct DurationTests {
    @Test(
        "is the number that a person would write", arguments: [3.139, 0.1, 2.1, 16.9, 86_398.999, 1_700_000_000.123])
    func written(_ seconds: Double) {
        #expect(lasting(seconds).inSeconds == seconds)
        #expect((.zero - lasting(seconds)).inSeconds == -seconds)
    }

    @Test("appears unchanged in the description of a pause")
    func pause() throws {
        var countdown = Countdown(try times(10))
        _ = try countdown.start(at: at(0))
        _ = try countdown.pause(at: at(3.139))
        #expect(countdown.mode.description == "paused(countdown, 3.139)")
    }

    @Test("is the nearest `Double`, for any number of seconds and attoseconds", arguments: SeededGenerator.seeds(20))
    func nearest(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let seconds = Int64.random(in: 0...(1 << Int64.random(in: 0...40, using: &random)), using: &random)
            let units: [Int64] = [1, 1_000, 1_000_000_000, 1_000_000_000_000_000]
            let unit = units.randomElement(using: &random) ?? 1
            let attoseconds = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random) / unit * unit
            let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
            // The standard library rounds decimal numbers to the nearest `Double`.
            let digits = String(attoseconds)
            let text = "\(seconds).\(String(repeating: "0", count: 18 - digits.count))\(digits)"
            let expected = try #require(Double(text))
            #expect(duration.inSeconds == expected, "\(text)")
            #expect((.zero - duration).inSeconds == -expected, "-\(text)")
        }
    }

    @Test("beyond the range of any clock is large and does not trap")
    func huge() {
        let longest = Duration.seconds(Int64.max)
        let beyond = longest + longest
        #expect(beyond.inSeconds == 0x1p64)
        #expect((.zero - beyond).inSeconds == -0x1p64)
        #expect((beyond.shownSeconds, (.zero - beyond).shownSeconds) == (.max, 0))
        #expect((longest.shownSeconds, longest.inSeconds) == (.max, 0x1p63))
    }

    @Test("instants and their sums are clamped to ten thousand years in both directions")
    func instants() {
        let longest = Duration.seconds(Int64.max)
        let far = Instant(sinceEpoch: longest + longest)
        #expect(far == Instant(sinceEpoch: .seconds(316_224_000_000)))
        #expect(far + longest == far && far + (longest + longest) == far)
        #expect(far - (longest + longest) == Instant(sinceEpoch: .seconds(-316_224_000_000)))
        #expect(far - longest + .zero < at(0))
        #expect(at(1) + lasting(2) == at(3) && at(1) - lasting(2) == at(-1))
    }

    @Test("after an absurd shift, every property and call of a countdown still works", arguments: Situation.allCases)
    func shift(_ situation: Situation) throws {
        let longest = Duration.seconds(Int64.max)
        for shift in [longest + longest, .zero - longest - longest, longest, .zero - longest] {
            var countdown = try situation.made()
            countdown.shift(by: shift)
            countdown.shift(by: shift)
            _ = (countdown.remaining(at: at(0)), countdown.used(at: at(0)), countdown.over(at: at(0)))
            _ = (countdown.mode.description, countdown.shownSeconds(at: at(0)), countdown.elapsed(at: at(0)).inSeconds)
            _ = countdown.advance(to: at(0))
            _ = try? countdown.add(5, at: at(0))
            _ = try? countdown.sync(to: 5, at: Instant(sinceEpoch: shift), now: at(0))
            _ = countdown.setRemaining(longest + longest, at: at(0))
            _ = countdown.setRemaining(.zero - longest - longest, at: at(0))
            _ = countdown.stop(at: at(0))
        }
    }
}
