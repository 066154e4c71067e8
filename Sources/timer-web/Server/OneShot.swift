internal import Synchronization

/// A value that somebody waits for, and that comes once. Whoever waits resumes exactly once, whether it came before or
/// comes later; a second value is ignored.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case resumed(Value)
        case done
    }

    private let state = Mutex(State.empty)

    /// The value; only one may wait for it.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    guard case .resumed(let value) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .done
                    return value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    /// Gives the value to whoever waits, or will wait.
    func resume(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .resumed(value)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .resumed, .done: return nil
            }
        }
        continuation?.resume(returning: value)
    }
}
