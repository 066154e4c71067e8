internal import Glibc

/// The machine the node runs on.
package enum Host {
    /// The host's name as the system has it; empty where it has none.
    package static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // SAFETY: gethostname writes at most the count it is given; the last byte stays zero.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Tells whether journald reads what this process writes.
package enum Journal {
    /// Whether standard error goes to journald: `JOURNAL_STREAM` names its device and inode then.
    ///
    /// The variable alone does not tell: it is inherited by a process whose output was redirected.
    package static func reads(standardErrorOf environment: [String: String]) -> Bool {
        var information = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe fstat(STDERR_FILENO, &information) == 0 else { return false }
        return environment["JOURNAL_STREAM"] == "\(information.st_dev):\(information.st_ino)"
    }
}

/// The memory of this process.
package enum ProcessMemory {
    /// The bytes that are in memory at present; nil where the kernel does not tell.
    package static var residentBytes: Int? {
        guard let text = try? File.read("/proc/self/statm", upTo: 256) else { return nil }
        // Pages: all that is mapped, then what of it is in memory.
        let fields = text.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return pageSize > 0 ? pages * pageSize : nil
    }
}
