import BrokerLink
import IoTNode
import NodeConfiguration
import NodePorts
import TimerEngine
import WorldChecker

/// A GPIO chip with lamps, a buzzer and buttons, which can be unplugged.
final class Chip: Outputs, Inputs {
    private unowned let world: World
    private unowned let machine: Machine
    private(set) var isPresent = true
    private var areOutputsHeld = false
    private var areInputsHeld = false
    private var levels: [OutputName: Bool] = [:]
    private var active: Set<InputName> = []
    /// The edges that the kernel keeps until the process reads them.
    private var edges: [Edge] = []
    private var fault: LinesFault?

    init(_ world: World, _ machine: Machine) { (self.world, self.machine) = (world, machine) }

    // MARK: The ports

    @discardableResult
    func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        areOutputsHeld = false
        guard isPresent else { throw LinesFault("no chip has a line named GREEN") }
        areOutputsHeld = true
        apply(levels)
        return HeldOutputs(chip: "gpiochip0", backend: "libgpiod")
    }

    func set(_ levels: [OutputName: Bool]) throws(LinesFault) {
        guard areOutputsHeld, isPresent else {
            areOutputsHeld = false
            throw LinesFault("cannot set outputs: No such device")
        }
        // The ones that go off are set first, as the real lines do.
        for isOn in [false, true] { apply(levels.filter { $0.value == isOn }) }
    }

    func release() {
        guard areOutputsHeld else { return }
        areOutputsHeld = false
        turnOff()
    }

    func acquire() throws(LinesFault) -> HeldInputs {
        (areInputsHeld, edges, fault) = (false, [], nil)
        guard isPresent else { throw LinesFault("no chip has a line named A") }
        areInputsHeld = true
        return HeldInputs(active: active, areDebounced: true)
    }

    var interests: [Interest] { [] }
    var nextInstant: Instant? { edges.isEmpty && fault == nil ? nil : Instant(sinceEpoch: .zero) }

    func takeEvents(ready: [Interest], at now: Instant) -> [InputEvent] {
        defer { (edges, fault) = ([], nil) }
        return (edges.isEmpty ? [] : [.edges(edges)]) + (fault.map { [.failed($0)] } ?? [])
    }

    // MARK: What happens

    /// Presses or releases a button.
    func press(_ line: InputName, _ isDown: Bool) {
        guard isPresent, active.contains(line) != isDown else { return }
        if isDown { active.insert(line) } else { active.remove(line) }
        world.note(.button(line, isDown: isDown, isWatched: areInputsHeld), on: machine)
        guard areInputsHeld else { return }
        edges.append(Edge(line: line, isActive: isDown, at: machine.moment.instant))
        machine.isDue()
    }

    /// Unplugs the chip: the lamps go dark at once. Only a node with buttons notices by itself.
    func unplug() {
        guard isPresent else { return }
        isPresent = false
        turnOff()
        world.note(.chip(isPresent: false), on: machine)
        guard areInputsHeld else { return }
        areInputsHeld = false
        fault = LinesFault("the buttons are gone: No such device")
        machine.isDue()
    }

    func plugIn() {
        guard !isPresent else { return }
        isPresent = true
        active = []
        world.note(.chip(isPresent: true), on: machine)
        machine.happens(.chipsChanged)
    }

    /// The process died: the kernel releases its lines, which keep their levels.
    func drop() { (areOutputsHeld, areInputsHeld, edges, fault) = (false, false, [], nil) }

    /// What `timer-node lamps-off` does.
    func turnOff() { apply(levels.mapValues { _ in false }) }

    private func apply(_ new: [OutputName: Bool]) {
        let before = levels
        levels.merge(new) { $1 }
        if levels != before { world.note(.lamps(Set(levels.filter(\.value).keys)), on: machine) }
    }
}
