import FoundationEssentials
import Glibc

/// What this process asks of the kernel, as strace sees it.
enum SystemCallTrace {
    /// Runs a body and returns strace's lines for the `ioctl` calls that it made.
    static func ioctls(during body: () throws -> Void) throws -> [String] {
        // The guest's own memory, not a file of the host.
        let file = "/dev/shm/trace"
        let strace = try ChildProcess(
            shell: "exec strace -f -qq -v -e trace=ioctl -e signal=none -o \(file) -p \(getpid())")
        // It has begun when it traces the thread that makes the calls.
        while try tracer() != strace.pid {
            guard strace.exitStatus() == nil else { throw TestFailure("strace ended: \(strace.errors)") }
            sched_yield()
        }
        try body()
        try strace.terminate(by: SIGINT)
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The process that traces this thread; 0 for none.
    private static func tracer() throws -> pid_t? {
        let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
        return line?.split(separator: "\t").last.flatMap { pid_t($0) }
    }
}
