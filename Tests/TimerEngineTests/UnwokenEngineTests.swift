import FoundationEssentials
import Testing

@testable import TimerEngine

/// A clock that wakes no engine, like one whose thread is waiting for a processor.
private final class LateClock: TimerEngine.Clock {
    private let seconds = Shared(0)

    var now: Instant { Instant(sinceEpoch: .seconds(seconds.value)) }
    var date: Date { Date(timeIntervalSinceReferenceDate: Double(seconds.value)) }

    func advance(by passed: Int) { seconds.change { $0 += passed } }
    func makeWaker() -> any TimerEngine.Waker { NoWaker() }

    private final class NoWaker: TimerEngine.Waker {
        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) {}
        func cancel() {}
    }
}

@Suite("An engine that was not woken in time")
struct UnwokenEngineTests {
    @Test("returns current values")
    func engine() {
        let clock = LateClock()
        let engine = TimerEngine(
            startingTimeInSeconds: 10, warningTimeInSeconds: 5, startImmediately: true, clock: clock)
        clock.advance(by: 6)
        #expect(engine.mode == .warning && engine.currentTime == 4)
        clock.advance(by: 6)
        #expect(engine.mode == .alarm && engine.alarmedSince == at(10) && engine.zero == nil)
        #expect(engine.over == .seconds(2) && engine.used == .seconds(12))
    }

    @Test("returns the timer of the sequence that is running now")
    func player() throws {
        let clock = LateClock()
        let timers = try [times(10), times(20)].map { TimerItem(thresholds: $0) }
        let player = PlayerEngine(try TimerModel(groups: [TimerGroup(timers: timers)]), clock: clock)
        try player.start()
        clock.advance(by: 12)
        #expect(player.model.selected == TimerPath(group: 0, item: 1))
        #expect(player.currentTime == 18 && player.used == .seconds(2))
    }
}
