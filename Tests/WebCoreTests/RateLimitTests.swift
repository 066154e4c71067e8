import BrokerLink
internal import Testing
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

@Suite("The limit for a sender")
struct RateLimitTests {
    private let start = Instant(sinceEpoch: .seconds(1))

    @Test(
        "is a burst, followed by a steady rate, for each sender",
        arguments: [RateLimit.commands, .networkCommands, .requests])
    func burst(rate: RateLimit) {
        var rate = rate
        let first = (0..<1000).count { _ in rate.take("a", at: start) }
        #expect(first == Int(rate.limit.burst))
        let other = rate.take("b", at: start)
        #expect(other)
        let later = (0..<1000).count { _ in rate.take("a", at: start + .seconds(1)) }
        #expect(later == Int(rate.limit.rate))
    }

    @Test("is ten commands a second")
    func commands() {
        #expect(RateLimit.commands.limit.burst == 10)
        #expect(RateLimit.commands.limit.rate == 10)
    }

    @Test("is thirty commands a second for a network, whatever sessions it has; its tokens have their own")
    func network() {
        var limits = CommandLimits()
        func somebody(_ grant: Identity.Grant?) -> Identity { Identity(role: .operator, grant: grant) }
        func session(_ number: Int) -> Identity {
            somebody(.session(SessionTicket(role: .operator, expires: 0, generation: 1, id: "\(number)")))
        }
        func count(from network: String, at now: Instant) -> Int {
            (0..<30).reduce(0) { sum, number in
                sum + (0..<20).count { _ in limits.take(session(number), from: network, at: now) }
            }
        }
        #expect(count(from: "192.0.2.1", at: start) == 30)
        let nobody = limits.take(nil, from: "192.0.2.1", at: start)
        #expect(!nobody)
        let token = (0..<20).count { _ in
            limits.take(somebody(.tokens(hashes: ["a"])), from: "192.0.2.1", at: start)
        }
        #expect(token == 10)
        #expect(count(from: "192.0.2.1", at: start + .seconds(1)) == 30)
        // Other clients are not affected. A client without credentials is identified by its network.
        let others = (0..<20).count { _ in limits.take(nil, from: "192.0.2.2", at: start + .seconds(1)) }
        #expect(others == 10)
    }

    @Test("remembers a bounded number of senders, and admits no new ones while it is full")
    func bounded() {
        var rate = RateLimit.commands
        let allowed = (0..<5000).count { rate.take("\($0)", at: start) }
        #expect(allowed == 4096)
        let another = rate.take("new", at: start + .milliseconds(50))
        #expect(!another)
        let later = rate.take("new", at: start + .seconds(2))
        #expect(later)
    }
}
