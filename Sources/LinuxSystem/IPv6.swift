internal import Glibc

/// Whether this machine has IPv6: a kernel may be built or started without it.
package enum IPv6 {
    package static var isAvailable: Bool {
        let number = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return errno != EAFNOSUPPORT }
        close(number)
        return true
    }
}
