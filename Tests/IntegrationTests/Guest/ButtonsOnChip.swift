import BrokerLink
import Foundation
import IoTNode
import NodeConfiguration
import NodePorts
import Testing
import TimerEngine

@testable import GPIO
@testable import LinuxSystem

extension InGuest {
    @Suite("Buttons on a chip")
    struct ButtonsOnChip {
        typealias Bias = NodeConfiguration.Bias

        let chip: SimulatedChip
        let clock = BootClock()

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in ["BUTTON", "6"] { try chip.setPull(.up, of: line) }
        }

        /// Two buttons connected to ground, on a chip that is found by its lines.
        private func gpio(debounce: Duration = .zero) -> NodeConfiguration.GPIO {
            let buttons = ["BUTTON", "6"].map { line in
                var button = NodeConfiguration.Button(line: line)
                button.bias = .pullUp
                button.activeLow = true
                button.debounce = debounce
                return button
            }
            return NodeConfiguration.GPIO(chip: .auto, buttons: buttons)
        }

        /// Waits for the next events.
        private func events(of inputs: GPIOInputs) throws -> [InputEvent] {
            let deadline = clock.now.instant + .seconds(30)
            while clock.now.instant < deadline {
                let ready = clock.wait(for: inputs.interests, until: deadline)
                let events = inputs.takeEvents(ready: ready, at: clock.now.instant)
                if !events.isEmpty { return events }
            }
            throw Timeout()
        }

        private struct Timeout: Error {}

        private func edges(of inputs: GPIOInputs, _ count: Int) throws -> [Edge] {
            var edges: [Edge] = []
            while edges.count < count {
                for event in try events(of: inputs) {
                    guard case .edges(let new) = event else { throw Timeout() }
                    edges += new
                }
            }
            return edges
        }

        @Test("report a press and its release as logical levels, with the line's name and the time on the node's clock")
        func edges() throws {
            let inputs = GPIOInputs(gpio())
            #expect(try inputs.acquire().active.isEmpty)
            #expect(inputs.takeEvents(ready: [], at: clock.now.instant).isEmpty)
            let before = clock.now.instant
            for (line, isDown) in [("BUTTON", true), ("6", true), ("BUTTON", false)] {
                try chip.setPull(isDown ? .down : .up, of: line)
                let edges = try edges(of: inputs, 1)
                #expect(edges.map(\.line) == [line])
                #expect(edges.map(\.isActive) == [isDown])
                #expect(edges.allSatisfy { (before...clock.now.instant).contains($0.instant) })
            }
        }

        @Test("report which buttons are down when they are acquired, and are released when they are acquired again")
        func heldAtFirst() throws {
            var gpio = gpio()
            // The simulator presses a button by changing its pull, which a request for a different pull would override.
            gpio.buttons[0].bias = .asIs
            try chip.setPull(.down, of: "BUTTON")
            let inputs = GPIOInputs(gpio)
            #expect(try inputs.acquire().active == ["BUTTON"])
            try chip.setPull(.up, of: "BUTTON")
            _ = try edges(of: inputs, 1)
            #expect(try inputs.acquire().active == [])
        }

        @Test("are pulled as configured", arguments: [Bias.pullUp, .pullDown])
        func bias(bias: Bias) throws {
            var gpio = gpio()
            gpio.buttons[0].bias = bias
            #expect(try GPIOInputs(gpio).acquire().active == (bias == .pullUp ? [] : ["BUTTON"]))
            #expect(try chip.value(of: "BUTTON") == (bias == .pullUp))
        }

        @Test("end at the current level after a burst that overflows the kernel's buffer")
        func overflow() throws {
            let inputs = GPIOInputs(gpio())
            _ = try inputs.acquire()
            for _ in 0..<50 {
                try chip.setPull(.down, of: "BUTTON")
                try chip.setPull(.up, of: "BUTTON")
            }
            try chip.setPull(.down, of: "BUTTON")
            var all = try edges(of: inputs, 1)
            // The kernel may still be reporting the last edges.
            while all.last?.isActive != true { all += try edges(of: inputs, 1) }
            #expect(all.map(\.instant) == all.map(\.instant).sorted())
        }

        @Test("report which process holds a busy line, and which line is missing")
        func faults() throws {
            let (first, second) = (GPIOInputs(gpio()), GPIOInputs(gpio()))
            _ = try first.acquire()
            let busy = ["6", "BUTTON"].map { "line \($0) (button \($0)) on NAME is busy: held by \"timer-node\"" }
            #expect(throws: try fault(busy.joined(separator: "; "))) { try second.acquire() }

            var missing = gpio()
            missing.buttons.append(NodeConfiguration.Button(line: "BELL"))
            #expect(
                throws: try fault(
                    "no GPIO chip has all the lines 6, BELL, BUTTON, BUZZER, GREEN, RED, YELLOW: there is no BELL, NAMES; present: CHIP"
                )
            ) { try GPIOInputs(missing).acquire() }
            missing.chip = .named("stoplight")
            #expect(throws: try fault("there is no line BELL (button BELL) on CHIP; NAMES")) {
                try GPIOInputs(missing).acquire()
            }
        }

        @Test("are lost when their chip is unplugged, and return with it")
        func goneAndBack() throws {
            let inputs = GPIOInputs(gpio())
            _ = try inputs.acquire()
            let name = try chip.name
            try chip.setPresent(false)
            defer { try? chip.setPresent(true) }
            let lost = LinesFault("cannot read the buttons on \(name): No such device")
            #expect(try events(of: inputs) == [.failed(lost)])
            #expect(inputs.interests.isEmpty)
            #expect(throws: LinesFault.self) { try inputs.acquire() }
            try chip.setPresent(true)
            for line in ["BUTTON", "6"] { try chip.setPull(.up, of: line) }
            _ = try inputs.acquire()
            try chip.setPull(.down, of: "BUTTON")
            #expect(try edges(of: inputs, 1).map(\.isActive) == [true])
        }

        @Test("drive a whole node that has no broker: a press starts the timer, a hold stops it")
        func wholeNode() throws {
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                gpio:
                  outputs: {green: {line: GREEN}, red: {line: RED}}
                  buttons:
                    - {line: BUTTON, bias: pull_up, active_low: true, press: toggle, hold: stop, hold_from: 2s}
                timers: {groups: [{timers: [{start: 10:00}]}]}
                """)
            try chip.setPull(.down, of: "BUTTON")
            // Longer than the debounce time, far shorter than a hold.
            usleep(100_000)
            #expect(try !chip.value(of: "GREEN"))
            try chip.setPull(.up, of: "BUTTON")
            try waitUntil("green") { try chip.value(of: "GREEN") }
            try chip.setPull(.down, of: "BUTTON")
            try waitUntil("the stop, while the button is still down") { try !chip.value(of: "GREEN") }
            #expect(try node.process.terminate() == .exited(0))
        }

        private func fault(_ message: String) throws -> LinesFault {
            let name = try chip.name
            return LinesFault(
                message.replacing("NAMES", with: "the names are GREEN, YELLOW, RED, BUZZER, BUTTON")
                    .replacing("CHIP", with: #"NAME "stoplight" (16 lines)"#).replacing("NAME", with: name))
        }
    }
}
