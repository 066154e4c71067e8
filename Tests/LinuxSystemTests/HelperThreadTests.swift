import Foundation
import Synchronization
import Testing

@testable import LinuxSystem
@testable import TimerProtocol

@Suite("A helper thread")
struct HelperThreadTests {
    /// A thread's report about its signals and stack.
    private final class Report: Sendable {
        let blocked = Mutex<Set<Int32>?>(nil)
        let hasStack = Mutex(false)
    }

    @Test("leaves all signals to the thread that waits for them, except those raised by its own faults")
    func signals() throws {
        let report = Report()
        try HelperThread.start {
            var mask = sigset_t()
            var stack = unsafe stack_t()
            // SAFETY: the calls fill the structs and keep no pointer.
            unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
            let isThere = unsafe sigaltstack(nil, &stack) == 0
            // SS_DISABLE means that there is no alternate stack.
            let isUsable = unsafe stack.ss_flags & 2 == 0
            report.hasStack.withLock { $0 = isThere && isUsable }
            let blocked = (1...31).filter { unsafe sigismember(&mask, $0) == 1 }
            report.blocked.withLock { $0 = Set(blocked) }
        }
        let end = ContinuousClock.now + .seconds(30)
        while report.blocked.withLock({ $0 }) == nil, ContinuousClock.now < end { usleep(1000) }
        let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]
        // SIGKILL and SIGSTOP cannot be blocked.
        #expect(report.blocked.withLock { $0 } == Set(1...31).subtracting(faults + [SIGKILL, SIGSTOP]))
        #expect(report.hasStack.withLock { $0 }, "for a signal handler when the thread's own stack is used up")
    }
}
