import Foundation

@testable import TimerEngine

typealias ManualClock = TimerEngine.ManualClock

/// Records what an engine's handlers receive, each entry with the second of the clock at which it arrived.
final class Recorder: Sendable {
    private let entries = Monitor<[String]>([])
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    var tick: TimerEngine.TickHandler {
        { engine in self.note("\(engine.currentTime)") }
    }

    var transition: TimerEngine.TransitionHandler {
        { _, from, to in self.note("\(from) → \(to)") }
    }

    func note(_ text: String) {
        let time = clock.now.sinceEpoch.inSeconds
        entries.withLock { $0.append("\(time): \(text)") }
    }

    /// Removes and returns the entries recorded since the last call.
    func take() -> [String] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

/// Waits for a condition, for at most half a minute.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if condition() { return true }
        usleep(2000)
    }
    return condition()
}

/// Returns whether a body returns within half a minute. If it does not, its thread is left behind.
func returns(_ body: @escaping @Sendable () -> Void) -> Bool {
    let hasReturned = Shared(false)
    Thread.detachNewThread {
        body()
        hasReturned.change { $0 = true }
    }
    return eventually { hasReturned.value }
}

/// A value that several threads read and write.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Monitor<Value>

    init(_ value: Value) { mutex = Monitor(value) }

    var value: Value { mutex.withLock(\.self) }

    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { mutex.withLock { body(&$0) } }
}

/// An engine on a manual clock, with a recorder for its events.
struct Bench {
    let clock = ManualClock()
    let recorder: Recorder
    let engine: TimerEngine

    init(_ start: Int, _ warning: Int = 0, _ final: Int = 0) {
        recorder = Recorder(clock)
        engine = TimerEngine(
            startingTimeInSeconds: start, warningTimeInSeconds: warning, finalTimeInSeconds: final,
            transitionHandler: recorder.transition, clock: clock, tickHandler: recorder.tick)
    }

    func advance(_ seconds: Double) { clock.advance(by: lasting(seconds)) }
}
