import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("Another machine's clock")
struct OtherClockTests {
    private func instant(_ milliseconds: Int) -> Instant {
        Instant(sinceEpoch: .milliseconds(milliseconds))
    }

    private func time(_ milliseconds: Int, boot: String = "one") -> BootTime {
        BootTime(boot: boot, now: .milliseconds(milliseconds))
    }

    @Test("is ahead by its time at the midpoint of request and response, with an error of half the round trip")
    func middle() throws {
        var clock = OtherClock()
        #expect(clock.best(at: instant(0)) == nil)
        clock.add(time(5006), askedAt: instant(0), answeredAt: instant(10))
        let best = try #require(clock.best(at: instant(10)))
        #expect(best.offset == .milliseconds(5001))
        #expect(best.error(at: instant(10)) == .milliseconds(5))
        #expect(best.error(at: instant(10_010)) == .milliseconds(6), "100 ppm of 10 s")
    }

    @Test("uses the response with the smallest maximum error, whether that is the fast one or the recent one")
    func least() throws {
        var clock = OtherClock()
        clock.add(time(5001), askedAt: instant(0), answeredAt: instant(2))
        clock.add(time(6014), askedAt: instant(1000), answeredAt: instant(1020))
        #expect(clock.best(at: instant(1020))?.way == .milliseconds(2))
        // The round trip is 18 ms shorter. Half of that, 9 ms, is the drift of 90 s.
        #expect(clock.best(at: instant(80_000))?.way == .milliseconds(2))
        clock.add(time(105_003), askedAt: instant(100_000), answeredAt: instant(100_004))
        #expect(clock.best(at: instant(100_004))?.way == .milliseconds(4))
    }

    @Test("uses the earlier of two responses with the same maximum error")
    func tie() {
        var clock = OtherClock()
        clock.add(time(5001), askedAt: instant(0), answeredAt: instant(2))
        // Half of this round trip is 10 ms. Half of the earlier one is 1 ms, and the drift of 90 s is 9 ms.
        clock.add(time(94_992), askedAt: instant(89_982), answeredAt: instant(90_002))
        #expect(clock.best(at: instant(90_002))?.way == .milliseconds(2))
        #expect(clock.best(at: instant(90_002))?.error(at: instant(90_002)) == .milliseconds(10))
    }

    @Test("remembers sixteen responses", arguments: [(16, 2), (17, 4)])
    func capacity(count: Int, way: Int) {
        var clock = OtherClock()
        // Each round trip is longer than the one before it.
        for number in 1...count {
            let middle = number * 100
            clock.add(time(5000 + middle), askedAt: instant(middle - number), answeredAt: instant(middle + number))
        }
        #expect(clock.best(at: instant(2000))?.way == .milliseconds(way))
    }

    @Test("forgets the samples of another boot, and of a clock that jumped")
    func anew() throws {
        var clock = OtherClock()
        clock.add(time(5001), askedAt: instant(0), answeredAt: instant(2))
        clock.add(time(77, boot: "two"), askedAt: instant(1000), answeredAt: instant(1100))
        #expect(clock.boot == "two")
        #expect(clock.best(at: instant(1100))?.offset == .milliseconds(77 - 1050))
        clock.add(time(9077, boot: "two"), askedAt: instant(2000), answeredAt: instant(2200))
        #expect(clock.best(at: instant(2200))?.offset == .milliseconds(9077 - 2100))
    }

    @Test("drifts by up to the errors of both responses and a millisecond; a larger step is a jump")
    func step() throws {
        for (shift, jumps) in [(4900, false), (5000, false), (5001, true), (5200, true)] {
            var clock = OtherClock()
            clock.add(time(5001), askedAt: instant(0), answeredAt: instant(2))
            // The limit is 5 ms: errors of 1 ms and 2.5 ms, 1 ms of tolerance, and 0.5 ms for 5 s of drift.
            let asked = instant(4997)
            let middle = asked + .microseconds(2500)
            let told = BootTime(boot: "one", now: middle.sinceEpoch + .milliseconds(5000) + .microseconds(shift))
            clock.add(told, askedAt: asked, answeredAt: asked + .milliseconds(5))
            let expected: Duration = jumps ? .milliseconds(5000) + .microseconds(shift) : .milliseconds(5000)
            #expect(clock.best(at: instant(5005))?.offset == expected, "\(shift) µs")
        }
    }
}
