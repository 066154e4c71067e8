package import BrokerLink
internal import LinuxSystem
package import NodeConfiguration
package import NodePorts
package import TimerEngine

/// The buttons: input lines of a GPIO chip, using libgpiod.
package final class GPIOInputs: Inputs {
    private let configuration: NodeConfiguration.GPIO
    /// The request, while lines are held, and the button of each offset.
    private var held: (request: GPIOInputRequest, names: [UInt32: InputName])?
    private var repair = EdgeRepair()

    package init(_ configuration: NodeConfiguration.GPIO) {
        self.configuration = configuration
    }

    /// Requests the lines, all in one request; lines already held are released first.
    ///
    /// - Throws: ``LinesFault`` if a chip or line is missing, a line is busy (with its consumer), or permission is
    ///   denied.
    package func acquire() throws(LinesFault) -> HeldInputs {
        held = nil
        repair = EdgeRepair()
        guard !configuration.buttons.isEmpty else { return HeldInputs(areDebounced: GPIOInputRequest.debounces) }
        let buttons = configuration.buttons
        // If several chips have such lines, this picks the chip that also has the lamps.
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
                }, of: chip, consumer: GPIOLine.node)
            var active: Set<InputName> = []
            for (name, line) in found where try request.isActive(line.offset) { active.insert(name) }
            held = (request, Dictionary(found.map { ($1.offset, $0) }) { $1 })
            return HeldInputs(active: active, areDebounced: GPIOInputRequest.debounces)
        } catch {
            throw chip.fault(taking: found, for: .button, error)
        }
    }

    package var interests: [Interest] {
        held?.request.descriptors.map { Interest(descriptor: $0, events: .read) } ?? []
    }

    /// Returns all edges available when this started, or the loss of the lines.
    package func takeEvents(ready: [Interest], at now: Instant) -> [InputEvent] {
        guard let held, !ready.isEmpty else { return [] }
        do throws(GPIOError) {
            // Reads all descriptors, not only the ready ones, so that the core knows the current state.
            return [.edges(try edges(of: held.request, names: held.names, at: now))]
        } catch {
            self.held = nil
            return [.failed(LinesFault("cannot read the buttons on \(held.request.chip.name): \(error)"))]
        }
    }

    private func edges(
        of request: GPIOInputRequest, names: [UInt32: InputName], at now: Instant
    ) throws(GPIOError) -> [Edge] {
        var raw: [GPIOInputRequest.LineEdge] = []
        var (isAll, isFull) = (true, false)
        for descriptor in request.descriptors {
            let reading = try request.edges(of: descriptor)
            raw += reading.elements
            isAll = isAll && reading.isAll
            isFull = isFull || reading.elements.count >= request.capacity
        }
        // The kernel's timestamps exclude the time that the machine was suspended; the instants here include it.
        let suspended = BootClock.timeSuspended
        let edges = raw.compactMap { edge in
            names[edge.offset].map {
                Edge(
                    line: $0, isActive: edge.isActive,
                    at: Instant(sinceEpoch: edge.sinceMonotonicEpoch + suspended))
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

/// Adds edges that the kernel dropped, by comparing the last edges with the current levels of the lines.
///
/// The kernel's buffer is limited, and with libgpiod 2 it is shared by all lines. If the last edge of a line was
/// dropped, its button would seem to stay pressed. The current level shows this.
struct EdgeRepair {
    /// Whether any line may have lost edges since the levels were last compared.
    private var isSuspect = false

    /// Adds an edge for each line whose level differs from its last edge.
    ///
    /// - Parameters:
    ///   - edges: the edges that were read.
    ///   - lines: all held lines.
    ///   - isFull: whether a full buffer was read, so that the kernel may have dropped edges.
    ///   - isAll: whether there are no more edges to read. If there are more, it is too early to compare levels.
    ///   - level: returns whether a line is currently active.
    mutating func repaired<Failure: Error>(
        _ edges: [Edge], of lines: some Sequence<InputName>, isFull: Bool, isAll: Bool, at now: Instant,
        level: (InputName) throws(Failure) -> Bool
    ) throws(Failure) -> [Edge] {
        isSuspect = isSuspect || isFull
        guard isAll else { return edges }
        var repaired = edges
        for line in lines {
            let last = edges.last { $0.line == line }
            guard last != nil || isSuspect else { continue }
            let isActive = try level(line)
            guard isActive != last?.isActive else { continue }
            repaired.append(Edge(line: line, isActive: isActive, at: max(now, last?.instant ?? now)))
        }
        isSuspect = false
        return repaired
    }
}

/// Elements read in portions from a source that may never run dry.
struct BoundedReading<Element> {
    private(set) var elements: [Element] = []
    /// Whether the source ran dry.
    private(set) var isAll = false

    /// Reads until the source runs dry, or until it has returned more elements than the limit. So a source with exactly
    /// as many elements as the limit is known to be dry.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of elements that the source holds.
    ///   - portion: reads some elements; returns nil if none are available.
    init<Failure: Error>(upTo limit: Int, _ portion: () throws(Failure) -> [Element]?) throws(Failure) {
        while elements.count <= limit {
            guard let more = try portion() else {
                isAll = true
                return
            }
            elements += more
        }
    }
}
