import FoundationEssentials
import Glibc

/// The system calls of this process, as strace reports them.
enum SystemCallTrace {
    /// Runs a closure and returns strace's lines for the `ioctl` calls that the closure made.
    static func ioctls(during body: () throws -> Void) throws -> [String] {
        // The file is in the guest's memory, not on the host.
        let file = "/dev/shm/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let strace = try ChildProcess(
            shell: "exec strace -f -qq -v -e trace=ioctl -e signal=none -o \(file) -p \(getpid())")
        let calls = {
            // strace writes out each line at once.
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        // strace has begun once it shows a call from this thread.
        try waitUntil("strace") {
            guard strace.exitStatus() == nil else { throw TestFailure("strace ended: \(strace.errors)") }
            _ = isatty(STDIN_FILENO)
            guard FileManager.default.fileExists(atPath: file) else { return false }
            return try calls().contains { $0.contains(mark) }
        }
        try body()
        try strace.terminate(by: SIGINT)
        return try calls().filter { !$0.contains(mark) }
    }

    /// The request that `isatty` makes.
    private static let mark = "TCGETS"
}
