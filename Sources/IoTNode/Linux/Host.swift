internal import Glibc

/// The machine the node runs on.
public enum Host {
    /// The host's name as the system has it; empty where it has none.
    public static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // SAFETY: gethostname writes at most the count it is given; the last byte stays zero.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
