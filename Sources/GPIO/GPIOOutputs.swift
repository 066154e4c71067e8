package import NodeConfiguration
package import NodePorts
internal import TimerEngine

/// Output lines of a GPIO chip, using libgpiod.
///
/// If a change switches some lines off and others on, those that go off are set first, in a separate call: some drivers
/// set the lines of one call one after another, so two lamps would be lit together for a moment.
package final class GPIOOutputs: Outputs {
    private static let backend = "libgpiod"

    private let configuration: NodeConfiguration.GPIO
    /// The request, while lines are held, and the offset of each output.
    private var held: (request: GPIOOutputRequest, offsets: [OutputName: UInt32])?

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
    /// - Throws: a chip or line is missing, a line is busy (with its consumer), the permission is lacking, or the lines
    ///   differ in bias or drive, which libgpiod 1 does not support.
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
            held = (request, found.mapValues(\.offset))
            request.armForFatalSignals(
                Dictionary(
                    uniqueKeysWithValues: found.map { ($1.offset, configuration.outputs[$0]?.safe ?? false) }))
            return HeldOutputs(chip: chip.name, backend: Self.backend)
        } catch {
            throw chip.fault(taking: found, for: .output, error)
        }
    }

    /// Sets outputs: first those that go off, then those that go on.
    ///
    /// - Parameter levels: the outputs to change, as logical levels; the others keep theirs. Outputs that are not
    ///   configured are ignored.
    /// - Throws: the chip is gone or a line cannot be set; the lines are released then.
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
    /// Does nothing if none are held.
    package func release() {
        // If the chip is gone, there are no lamps to switch off.
        try? write(configuration.outputs.mapValues(\.safe))
        held = nil
    }

    private func write(_ levels: [OutputName: Bool]) throws(GPIOError) {
        guard let held else { return }
        for level in [false, true] {
            let changed = held.offsets.filter { levels[$0.key] == level }.values
            if !changed.isEmpty { try held.request.set(changed.sorted(), to: level) }
        }
    }
}
