internal import Testing
internal import TimerEngine
internal import WebCore

@Suite("How often somebody may send something")
struct RateLimitTests {
    private let start = TimerEngine.Instant(sinceEpoch: .seconds(1))

    @Test(
        "is a burst, and then as often as time allows, for each sender",
        arguments: [RateLimit.commands, .requests])
    func burst(rate: RateLimit) {
        var rate = rate
        let first = (0..<1000).count { _ in rate.take("a", at: start) }
        #expect(first == Int(rate.burst))
        let other = rate.take("b", at: start)
        #expect(other)
        let later = (0..<1000).count { _ in rate.take("a", at: start + .seconds(1)) }
        #expect(later == Int(rate.perSecond))
    }

    @Test("is ten commands a second")
    func commands() {
        #expect(RateLimit.commands.burst == 10)
        #expect(RateLimit.commands.perSecond == 10)
    }

    @Test("stays bounded however many senders there are, and lets nobody in for it")
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
