internal import Glibc

/// The machine that the node runs on.
package enum Host {
    /// The host name; empty if the system reports none.
    package static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // SAFETY: gethostname writes at most `count - 1` bytes; the last byte stays zero.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(characters: buffer.prefix { $0 != 0 })
    }
}

/// SIGPIPE, which the kernel sends to a process that writes to a pipe or socket whose reader is gone.
package enum BrokenPipe {
    /// Ignores the signal, so that the write fails with EPIPE and the process goes on. The program calls this once, before
    /// it connects to anything.
    package static func ignore() { signal(SIGPIPE, SIG_IGN) }
}

/// Detects whether this process logs to journald.
package enum Journal {
    /// Whether standard error goes to journald: `JOURNAL_STREAM` then holds its device and inode numbers.
    ///
    /// The variable alone proves nothing: a process inherits it even if its output was redirected.
    package static func reads(standardErrorOf environment: [String: String]) -> Bool {
        var information = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe fstat(STDERR_FILENO, &information) == 0 else { return false }
        return environment["JOURNAL_STREAM"] == "\(information.st_dev):\(information.st_ino)"
    }
}

/// The memory use of this process.
package enum ProcessMemory {
    /// The resident bytes; nil if the kernel does not report them.
    package static var residentBytes: Int? {
        guard let text = try? File.read("/proc/self/statm", upTo: 256) else { return nil }
        // In pages: the mapped size, then the resident size.
        let fields = text.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return pageSize > 0 ? pages * pageSize : nil
    }
}
