internal import Glibc

/// How many descriptors this process may have.
package enum DescriptorLimit {
    /// Raises the limit to what the system allows this process at most, so that it does not run out of them with as many
    /// connections as a server has. Where that is refused, the limit stays.
    package static func raise() {
        guard var limit = read() else { return }
        limit.rlim_cur = limit.rlim_max
        // SAFETY: the call reads the struct and keeps no pointer.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The limit at present; where the system does not tell it, the one that it begins with.
    package static var current: Int { read().map { Int(clamping: $0.rlim_cur) } ?? 1024 }

    /// How many descriptors this process has; 0 where the system does not tell it.
    package static var used: Int {
        // SAFETY: each entry is valid until the next call, and nothing is kept of it.
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without the folder's own, and the entries of the folder itself and the one above it.
        return max(0, count - 3)
    }

    private static func read() -> rlimit? {
        var limit = rlimit()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}
