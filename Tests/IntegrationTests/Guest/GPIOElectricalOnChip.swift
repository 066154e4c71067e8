import CGPIOD
import FoundationEssentials
import NodeConfiguration
import NodePorts
import Testing

@testable import GPIO

extension InGuest {
    @Suite("GPIO outputs' bias and drive")
    struct GPIOElectricalOnChip {
        typealias Output = NodeConfiguration.Output

        let chip: SimulatedChip
        var gpio = NodeConfiguration.GPIO(
            chip: .auto, outputs: ["lamp": Output(line: "RED"), "horn": Output(line: "BUZZER")])

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
        }

        @Test(
            "reach the kernel",
            arguments: [
                (NodeConfiguration.Bias.asIs, NodeConfiguration.Drive.pushPull, "", "pull-down"),
                (.pullUp, .openDrain, "OPEN_DRAIN BIAS_PULL_UP", "pull-up"),
                (.pullDown, .openSource, "OPEN_SOURCE BIAS_PULL_DOWN", "pull-down"),
                (.disabled, .pushPull, "BIAS_DISABLE", "pull-down"),
            ])
        mutating func flags(
            bias: NodeConfiguration.Bias, drive: NodeConfiguration.Drive, flags: String, pull: String
        ) throws {
            for name in ["lamp", "horn"] {
                gpio.outputs[name]?.bias = bias
                gpio.outputs[name]?.drive = drive
            }
            let outputs = GPIOOutputs(gpio)
            let calls = try SystemCallTrace.ioctls { try outputs.acquire(["lamp": true]) }
            let request = try #require(calls.first { $0.contains("GET_LINEHANDLE") || $0.contains("GET_LINE_IOCTL") })
            let all = ["OPEN_DRAIN", "OPEN_SOURCE", "BIAS_PULL_UP", "BIAS_PULL_DOWN", "BIAS_DISABLE"]
            #expect(all.filter(request.contains).joined(separator: " ") == flags, "\(request)")
            #expect(try String(contentsOfFile: chip.file("pull", of: "RED"), encoding: .utf8) == pull + "\n")
        }

        @Test("may differ with libgpiod 2, but give an error that explains the reason with libgpiod 1")
        mutating func mixed() throws {
            gpio.outputs["lamp"]?.drive = .openDrain
            let outputs = GPIOOutputs(gpio)
            if cgpiod_debounces {
                try outputs.acquire(["horn": true])
                #expect(try chip.value(of: "BUZZER"))
            } else {
                let message =
                    "the outputs differ in bias or drive; libgpiod 1 requires the same for all, but libgpiod 2 does not"
                #expect(throws: LinesFault(message)) { try outputs.acquire([:]) }
            }
        }
    }
}
