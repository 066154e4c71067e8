import FoundationEssentials
import Glibc
import NodeConfiguration
import NodePorts
import Testing

@testable import GPIO
@testable import TimerProtocol

extension InGuest {
    @Suite("GPIO outputs report an error")
    struct GPIOOutputsFaultsOnChip {
        typealias GPIO = NodeConfiguration.GPIO
        typealias Output = NodeConfiguration.Output

        let chip: SimulatedChip
        let name: String
        let lamp: [OutputName: Output] = ["lamp": Output(line: "RED")]

        init() throws {
            chip = try #require(SimulatedChip.current)
            name = try chip.name
        }

        @Test(
            "when a chip or a line is missing",
            arguments: [
                (
                    GPIO(chip: .named("traffic")),
                    #"there is no GPIO chip with the path, name or label "traffic"; present: CHIP"#
                ),
                (
                    GPIO(chip: .named("/dev/gpiochip9")),
                    #"there is no GPIO chip with the path, name or label "/dev/gpiochip9"; present: CHIP"#
                ),
                (GPIO(chip: .named("/dev/null")), "/dev/null is not a GPIO chip"),
                (
                    GPIO(chip: .named("stoplight"), outputs: ["lamp": Output(line: "BLUE")]),
                    "there is no line BLUE (output lamp) on CHIP; NAMES"
                ),
                (
                    GPIO(chip: .named("stoplight"), outputs: ["lamp": Output(line: "REED")]),
                    "there is no line REED (output lamp) on CHIP; the nearest name is RED"
                ),
                (
                    GPIO(chip: .named("stoplight"), outputs: ["lamp": Output(line: "16")]),
                    "there is no line 16 (output lamp) on CHIP; the offsets are 0 to 15"
                ),
                (
                    GPIO(chip: .auto, outputs: ["a": Output(line: "RED"), "b": Output(line: "BLUE")]),
                    "no GPIO chip has all the lines BLUE, RED: there is no BLUE, NAMES; present: CHIP"
                ),
                (
                    GPIO(chip: .auto, outputs: ["lamp": Output(line: "2")]),
                    "chip: auto needs line names, but the outputs have only offsets: name the chip; present: CHIP"
                ),
                (
                    GPIO(chip: .auto, outputs: ["a": Output(line: "RED"), "b": Output(line: "2")]),
                    "the outputs a and b use the same line on NAME: RED, offset 2"
                ),
            ])
        func missing(gpio: GPIO, message: String) {
            #expect(throws: fault(message)) { try GPIOOutputs(gpio).acquire([:]) }
        }

        @Test("when a line is busy, with the process that holds it")
        func busy() throws {
            let holder = try ChildProcess(shell: chip.holding(line: 0))
            try wait { try chip.value(of: "GREEN") }
            let outputs = GPIOOutputs(GPIO(chip: .auto))
            #expect(throws: fault(#"line GREEN (output green) on NAME is busy: held by "gpioset""#)) {
                try outputs.acquire([:])
            }
            try holder.terminate()
            try outputs.acquire([:])
            #expect(throws: fault(#"line RED (output lamp) on NAME is busy: held by "timer-node""#)) {
                try GPIOOutputs(GPIO(chip: .auto, outputs: lamp)).acquire([:])
            }
        }

        @Test("when there is no permission, with a remedy")
        func permission() throws {
            let outputs = GPIOOutputs(GPIO(chip: .auto, outputs: lamp))
            let reason = "permission denied for /dev/NAME: "
            #expect(throws: fault(reason + "only root may use it; a udev rule can give it to a group such as gpio")) {
                try withoutPrivileges { try outputs.acquire([:]) }
            }
            #expect(try Shell.run("chgrp dialout /dev/\(name) && chmod 660 /dev/\(name)").status == 0)
            defer { _ = try? Shell.run("chgrp root /dev/\(name) && chmod 600 /dev/\(name)") }
            let help = "join the group dialout, which owns it (usermod -aG dialout USER)"
            #expect(throws: fault(reason + help)) { try withoutPrivileges { try outputs.acquire([:]) } }
        }

        @Test("when they are set without being held")
        func notHeld() {
            #expect(throws: fault("cannot set outputs: no lines are held")) {
                try GPIOOutputs(GPIO(chip: .auto)).set(["green": true])
            }
        }

        @Test("when the chip is unplugged, and return with it")
        func goneAndBack() throws {
            let outputs = GPIOOutputs(GPIO(chip: .auto, outputs: lamp))
            try outputs.acquire(["lamp": true])
            try chip.setPresent(false)
            defer { try? chip.setPresent(true) }
            #expect(throws: fault("cannot set the outputs lamp on NAME: No such device")) {
                try outputs.set(["lamp": false])
            }
            #expect(throws: fault("no GPIO chip has all the lines RED; present: none")) {
                try outputs.acquire(["lamp": true])
            }
            try chip.setPresent(true)
            try outputs.acquire(["lamp": true])
            #expect(try chip.value(of: "RED"))
        }

        /// A fault. In its message, CHIP and NAME stand for the guest's chip, and NAMES for the names of its lines.
        private func fault(_ message: String) -> LinesFault {
            LinesFault(
                message.replacing("NAMES", with: "the names are GREEN, YELLOW, RED, BUZZER, BUTTON")
                    .replacing("CHIP", with: #"NAME "stoplight" (16 lines)"#).replacing("NAME", with: name))
        }

        private func wait(until condition: () throws -> Bool) throws {
            let deadline = ContinuousClock.now + .seconds(30)
            while try !condition() {
                try #require(ContinuousClock.now < deadline, "waited in vain")
                sched_yield()
            }
        }

        /// Runs a closure as an unprivileged user.
        private func withoutPrivileges(_ body: () throws -> Void) rethrows {
            seteuid(65534)
            defer { seteuid(0) }
            try body()
        }
    }
}
