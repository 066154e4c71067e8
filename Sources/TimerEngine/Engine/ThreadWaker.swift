internal import Glibc

extension TimerEngine {
    /// Wakes from a thread, which is there while a call is to come.
    final class ThreadWaker: Waker {
        private struct Call {
            let instant: Instant
            let body: @Sendable () -> Void
        }

        private struct State {
            var call: Call?
            var hasThread = false
        }

        private let state = Monitor(State())

        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) {
            replaceCall(with: Call(instant: instant, body: body))
        }

        func cancel() {
            replaceCall(with: nil)
        }

        private func replaceCall(with call: Call?) {
            let (hadThread, replaced) = state.withLock { state in
                defer {
                    state.call = call
                    if call != nil { state.hasThread = true }
                }
                return (state.hasThread, state.call)
            }
            if hadThread { state.signal() } else if call != nil { startThread() }
            withExtendedLifetime(replaced) {}  // Dropped outside the lock: an engine may go with it.
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
                case .wait(let instant):
                    state.wait(for: SystemClock().now.duration(to: instant)) { $0.call?.instant != instant }
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
