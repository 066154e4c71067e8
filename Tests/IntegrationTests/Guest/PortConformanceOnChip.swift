import BrokerLink
import GPIO
import LinuxSystem
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing

extension InGuest {
    /// The rules for outputs and inputs, on a chip.
    @Suite("On a chip, conformance of")
    struct PortConformanceOnChip {
        @Test("outputs", arguments: OutputsConformance.rules)
        func outputs(rule: Rule<any OutputsHarness>) throws {
            let chip = try #require(SimulatedChip.current)
            defer { try? chip.setPresent(true) }
            try rule.check(Lamps(chip))
        }

        @Test("inputs", arguments: InputsConformance.rules)
        func inputs(rule: Rule<any InputsHarness>) throws {
            let chip = try #require(SimulatedChip.current)
            defer { try? chip.setPresent(true) }
            try rule.check(Fingers(chip))
        }
    }
}

/// The lamps of the stoplight, dark while no process drives them.
private final class Lamps: OutputsHarness {
    let clock: any NodeClock = BootClock()
    private let chip: SimulatedChip

    init(_ chip: SimulatedChip) throws {
        self.chip = chip
        try pull()
    }

    func makeOutputs() -> any Outputs { GPIOOutputs(NodeConfiguration.GPIO(chip: .auto)) }

    func lit() throws -> Set<OutputName> { Set(try chip.highLines().map { $0.lowercased() }) }

    func areHeld() throws -> Bool {
        try GPIOChipListing.find(chip: chip.name).chips.contains { $0.lines.contains(where: \.isUsed) }
    }

    func setPresent(_ isPresent: Bool) throws {
        try chip.setPresent(isPresent)
        if isPresent { try pull() }
    }

    private func pull() throws { for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) } }
}

/// Two buttons connected to the supply.
private final class Fingers: InputsHarness {
    let clock: any NodeClock = BootClock()
    let lines = ("BUTTON", "6")
    private let chip: SimulatedChip

    init(_ chip: SimulatedChip) throws {
        self.chip = chip
        try letGo()
    }

    /// Buttons without a configured bias: the simulator presses a button by changing the pull, which a request for a
    /// bias would override.
    func makeInputs() -> any Inputs {
        let buttons = [lines.0, lines.1].map { line in
            var button = NodeConfiguration.Button(line: line)
            button.debounce = .zero
            return button
        }
        return GPIOInputs(NodeConfiguration.GPIO(chip: .auto, buttons: buttons))
    }

    func set(_ line: InputName, _ isDown: Bool) throws { try chip.setPull(isDown ? .up : .down, of: line) }

    func setPresent(_ isPresent: Bool) throws {
        try chip.setPresent(isPresent)
        if isPresent { try letGo() }
    }

    private func letGo() throws { for line in [lines.0, lines.1] { try set(line, false) } }
}
