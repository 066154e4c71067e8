internal import CGPIOD
package import NodeConfiguration
package import NodePorts
internal import TimerEngine

/// Output lines of a GPIO chip, using libgpiod.
///
/// If a change switches some lines off and others on, the lines that go off are set first, in a separate call: some
/// drivers set the lines of one call one after another, so two lamps would be lit together for a moment.
package final class GPIOOutputs: Outputs {
    private static let backend = "libgpiod"

    private let configuration: NodeConfiguration.GPIO
    /// The request, while lines are held, and the offset of each output, ascending.
    private var held: (request: GPIOOutputRequest, lines: [(output: OutputName, offset: UInt32)])?

    package init(_ configuration: NodeConfiguration.GPIO) {
        self.configuration = configuration
    }

    deinit { release() }

    /// Sets the outputs to their safe values and releases the lines at once, for a node that is not running.
    package static func makeSafe(_ configuration: NodeConfiguration.GPIO) throws(LinesFault) {
        let outputs = GPIOOutputs(configuration)
        try outputs.acquire([:])
        outputs.release()
    }

    /// Requests the lines, all in one request, and sets them; lines already held are released first.
    ///
    /// - Parameter levels: the initial logical levels; an output that is missing gets its safe value.
    /// - Returns: the chip's name.
    /// - Throws: ``LinesFault`` if a chip or line is missing, a line is busy (with its consumer), permission is denied,
    ///   or the lines differ in bias or drive, which libgpiod 1 does not support.
    @discardableResult
    package func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        release()
        guard !configuration.outputs.isEmpty else { return HeldOutputs(chip: nil, backend: Self.backend) }
        let chip = try GPIOChip.find(configuration.chip, having: configuration.outputs.values.map(\.line))
        let found = try chip.lines(configuration.outputs.mapValues(\.line), for: .output)
        let lines = found.map { output, line in
            let settings = configuration.outputs[output]
            return GPIOOutputRequest.Line(
                offset: line.offset, activeLow: settings?.activeLow ?? false,
                level: levels[output] ?? settings?.safe ?? false, bias: settings?.bias ?? .asIs,
                drive: settings?.drive ?? .pushPull)
        }
        // The kernel sets the initial levels one after another, so the lines that are off come first.
        let offFirst = lines.filter { !$0.level } + lines.filter(\.level)
        do {
            let request = try GPIOOutputRequest(offFirst, of: chip, consumer: GPIOLine.node)
            held = (request, found.map { ($0, $1.offset) }.sorted { $0.1 < $1.1 })
            request.armForFatalSignals(
                Dictionary(
                    uniqueKeysWithValues: found.map { ($1.offset, configuration.outputs[$0]?.safe ?? false) }))
            return HeldOutputs(chip: chip.name, backend: Self.backend)
        } catch {
            throw chip.fault(taking: found, for: .output, error)
        }
    }

    /// Sets outputs: first the outputs that go off, then those that go on.
    ///
    /// - Parameter levels: the outputs to change, as logical levels; the other outputs keep theirs. Outputs that are
    ///   not configured are ignored.
    /// - Throws: ``LinesFault`` if the chip is gone or a line cannot be set; the lines are then released.
    package func set(_ levels: [OutputName: Bool]) throws(LinesFault) {
        guard !configuration.outputs.isEmpty else { return }
        guard let held else { throw LinesFault("cannot set outputs: no lines are held") }
        do {
            try write(levels)
        } catch {
            release()
            let names = levels.keys.sorted().joined(separator: ", ")
            throw LinesFault("cannot set the outputs \(names) on \(held.request.chip.name): \(error)")
        }
    }

    /// Sets each output to its safe value and releases the lines.
    ///
    /// Does nothing if no lines are held.
    package func release() {
        // If the chip is gone, there are no lamps to switch off.
        try? write(configuration.outputs.mapValues(\.safe))
        held = nil
    }

    private func write(_ levels: [OutputName: Bool]) throws(GPIOError) {
        guard let held else { return }
        for level in [false, true] {
            let changed = held.lines.compactMap { levels[$0.output] == level ? $0.offset : nil }
            if !changed.isEmpty { try held.request.set(changed, to: level) }
        }
    }
}

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
    ///   - consumer: the holder's name, as other programs see it; at most 31 bytes.
    /// - Throws: `EBUSY` if another consumer holds one of the lines, `ENOTSUP` if libgpiod 1 would have to request lines
    ///   with different bias or drive.
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

    /// Sets some of the lines to one level in one call; the other lines keep theirs.
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
