internal import CGPIOD
internal import Glibc
package import NodePorts

/// An open GPIO chip; owns its handle.
@safe final class GPIOChip {
    /// The kernel's name, such as `gpiochip0`; it may change when the chip is plugged in again.
    let name: String
    /// The driver's label, such as `pinctrl-bcm2711`.
    let label: String
    let lineCount: UInt32
    /// The handle, for the requests in this module, which keep the chip open while they use it.
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

/// The use of a line.
enum GPIOLineUse: String {
    case output, button
}

extension GPIOChip {
    /// Finds lines of the chip.
    ///
    /// - Parameter wanted: the name or offset of each line, keyed by its user.
    /// - Throws: ``LinesFault`` if the chip lacks a line, or two users want the same one.
    func lines(_ wanted: [String: String], for use: GPIOLineUse) throws(LinesFault) -> [String: GPIOLine] {
        var lines: [String: GPIOLine] = [:]
        var owners: [UInt32: String] = [:]
        for (user, name) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let line = try findLine(name, for: use, user) else {
                let hint = Self.hint(for: name, names: lineNames, lineCount: lineCount)
                throw LinesFault("there is no line \(name) (\(use) \(user)) on \(self); \(hint)")
            }
            if let owner = owners.updateValue(user, forKey: line.offset) {
                throw LinesFault(
                    """
                    the \(use)s \(owner) and \(user) use the same line on \(self.name): \(line), \
                    offset \(line.offset)
                    """)
            }
            lines[user] = line
        }
        return lines
    }

    /// Explains why lines could not be requested.
    func fault(taking lines: [String: GPIOLine], for use: GPIOLineUse, _ error: GPIOError) -> LinesFault {
        let sorted = lines.sorted { $0.key < $1.key }
        // The lines are read again, because their holders may have changed since they were found.
        let busy = sorted.compactMap { user, line -> String? in
            guard error.code == EBUSY, let now = try? self.line(at: line.offset), now.isUsed else { return nil }
            let holder = now.consumer.map { "held by \"\($0)\"" } ?? "held by an unnamed consumer"
            return "line \(line) (\(use) \(user)) on \(name) is busy: \(holder)"
        }
        guard busy.isEmpty else { return LinesFault(busy.joined(separator: "; ")) }
        // No other call of libgpiod 1 or the kernel returns this.
        guard error.code != ENOTSUP else {
            return LinesFault(
                "the \(use)s differ in bias or drive; libgpiod 1 requires the same for all, but libgpiod 2 does not"
            )
        }
        let all = sorted.map { "\($1) (\(use) \($0))" }.joined(separator: ", ")
        return LinesFault("cannot request the lines \(all) on \(name): \(error)")
    }

    private func findLine(_ line: String, for use: GPIOLineUse, _ user: String) throws(LinesFault) -> GPIOLine? {
        do {
            return try self.line(named: line)
        } catch {
            throw LinesFault("cannot look up line \(line) (\(use) \(user)) on \(name): \(error)")
        }
    }
}

/// A GPIO chip with the current state of its lines, for users who wire it.
package struct GPIOChipListing: Hashable, Sendable {
    /// The kernel's name, such as `gpiochip0`.
    package let name: String
    /// The driver's label, such as `pinctrl-bcm2711`.
    package let label: String
    /// All lines in the order of their offsets.
    package let lines: [GPIOLine]

    /// Lists the chips of this machine.
    ///
    /// - Parameter chip: the path, name or label of the chip to list; nil for all.
    /// - Returns: the chips, and the errors of the chips that could not be opened.
    /// - Throws: ``LinesFault`` if the named chip is missing, its label is ambiguous, or no chip can be opened.
    package static func find(
        chip: String? = nil
    ) throws(LinesFault) -> (chips: [GPIOChipListing], faults: [LinesFault]) {
        guard let chip else {
            let present = GPIOChip.Present()
            guard !present.chips.isEmpty else {
                throw present.faults.first ?? LinesFault("there is no GPIO chip: /dev has no gpiochip")
            }
            var listings: [GPIOChipListing] = []
            for chip in present.chips { listings.append(try GPIOChipListing(chip)) }
            return (listings, present.faults)
        }
        return (try [GPIOChipListing(GPIOChip.find(named: chip))], [])
    }
}

extension GPIOChipListing {
    private init(_ chip: GPIOChip) throws(LinesFault) {
        name = chip.name
        label = chip.label
        do throws(GPIOError) {
            var lines: [GPIOLine] = []
            for offset in 0..<chip.lineCount { lines.append(try chip.line(at: offset)) }
            self.lines = lines
        } catch {
            throw LinesFault("cannot list the lines of \(chip.name): \(error)")
        }
    }
}

/// The state of a line, which can be read without holding the line.
package struct GPIOLine: Hashable, Sendable {
    /// The line's number on the chip.
    package let offset: UInt32
    /// The name; nil if the line has none.
    package let name: String?
    /// Whether a program or the kernel holds the line.
    package let isUsed: Bool
    /// The holder's name; nil if unknown.
    package let consumer: String?
    /// Whether the line is currently an output.
    package let isOutput: Bool

    /// The holder's name that a node uses.
    static let node = "timer-node"
    /// Whether a node holds the line.
    package var isHeldByNode: Bool { isUsed && consumer == Self.node }
}

extension GPIOLine: CustomStringConvertible {
    /// The name, or else the offset.
    package var description: String { name ?? String(offset) }
}
