internal import Glibc

/// The memory of this process.
public enum ProcessMemory {
    /// The bytes that are in memory at present; nil where the kernel does not tell.
    public static var residentBytes: Int? {
        guard let text = try? File.read("/proc/self/statm", upTo: 256) else { return nil }
        // Pages: all that is mapped, then what of it is in memory.
        let fields = text.split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return pageSize > 0 ? pages * pageSize : nil
    }
}
