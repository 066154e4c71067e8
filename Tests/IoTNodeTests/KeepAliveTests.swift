import BrokerLink
import Testing
import TimerEngine

@Suite struct KeepAliveTests {
    private static func second(_ number: Double) -> Instant {
        Instant(sinceEpoch: .seconds(number))
    }

    @Test("PINGREQ is due if nothing has been sent until a second after the keep-alive")
    func own() {
        var keepAlive = KeepAlive(seconds: 15, at: Self.second(100))
        #expect(keepAlive.pingDeadline == Self.second(116))
        keepAlive.recordReceived(at: Self.second(110))
        #expect(keepAlive.pingDeadline == Self.second(116), "the broker still needs packets")
        keepAlive.recordSent(at: Self.second(112))
        #expect(keepAlive.pingDeadline == Self.second(128))
    }

    @Test(
        "a silent broker is probed before the keep-alive ends, and counts as lost a second after it",
        arguments: [(5, 2.5), (8, 4), (15, 11), (60, 56)])
    func silence(seconds: Int, askAfter: Double) {
        var keepAlive = KeepAlive(seconds: seconds, at: Self.second(0))
        keepAlive.recordReceived(at: Self.second(100))
        keepAlive.recordSent(at: Self.second(101))
        #expect(keepAlive.lossDeadline == nil, "a broker that was not probed is not lost")
        #expect(keepAlive.probeDeadline == Self.second(100 + askAfter))
        #expect(keepAlive.nextInstant == Self.second(100 + askAfter))
        keepAlive.recordAsked(at: Self.second(100 + askAfter))
        #expect(keepAlive.probeDeadline == nil, "once")
        #expect(keepAlive.lossDeadline == Self.second(Double(100 + seconds + 1)))
        keepAlive.recordReceived(at: Self.second(104))
        #expect(keepAlive.lossDeadline == nil)
        #expect(keepAlive.probeDeadline == Self.second(104 + askAfter))
    }

    @Test("a broker that is probed late, because the process was stopped, still has time to respond")
    func late() {
        var keepAlive = KeepAlive(seconds: 5, at: Self.second(0))
        keepAlive.recordAsked(at: Self.second(30))
        #expect(keepAlive.lossDeadline == Self.second(32))
    }

    @Test("no keep-alive means no deadline, unless the broker imposes one")
    func none() {
        var keepAlive = KeepAlive(seconds: 0, at: Self.second(0))
        #expect(keepAlive.nextInstant == nil)
        keepAlive.period = .seconds(30)
        #expect(keepAlive.pingDeadline == Self.second(31))
        #expect(keepAlive.nextInstant == Self.second(26))
    }
}
