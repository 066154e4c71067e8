internal import CGPIOD
internal import Glibc

/// An open GPIO chip; owns its handle.
@safe final class GPIOChip {
    /// The kernel's name, such as `gpiochip0`; it may change when the chip is plugged in again.
    let name: String
    /// The driver's label, such as `pinctrl-bcm2711`.
    let label: String
    let lineCount: UInt32
    /// For the requests in this module, which hold the chip while they use it.
    let handle: OpaquePointer

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

    /// Reads the current state of a line.
    func line(at offset: UInt32) throws(GPIOError) -> GPIOLine {
        var info = cgpiod_line_info()
        try GPIOError.check(unsafe cgpiod_chip_get_line_info(handle, offset, &info))
        let name = text(info.name)
        let consumer = text(info.consumer)
        return GPIOLine(
            offset: offset, name: name.isEmpty ? nil : name, isUsed: info.is_used,
            consumer: consumer.isEmpty ? nil : consumer, isOutput: info.is_output)
    }

    /// Finds a line by its name, or else by its decimal offset; nil if the chip has neither.
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
    /// The name, the label and the number of lines, for messages.
    var description: String { "\(name) \"\(label)\" (\(lineCount) lines)" }
}

/// Converts a C character array up to its NUL.
private func text<Characters: BitwiseCopyable>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// A failed call of libgpiod.
struct GPIOError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number, such as `EBUSY`.
    let code: Int32

    var description: String { unsafe String(cString: strerror(code)) }

    /// Throws if a CGPIOD result is a negative error number.
    static func check(_ result: Int32) throws(GPIOError) {
        guard result >= 0 else { throw GPIOError(code: -result) }
    }
}
