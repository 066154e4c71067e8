import FoundationEssentials
import Testing

@testable import TimerEngine

@Suite("A player that mirrors another one")
struct MirroringTests {
    private let id = UUID()

    private func mirror(
        _ position: Countdown.Position, then: Instant = at(100), oneOff: TimerPlayer.OneOff? = nil,
        reserve: Duration? = nil
    ) throws -> TimerPlayer {
        let model = try TimerModel(groups: [TimerGroup(timers: [TimerItem(id: id, thresholds: times(60, 20, 10))])])
        return TimerPlayer(
            mirroring: model, at: position, oneOff: oneOff, lastRun: nil, used: nil, reserve: reserve, then: then)
    }

    @Test("is at the second that the other player showed, which is not ticked again")
    func second() throws {
        var player = try mirror(.running(zero: at(125.5)))
        #expect(player.countdown.ticked == 26)
        #expect(player.nextInstant == at(100.5))
        #expect(player.advance(to: at(100.4)) == [])
        #expect(player.advance(to: at(100.5)).lines == ["100.5: 25"])
        #expect(player.countdown.used(at: at(100.5)) == .seconds(35))
    }

    @Test("raises the alarm if zero was due just before", arguments: [99.5, 100])
    func due(zero: Double) throws {
        var player = try mirror(.running(zero: at(zero)))
        #expect(player.advance(to: at(100)).lines == ["\(zero): 0", "\(zero): final → alarm"])
        #expect(player.countdown.alarmedSince == at(zero))
    }

    @Test("shows what is left in the other player's account while it is stopped")
    func reserve() throws {
        let player = try mirror(.stopped, reserve: .seconds(25))
        #expect(player.countdown.remaining(at: at(100)) == .seconds(25))
    }

    @Test("shows the same as another player if the timer, the mode and the second are the same")
    func same() throws {
        let player = try mirror(.running(zero: at(150.5)))
        #expect(player.shows(theSameAs: try mirror(.running(zero: at(150.1)))))
        #expect(!player.shows(theSameAs: try mirror(.running(zero: at(149.9)))), "a different second")
        #expect(!player.shows(theSameAs: try mirror(.running(zero: at(115.5)))), "a different mode")
        #expect(try mirror(.alarm(since: at(90))).shows(theSameAs: mirror(.alarm(since: at(80)))))
    }
}
