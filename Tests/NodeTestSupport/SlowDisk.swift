package import TimerEngine

@testable package import IoTNode
@testable import TimerProtocol

/// A disk that takes its time, and what waits for it: one piece of work after another, and of saves the newest alone.
package struct SlowDisk {
    /// How long each piece takes; with nothing it is done at once.
    package var time: Duration = .zero
    /// What is under way, and what waits behind it.
    private var work: [NodeEffect] = []
    /// When what is under way is done.
    package private(set) var doneAt: TimerEngine.Instant?

    /// Has something done.
    package mutating func add(_ effect: NodeEffect, at now: TimerEngine.Instant) {
        if case .save = effect, case .save? = work.dropFirst().last { work.removeLast() }
        work.append(effect)
        doneAt = doneAt ?? now + time
    }

    /// What is done by now.
    package mutating func take(at now: TimerEngine.Instant) -> NodeEffect? {
        guard let doneAt, doneAt <= now else { return nil }
        self.doneAt = work.count > 1 ? now + time : nil
        return work.removeFirst()
    }
}
