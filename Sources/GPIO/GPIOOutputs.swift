package import IoTNode
package import TimerEngine

/// Output lines of a GPIO chip, through libgpiod.
///
/// Where a change puts some off and others on, those that go off are set first, in a call of their own: some drivers
/// set the lines of one call one after another, and two lamps would be lit together for a moment.
package final class GPIOOutputs: Outputs {
    /// Who holds the lines, as `gpioinfo` shows it.
    private static let consumer = "timer-node"
    private static let backend = "libgpiod"

    private let configuration: NodeConfiguration.GPIO
    /// The lines, while they are held, and which one each output has.
    private var held: (request: GPIOOutputRequest, offsets: [OutputName: UInt32])?

    /// Outputs that hold no line yet.
    package init(_ configuration: NodeConfiguration.GPIO) {
        self.configuration = configuration
    }

    deinit { release() }

    /// Puts the outputs to their safe values and gives the lines back at once, for a node that is not running.
    package static func makeSafe(_ configuration: NodeConfiguration.GPIO) throws(LinesFault) {
        let outputs = GPIOOutputs(configuration)
        try outputs.acquire([:])
        outputs.release()
    }

    /// Takes the lines, all in one request, and sets them; what was held before is released first.
    ///
    /// - Parameter levels: the first levels, logical; an output that is missing gets its safe value.
    /// - Returns: the chip's name.
    /// - Throws: a chip or line that is missing, a line that is busy with its consumer, a lack of permission, lines of
    ///   different bias or drive where libgpiod 1 cannot have that.
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
        // The kernel sets the first levels one after another, so those that are off come first.
        let offFirst = lines.filter { !$0.level } + lines.filter(\.level)
        do {
            let request = try GPIOOutputRequest(offFirst, of: chip, consumer: Self.consumer)
            held = (request, found.mapValues(\.offset))
            request.armForFatalSignals(
                Dictionary(
                    uniqueKeysWithValues: found.map { ($1.offset, configuration.outputs[$0]?.safe ?? false) }))
            return HeldOutputs(chip: chip.name, backend: Self.backend)
        } catch {
            throw chip.fault(taking: found, for: .output, error)
        }
    }

    /// Sets outputs, first those that go off, then those that go on.
    ///
    /// - Parameter levels: the outputs to change, logical; the others keep their level. One that is not configured has
    ///   no line to set.
    /// - Throws: a chip that is gone, or a line that cannot be set; no line is held after that.
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

    /// Sets each output to its safe value and gives the lines back.
    ///
    /// Does nothing where none are held.
    package func release() {
        // A chip that is gone has no lamps to put out.
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

    /// Nothing is waited for: a chip that goes away is noticed at the next write.
    package var interests: [Interest] { [] }

    /// Nothing happens by itself.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }
}
