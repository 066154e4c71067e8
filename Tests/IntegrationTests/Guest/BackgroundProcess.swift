import FoundationEssentials
import Glibc

/// A process that runs beside a test; killed with its last reference.
final class BackgroundProcess {
    /// Its process id.
    let id: pid_t
    /// The exit status once it has ended; 128 and the signal's number where a signal ended it.
    private(set) var status: Int32?

    /// Starts a shell command line, whose last command should be an `exec`, so that signals reach it.
    ///
    /// - Parameters:
    ///   - commandLine: as in `sh -c`; its input is empty.
    ///   - output: the descriptor for both output streams; nil for those of this process.
    /// - Throws: a shell that could not be started.
    init(_ commandLine: String, output: Int32? = nil) throws(Shell.Failure) {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The threads that tests run on block most signals, and a child inherits that.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for stream in [1, 2] as [Int32] {
            unsafe posix_spawn_file_actions_adddup2(&actions, output ?? stream, stream)
        }

        let arguments = ["sh", "-c", commandLine]
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var id: pid_t = 0
        let error = unsafe posix_spawn(&id, "/bin/sh", &actions, &attributes, &words, environ)
        guard error == 0 else { throw Shell.Failure(code: error) }
        self.id = id
    }

    deinit {
        if status == nil { stop(SIGKILL) }
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    func stop(_ signal: Int32) -> Int32 {
        if status == nil { kill(id, signal) }
        return wait()
    }

    /// Waits for the end and tells the status.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var ending: Int32 = 0
        while unsafe waitpid(id, &ending, 0) < 0 && errno == EINTR {}
        let signal = ending & 0x7f
        let status = signal == 0 ? (ending >> 8) & 0xff : 128 + signal
        self.status = status
        return status
    }

    /// Tells whether it has a file open.
    func hasOpen(_ path: String) throws -> Bool {
        let folder = "/proc/\(id)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") == path
        }
    }
}
