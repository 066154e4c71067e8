internal import Glibc

/// How many descriptors this process may have.
package enum DescriptorLimit {
    /// Raises the limit to what the system allows this process at most, so that it does not run out of them with as many
    /// connections as a server has. Where that is refused, the limit stays.
    package static func raise() {
        var limit = rlimit()
        // SAFETY: the calls fill or read the struct and keep no pointer.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
