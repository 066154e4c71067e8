internal import Glibc
internal import Synchronization

extension TimerEngine {
    /// Wakes from a thread, which is there while a call is to come.
    ///
    /// The signal tells the thread that the call to come is another one. Where it is raised without need, the thread looks
    /// once more and goes on waiting.
    final class ThreadWaker: Waker {
        private struct Call {
            let instant: Instant
            let body: @Sendable () -> Void
        }

        private struct State {
            var call: Call?
            var hasThread = false
        }

        private let state = Mutex(State())
        private let changed = Signal()

        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) {
            let (hadThread, replaced) = replaceCall(with: Call(instant: instant, body: body))
            withExtendedLifetime(replaced) {
                if hadThread { changed.raise() } else { startThread() }
            }
        }

        func cancel() {
            let (hadThread, replaced) = replaceCall(with: nil)
            withExtendedLifetime(replaced) {
                if hadThread { changed.raise() }
            }
        }

        /// Puts a call in the place of another, which is given back so that it is dropped outside the lock.
        private func replaceCall(with call: Call?) -> (hadThread: Bool, replaced: Call?) {
            state.withLock { state in
                defer {
                    state.call = call
                    if call != nil { state.hasThread = true }
                }
                return (state.hasThread, state.call)
            }
        }

        private enum Step {
            case call(Call)
            case wait(until: Instant)
            case leave
        }

        private func nextStep() -> Step {
            state.withLock { state in
                guard let call = state.call else {
                    state.hasThread = false
                    return .leave
                }
                guard call.instant <= SystemClock().now else { return .wait(until: call.instant) }
                state.call = nil
                return .call(call)
            }
        }

        private func run() {
            while true {
                switch nextStep() {
                case .call(let call): call.body()
                case .wait(let instant): changed.wait(for: SystemClock().now.duration(to: instant))
                case .leave: return
                }
            }
        }

        private func startThread() {
            var thread = pthread_t()
            // SAFETY: the thread takes over the reference that is retained here, and nobody else releases it.
            let argument = unsafe Unmanaged.passRetained(self).toOpaque()
            let fault = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    unsafe Unmanaged<ThreadWaker>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, argument)
            // Without a thread the timer would stand still and say nothing.
            precondition(fault == 0, "no thread for a running timer: error \(fault)")
            pthread_detach(thread)
        }
    }
}
