internal import CGPIOD
internal import IoTNode

/// Output lines, held together in one request; the owner of its handle.
@safe final class GPIOOutputRequest {
    /// A line to hold, with its first level.
    struct Line {
        var offset: UInt32
        var activeLow: Bool
        var level: Bool
        var bias = NodeConfiguration.Bias.asIs
        var drive = NodeConfiguration.Drive.pushPull
    }

    /// The chip, open for as long as its lines are held.
    let chip: GPIOChip
    private let handle: OpaquePointer

    /// Takes lines of a chip; the kernel sets their first levels in the order given.
    ///
    /// - Parameters:
    ///   - lines: 1 to 64 lines of the chip, each once.
    ///   - chip: where they are.
    ///   - consumer: who others are told holds the lines; at most 31 bytes.
    /// - Throws: `EBUSY` where somebody holds one of them, `ENOTSUP` where libgpiod 1 is asked for lines of different
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

    /// Sets some of the lines to one level, in one call; the others keep theirs.
    func set(_ offsets: [UInt32], to level: Bool) throws(GPIOError) {
        let levels = [Bool](repeating: level, count: offsets.count)
        try GPIOError.check(unsafe cgpiod_outputs_set(handle, offsets, levels, offsets.count))
    }

    /// Lets a fatal signal set the lines to these levels before it ends the process.
    func armForFatalSignals(_ levels: [UInt32: Bool]) {
        let offsets = levels.keys.sorted()
        unsafe cgpiod_outputs_arm(handle, offsets, offsets.map { levels[$0] ?? false }, offsets.count)
    }
}

extension NodeConfiguration.Bias {
    /// The same for libgpiod.
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
    /// The same for libgpiod.
    var inC: cgpiod_drive {
        switch self {
        case .pushPull: CGPIOD_DRIVE_PUSH_PULL
        case .openDrain: CGPIOD_DRIVE_OPEN_DRAIN
        case .openSource: CGPIOD_DRIVE_OPEN_SOURCE
        }
    }
}
