internal import CGPIOD
internal import Glibc

/// An open GPIO chip; the owner of its handle.
@safe final class GPIOChip {
    /// The kernel's name, such as `gpiochip0`; it may be another one when the chip comes back.
    let name: String
    /// The driver's name for it, such as `pinctrl-bcm2711`.
    let label: String
    /// How many lines it has.
    let lineCount: UInt32
    /// For the requests of this folder, which hold the chip as long as they use it.
    let handle: OpaquePointer

    /// Opens a chip by its path.
    init(path: String) throws(GPIOError) {
        var opened: OpaquePointer?
        try GPIOError.check(unsafe cgpiod_chip_open(path, &opened))
        guard let opened = unsafe opened else { throw GPIOError(code: 0) }
        var info = cgpiod_chip_info()
        do {
            try GPIOError.check(unsafe cgpiod_chip_get_info(opened, &info))
        } catch {
            unsafe cgpiod_chip_close(opened)
            throw error
        }
        unsafe handle = opened
        name = text(info.name)
        label = text(info.label)
        lineCount = info.line_count
    }

    deinit {
        unsafe cgpiod_chip_close(handle)
    }

    /// Tells what is known of a line at present.
    func line(at offset: UInt32) throws(GPIOError) -> GPIOLine {
        var info = cgpiod_line_info()
        try GPIOError.check(unsafe cgpiod_chip_get_line_info(handle, offset, &info))
        let name = text(info.name)
        let consumer = text(info.consumer)
        return GPIOLine(
            offset: offset, name: name.isEmpty ? nil : name, isUsed: info.is_used,
            consumer: consumer.isEmpty ? nil : consumer, isOutput: info.is_output)
    }

    /// Finds a line by its name, else by its offset in decimal digits; nil where the chip has neither.
    func line(named nameOrOffset: String) throws(GPIOError) -> GPIOLine? {
        for offset in 0..<lineCount {
            let line = try line(at: offset)
            if line.name == nameOrOffset { return line }
        }
        guard let offset = UInt32(nameOrOffset), offset < lineCount else { return nil }
        return try line(at: offset)
    }
}

extension GPIOChip: CustomStringConvertible {
    /// The name, the label and the number of lines, as a message lists them.
    var description: String { "\(name) \"\(label)\" (\(lineCount) lines)" }
}

/// Reads a C array of characters up to its NUL.
private func text<Characters: BitwiseCopyable>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// What is known of a line without holding it.
package struct GPIOLine: Hashable, Sendable {
    /// Its place on the chip.
    package let offset: UInt32
    /// Its name; nil for a line without one.
    package let name: String?
    /// Whether somebody holds it: a program or the kernel.
    package let isUsed: Bool
    /// Who holds it, in their own words; nil where unknown.
    package let consumer: String?
    /// Whether it is an output at present.
    package let isOutput: Bool
}

extension GPIOLine: CustomStringConvertible {
    /// The name, or the offset where there is none.
    package var description: String { name ?? String(offset) }
}

/// A call of libgpiod that failed.
struct GPIOError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number, such as `EBUSY`.
    let code: Int32

    /// The system's words for it.
    var description: String { unsafe String(cString: strerror(code)) }

    /// Throws where a result of CGPIOD is a negative error number.
    static func check(_ result: Int32) throws(GPIOError) {
        guard result >= 0 else { throw GPIOError(code: -result) }
    }
}
