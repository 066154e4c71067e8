internal import CGPIOD

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
