internal import CLinux
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

/// SIGPIPE: the kernel sends it to a process that writes to a pipe or socket whose reader is gone.
package enum BrokenPipe {
    /// Ignores the signal, so the write fails with EPIPE and the process continues. The program calls this once, before
    /// it connects to anything.
    package static func ignore() { signal(SIGPIPE, SIG_IGN) }
}

/// Detects whether this process logs to journald.
package enum Journal {
    /// Whether standard error goes to journald: `JOURNAL_STREAM` then holds its device and inode numbers.
    ///
    /// The variable is not enough: a process inherits it even if its output was redirected.
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

/// Threads for blocking work: each owns its work and ends with it.
package enum HelperThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body on a new thread, which receives no signals except those raised by its own faults.
    ///
    /// - Throws: ``SystemError`` if no thread can be created.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // SAFETY: the thread takes ownership of the reference, which keeps the body alive; if the thread could not
        // start, the reference is released here.
        let retained = unsafe Unmanaged.passRetained(Body(body))
        let code = unsafe clinux_start_thread(
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard code == 0 else {
            unsafe retained.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }
}

/// The limit on the number of descriptors of this process.
package enum DescriptorLimit {
    /// Raises the limit to the maximum that the system allows, because a server with many connections could run out of
    /// descriptors. If the system refuses, the limit stays as it is.
    package static func raise() {
        guard var limit = read() else { return }
        limit.rlim_cur = limit.rlim_max
        // SAFETY: the call reads the struct and keeps no pointer.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The current limit; the usual default of 1024 if the system does not report it.
    package static var current: Int { read().map { Int(clamping: $0.rlim_cur) } ?? 1024 }

    /// The number of open descriptors of this process; 0 if the system does not report it.
    package static var used: Int {
        // SAFETY: each entry is valid until the next call, and no pointer to it is kept.
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Excludes the folder's own descriptor, and the entries `.` and `..`.
        return max(0, count - 3)
    }

    private static func read() -> rlimit? {
        var limit = rlimit()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}

/// The IPv6 support of this machine: a kernel may be built or started without it, and a network may lack it, such as a
/// container's.
package enum IPv6 {
    /// Whether the kernel lacks IPv6, or it is disabled on all interfaces.
    package static var isDisabled: Bool {
        let number = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return errno == EAFNOSUPPORT }
        close(number)
        let setting = try? File.read("/proc/sys/net/ipv6/conf/all/disable_ipv6", upTo: 16)
        return setting?.first == UInt8(ascii: "1")
    }

    /// Whether the C library resolves `::`. It refuses to while only IPv4 addresses are configured.
    package static var isConfigured: Bool {
        var found: UnsafeMutablePointer<addrinfo>?
        // SAFETY: the call reads the string and sets the pointer, whose list is freed if there is one.
        guard unsafe getaddrinfo("::", nil, nil, &found) == 0 else { return false }
        unsafe freeaddrinfo(found)
        return true
    }
}
