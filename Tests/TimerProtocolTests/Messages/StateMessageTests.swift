import FoundationEssentials
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("A state")
struct StateMessageTests {
    /// A stopped node, at 100 s on the clock of its boot.
    private let state: StateMessage = {
        var state = StateMessage()
        state.remaining = 60
        state.clock.now = BootTime(boot: "one", now: .seconds(100))
        return state
    }()

    @Test(
        "is outdated if a response shows another mode or other seconds, later in the same boot",
        arguments: [
            (.countdown, 60, "one", 101, true), (.stopped, 59, "one", 101, true),
            (.stopped, 60, "one", 101, false), (.countdown, 60, "one", 100, false), (.countdown, 60, "one", 99, false),
            (.countdown, 60, "two", 101, false),
        ] as [(ModeName, Int, String, Int, Bool)])
    func outdated(mode: ModeName, remaining: Int, boot: String, seconds: Int, isOutdated: Bool) {
        let time = BootTime(boot: boot, now: .seconds(seconds))
        let response = Response(
            id: "1", command: "time", outcome: .ok(mode: mode, remaining: remaining),
            details: .time(Date(timeIntervalSince1970: 0), time))
        #expect(state.isOutdated(by: response) == isOutdated)
    }

    @Test("is not outdated by a refusal, or by a response without a time")
    func current() {
        let refusal = Response(id: "1", command: "time", outcome: .error(Refusal(.notFound, "no such command")))
        let response = Response(id: "1", command: "stop", outcome: .ok(mode: .countdown, remaining: 59))
        #expect(!state.isOutdated(by: refusal) && !state.isOutdated(by: response))
    }

    @Test("has an entry that is the only one of its running order, unless its number and count are set")
    func entry() {
        let entry = StateMessage.Entry()
        #expect(entry.number == 1 && entry.count == 1)
    }
}
