import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("Requests for a node's time")
struct TimeRequestsTests {
    private func instant(_ seconds: Double) -> Instant {
        Instant(sinceEpoch: .seconds(seconds))
    }

    /// Sends one more request at each of these times.
    private func ask(_ requests: inout TimeRequests, at times: Double...) throws -> [String] {
        try times.map { time in
            requests.ask(1, at: instant(time))
            let id = requests.consumeDue(at: instant(time), isCounting: false)
            return try #require(id)
        }
    }

    @Test("are recognised by their ids for 10 s, and only once")
    func answered() throws {
        var requests = TimeRequests(name: "guest", seed: 1)
        let ids = try ask(&requests, at: 0, 9.9)
        #expect(ids.allSatisfy { $0.hasPrefix("guest-time-") } && Set(ids).count == 2)
        #expect(requests.answered("guest-time-x") == nil)
        #expect(requests.answered(ids[0]) == instant(0))
        #expect(requests.answered(ids[0]) == nil)
        #expect(requests.answered(ids[1]) == instant(9.9))
    }

    @Test("that no node answers are not kept forever")
    func forgotten() throws {
        var requests = TimeRequests(name: "guest", seed: 1)
        let ids = try ask(&requests, at: 0, 5, 10)
        #expect(requests.answered(ids[0]) == nil)
        #expect(requests.answered(ids[1]) == instant(5))
    }

    @Test("of an earlier connection are no longer awaited")
    func reset() throws {
        var requests = TimeRequests(name: "guest", seed: 1)
        let ids = try ask(&requests, at: 0)
        requests.ask(5, at: instant(1))
        requests.reset()
        #expect(requests.answered(ids[0]) == nil && !requests.isAsking)
    }
}

@Suite("A small random number generator")
struct SplitMix64Tests {
    @Test("has the sequence that is published for a seed")
    func sequence() {
        var random = SplitMix64(state: 1_234_567)
        let published: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        for number in published {
            let next = random.next()
            #expect(next == number)
        }
    }
}
