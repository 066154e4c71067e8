import Testing
import TimerClient
import TimerEngine
import TimerProtocol

@testable import WebCore

@Suite("What a stream owes")
struct StreamDebtTests {
    private func at(_ seconds: Double) -> TimerEngine.Instant {
        TimerEngine.Instant(sinceEpoch: .milliseconds(Int(seconds * 1000)))
    }

    @Test("is everything at first, and then what has changed since the last write, however much that was")
    func changes() throws {
        var (story, debt) = (NodeStory(), StreamDebt())
        story.say(.availability, "online")
        let first = debt.take(story.snapshot, at: at(0))
        #expect(first?.everything == true && first?.since == nil)
        let position = story.snapshot.change
        story.say(.availability, "offline")
        story.say(.availability, "online")
        #expect(debt.take(story.snapshot, at: at(1)) == nil, "the first write is on its way")
        debt.wrote()
        let next = debt.take(story.snapshot, at: at(2))
        #expect(next?.everything == false && next?.since == position)
        debt.wrote()
        #expect(debt.take(story.snapshot, at: at(3)) == nil, "nothing is new")
    }

    @Test("is a reader's for ten seconds, and then it is stuck")
    func stuck() {
        var debt = StreamDebt()
        #expect(!debt.isStuck(at: at(100)))
        _ = debt.take(Snapshot(), at: at(100))
        #expect(!debt.isStuck(at: at(109.9)))
        #expect(debt.isStuck(at: at(110)))
        debt.wrote()
        #expect(!debt.isStuck(at: at(200)))
    }

    @Test("are pings and orders for a display too, the newest of each once")
    func others() {
        var debt = StreamDebt()
        _ = debt.take(Snapshot(), at: at(0))
        debt.owePing()
        debt.owePing()
        debt.oweBlackout(true)
        debt.oweBlackout(false)
        debt.oweIdentify()
        debt.oweDisplays()
        #expect(debt.take(Snapshot(), at: at(1)) == nil)
        debt.wrote()
        let payment = debt.take(Snapshot(), at: at(1))
        #expect(
            payment
                == StreamDebt.Payment(
                    everything: false, since: nil, identify: true, blackout: false, displays: true, ping: true))
        debt.wrote()
        #expect(debt.take(Snapshot(), at: at(2)) == nil)
    }

    @Test("is everything anew where the broker is back, and where more nodes went away than are kept")
    func renewal() {
        var (story, debt) = (NodeStory(), StreamDebt())
        story.say(.availability, "online")
        _ = debt.take(story.snapshot, at: at(0))
        debt.wrote()
        story.disconnect()
        let lost = debt.take(story.snapshot, at: at(1))
        #expect(lost?.since != nil && lost?.everything == false)
        debt.wrote()
        story.connect()
        #expect(debt.take(story.snapshot, at: at(2))?.everything == true)
        debt.wrote()
        for number in 0...Snapshot.keptGone {
            story.say(.availability, "online", node: "n\(number)")
            story.say(.availability, "", node: "n\(number)")
        }
        #expect(debt.take(story.snapshot, at: at(3))?.everything == true)
    }
}

@Suite("The places for streams")
struct StreamLimitsTests {
    @Test("are kept for remotes and operators at the end")
    func reserved() {
        var limits = StreamLimits(total: 10, reserved: 3, perAddress: 100)
        for _ in 0..<7 { #expect(limits.take(.viewer, from: "a")) }
        #expect(!limits.take(.viewer, from: "b"))
        for _ in 0..<3 { #expect(limits.take(.remote, from: "b")) }
        #expect(!limits.take(.operator, from: "c"))
        limits.giveBack(from: "a")
        #expect(!limits.take(.viewer, from: "c"), "nine are taken, and of these two are kept")
        #expect(limits.take(.operator, from: "c"))
    }

    @Test("are twenty for each address")
    func perAddress() {
        var limits = StreamLimits()
        for _ in 0..<20 { #expect(limits.take(.viewer, from: "a")) }
        #expect(!limits.take(.operator, from: "a"))
        #expect(limits.take(.viewer, from: "b"))
        limits.giveBack(from: "a")
        #expect(limits.take(.viewer, from: "a"))
    }
}
