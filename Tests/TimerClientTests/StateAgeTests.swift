import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@testable import TimerClient
@testable import TimerProtocol

@Suite("How old a state is")
struct StateAgeTests {
    private let start = Instant(sinceEpoch: .seconds(1000))
    private let state: StateMessage

    init() throws {
        // 41.37 s are left.
        let payload = try #require(try Page("docs/topics.md").examples("### State").first)
        state = try StateMessage(Array(payload.utf8))
    }

    private func moment(_ instant: Instant) -> NodeClient.Moment {
        NodeClient.Moment(instant: instant, date: state.date)
    }

    @Test("follows a tick that came late by a millisecond at most, and one that came early at once")
    func step() {
        var age = StateAge()
        age.receive(state, after: nil, retained: false, at: moment(start))
        #expect(age.madeAt == start && !age.isEstimate)
        let second = start + .milliseconds(1370)
        age.tick(40, state, at: second + .milliseconds(300))
        #expect(age.madeAt == start + .milliseconds(1))
        age.tick(39, state, at: second + .seconds(1) + .microseconds(1500))
        #expect(age.madeAt == start + .microseconds(1500), "less than that at once")
        age.tick(38, state, at: second + .seconds(2) - .milliseconds(80))
        #expect(age.madeAt == start - .milliseconds(80))
    }

    @Test("is not below nothing, though somebody tells a second that is still to come")
    func future() {
        for isRetained in [true, false] {
            var age = StateAge()
            age.receive(state, after: nil, retained: isRetained, at: moment(start))
            age.tick(50, state, at: start)
            #expect(age.madeAt == start)
        }
    }
}
