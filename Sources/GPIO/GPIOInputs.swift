package import IoTNode
internal import LinuxSystem
package import TimerEngine

/// The buttons: input lines of a GPIO chip, through libgpiod.
package final class GPIOInputs: Inputs {
    /// Who holds the lines, as `gpioinfo` shows it.
    private static let consumer = "timer-node"

    private let configuration: NodeConfiguration.GPIO
    /// The lines, while they are held, and whose they are by their offset.
    private var held: (request: GPIOInputRequest, names: [UInt32: InputName])?
    private var repair = EdgeRepair()

    /// Buttons whose lines are not held yet.
    package init(_ configuration: NodeConfiguration.GPIO) {
        self.configuration = configuration
    }

    /// Takes the lines, all in one request; what was held before is released first.
    ///
    /// - Throws: a chip or line that is missing, a line that is busy with its consumer, a lack of permission.
    package func acquire() throws(LinesFault) -> HeldInputs {
        held = nil
        repair = EdgeRepair()
        guard !configuration.buttons.isEmpty else { return HeldInputs(areDebounced: GPIOInputRequest.debounces) }
        let buttons = configuration.buttons
        // The chip of the lamps, too, where there are several that have such lines.
        let lines = buttons.map(\.line) + configuration.outputs.values.map(\.line)
        let chip = try GPIOChip.find(configuration.chip, having: lines)
        let found = try chip.lines(Dictionary(buttons.map { ($0.line, $0.line) }) { $1 }, for: .button)
        do throws(GPIOError) {
            let request = try GPIOInputRequest(
                buttons.compactMap { button in
                    found[button.line].map {
                        GPIOInputRequest.Line(
                            offset: $0.offset, activeLow: button.activeLow, bias: button.bias,
                            debounce: button.debounce)
                    }
                }, of: chip, consumer: Self.consumer)
            var active: Set<InputName> = []
            for (name, line) in found where try request.isActive(line.offset) { active.insert(name) }
            held = (request, Dictionary(found.map { ($1.offset, $0) }) { $1 })
            return HeldInputs(active: active, areDebounced: GPIOInputRequest.debounces)
        } catch {
            throw chip.fault(taking: found, for: .button, error)
        }
    }

    /// The descriptors of the lines, while they are held.
    package var interests: [Interest] {
        held?.request.descriptors.map { Interest(descriptor: $0, events: .read) } ?? []
    }

    /// All the edges there were when this began, or that the lines are lost.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard let held, !ready.isEmpty else { return [] }
        do throws(GPIOError) {
            // All of them, not only those that were ready when the wait ended: then the core knows the present.
            return [.edges(try edges(of: held.request, names: held.names, at: now))]
        } catch {
            self.held = nil
            return [.inputsFailed(LinesFault("cannot read the buttons on \(held.request.chip.name): \(error)"))]
        }
    }

    private func edges(
        of request: GPIOInputRequest, names: [UInt32: InputName], at now: TimerEngine.Instant
    ) throws(GPIOError) -> [Edge] {
        var raw: [GPIOInputRequest.LineEdge] = []
        var (isAll, isFull) = (true, false)
        for descriptor in request.descriptors {
            let reading = try request.edges(of: descriptor)
            raw += reading.elements
            isAll = isAll && reading.isAll
            isFull = isFull || reading.elements.count >= request.capacity
        }
        // The kernel's time stamps do not count what the machine was suspended, our instants do.
        let suspended = BootClock.timeSuspended
        let edges = raw.compactMap { edge in
            names[edge.offset].map {
                Edge(
                    line: $0, isActive: edge.isActive,
                    at: TimerEngine.Instant(sinceEpoch: edge.sinceMonotonicEpoch + suspended))
            }
        }
        let offsets = Dictionary(names.map { ($1, $0) }) { $1 }
        return try repair.repaired(
            edges, of: names.values, isFull: isFull, isAll: isAll, at: now
        ) { line throws(GPIOError) in
            guard let offset = offsets[line] else { return false }
            return try request.isActive(offset)
        }
    }
}
