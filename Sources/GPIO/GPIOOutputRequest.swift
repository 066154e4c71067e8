internal import CGPIOD
internal import NodeConfiguration

/// Output lines held in one request; owns its handle.
@safe final class GPIOOutputRequest {
    /// A line to hold, with its initial level.
    struct Line {
        var offset: UInt32
        var activeLow: Bool
        var level: Bool
        var bias = NodeConfiguration.Bias.asIs
        var drive = NodeConfiguration.Drive.pushPull
    }

    /// The chip, kept open while its lines are held.
    let chip: GPIOChip
    private let handle: OpaquePointer

    /// Requests lines of a chip; the kernel sets their initial levels in the given order.
    ///
    /// - Parameters:
    ///   - lines: 1 to 64 distinct lines of the chip.
    ///   - consumer: the holder's name as others see it; at most 31 bytes.
    /// - Throws: `EBUSY` if one of them is held elsewhere, `ENOTSUP` if libgpiod 1 is asked for lines with different
    ///   bias or drive.
    init(_ lines: [Line], of chip: GPIOChip, consumer: String) throws(GPIOError) {
        let outputs = lines.map {
            cgpiod_output(
                offset: $0.offset, active_low: $0.activeLow, level: $0.level, bias: $0.bias.inC,
                drive: $0.drive.inC)
        }
        var requested: OpaquePointer?
        try GPIOError.check(
            unsafe cgpiod_outputs_request(chip.handle, consumer, outputs, outputs.count, &requested))
        guard let requested = unsafe requested else { throw GPIOError(code: 0) }
        self.chip = chip
        unsafe handle = requested
    }

    deinit {
        cgpiod_outputs_disarm()
        unsafe cgpiod_outputs_release(handle)
    }

    /// Sets some of the lines to one level in one call; the others keep theirs.
    func set(_ offsets: [UInt32], to level: Bool) throws(GPIOError) {
        let levels = [Bool](repeating: level, count: offsets.count)
        try GPIOError.check(unsafe cgpiod_outputs_set(handle, offsets, levels, offsets.count))
    }

    /// Makes a fatal signal set the lines to these levels before it ends the process.
    func armForFatalSignals(_ levels: [UInt32: Bool]) {
        let offsets = levels.keys.sorted()
        unsafe cgpiod_outputs_arm(handle, offsets, offsets.map { levels[$0] ?? false }, offsets.count)
    }
}

extension NodeConfiguration.Bias {
    var inC: cgpiod_bias {
        switch self {
        case .asIs: CGPIOD_BIAS_AS_IS
        case .pullUp: CGPIOD_BIAS_PULL_UP
        case .pullDown: CGPIOD_BIAS_PULL_DOWN
        case .disabled: CGPIOD_BIAS_DISABLED
        }
    }
}

extension NodeConfiguration.Drive {
    var inC: cgpiod_drive {
        switch self {
        case .pushPull: CGPIOD_DRIVE_PUSH_PULL
        case .openDrain: CGPIOD_DRIVE_OPEN_DRAIN
        case .openSource: CGPIOD_DRIVE_OPEN_SOURCE
        }
    }
}
