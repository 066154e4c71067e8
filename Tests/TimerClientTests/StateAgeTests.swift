import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@testable import TimerClient
@testable import TimerProtocol

@Suite("The age of a state")
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

    @Test("follows a late tick by at most a millisecond, and an early one at once")
    func step() {
        var age = StateAge()
        age.receive(state, after: nil, retained: false, at: moment(start))
        #expect(age.madeAt == start && !age.isEstimate)
        let second = start + .milliseconds(1370)
        age.tick(40, state, at: second + .milliseconds(300))
        #expect(age.madeAt == start + .milliseconds(1))
        age.tick(39, state, at: second + .seconds(1) + .microseconds(1500))
        #expect(age.madeAt == start + .microseconds(1500), "a smaller delay at once")
        age.tick(38, state, at: second + .seconds(2) - .milliseconds(80))
        #expect(age.madeAt == start - .milliseconds(80))
    }

    @Test("is an estimate until a tick, and then follows a late one by at most a millisecond")
    func estimate() {
        var age = StateAge()
        age.receive(state, after: nil, retained: true, at: moment(start))
        #expect(age.madeAt == start && age.isEstimate)
        let second = start + .milliseconds(1370)
        age.tick(40, state, at: second + .milliseconds(200))
        #expect(age.madeAt == start + .milliseconds(200) && !age.isEstimate)
        age.tick(39, state, at: second + .seconds(1) + .milliseconds(300))
        #expect(age.madeAt == start + .milliseconds(201))
    }

    @Test("is not negative, even after a tick of a future second")
    func future() {
        for isRetained in [true, false] {
            var age = StateAge()
            age.receive(state, after: nil, retained: isRetained, at: moment(start))
            age.tick(50, state, at: start)
            #expect(age.madeAt == start)
        }
    }
}
