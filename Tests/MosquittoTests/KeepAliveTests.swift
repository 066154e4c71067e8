import Testing
import TimerEngine

@testable import Mosquitto

@Suite struct KeepAliveTests {
    private static func second(_ number: Int) -> TimerEngine.Instant {
        TimerEngine.Instant(sinceEpoch: .seconds(number))
    }

    @Test("silence in either direction brings the deadline, a second after the keep-alive")
    func either() {
        var keepAlive = KeepAlive(seconds: 15, at: Self.second(100))
        #expect(keepAlive.deadline == Self.second(116))
        keepAlive.recordReceived(at: Self.second(110))
        #expect(keepAlive.deadline == Self.second(116))
        keepAlive.recordSent(at: Self.second(105))
        #expect(keepAlive.deadline == Self.second(121))
        keepAlive.recordSent(at: Self.second(112))
        #expect(keepAlive.deadline == Self.second(126))
    }

    @Test("after a look it counts anew")
    func anew() {
        var keepAlive = KeepAlive(seconds: 5, at: Self.second(0))
        keepAlive.recordSent(at: Self.second(3))
        keepAlive.restart(at: Self.second(6))
        #expect(keepAlive.deadline == Self.second(12))
    }

    @Test("no keep-alive means no deadline, unless the broker imposes one")
    func none() {
        var keepAlive = KeepAlive(seconds: 0, at: Self.second(0))
        #expect(keepAlive.deadline == nil)
        keepAlive.period = .seconds(30)
        #expect(keepAlive.deadline == Self.second(31))
    }
}
