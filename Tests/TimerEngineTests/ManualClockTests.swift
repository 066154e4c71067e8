import Testing
import TimerEngine

@Suite("The manual clock")
struct ManualClockTests {
    @Test("wakes engines due at the same instant in the order of their requests, every second")
    func ties() {
        let clock = ManualClock()
        let order = Shared<[Int]>([])
        let engines = (0..<20).map { number in
            TimerEngine(startingTimeInSeconds: 9, clock: clock) { _ in order.change { $0.append(number) } }
        }
        let shuffled = [7, 3, 19, 0, 11, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18]
        for number in shuffled { engines[number].start() }
        #expect(order.value == shuffled)
        for _ in 0..<3 {
            order.change { $0 = [] }
            clock.advance(by: .seconds(1))
            #expect(order.value == shuffled)
        }

        // An edit does not schedule a new call; resuming after a pause does.
        engines[3].warningTimeInSeconds = 2
        engines[7].pause()
        engines[7].resume()
        order.change { $0 = [] }
        clock.advance(by: .seconds(1))
        #expect(order.value == Array(shuffled.dropFirst()) + [7])
    }

    @Test("makes calls whose wakers have been released, and does not confuse them")
    func wakers() throws {
        let clock = ManualClock()
        let calls = Shared<[String]>([])
        for name in ["a", "b", "c"] {
            try clock.makeWaker().wake(at: at(1)) { calls.change { $0.append(name) } }
        }
        clock.advance(by: .seconds(1))
        #expect(calls.value == ["a", "b", "c"])
        #expect(!clock.isAwaited)
    }
}
