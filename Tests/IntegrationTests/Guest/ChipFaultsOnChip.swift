import Foundation
import Testing
import TimerEngine

extension InSimulatedTime {
    @Suite("A spawned node whose chip has a fault")
    struct ChipFaultsOnChip {
        let chip: SimulatedChip
        let broker: MosquittoBroker
        let configuration: String

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            broker = try MosquittoBroker()
            configuration = """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)]}
                gpio:
                  chip: auto
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
                timers: {groups: [{timers: [{name: Talk, start: 60s, warning: 40s, final: 5s}]}]}
                """
        }

        @Test("keeps counting without it, reports it, and lights the lamp when the chip returns under another number")
        func goneAndBack() throws {
            let probe = try MQTTProbe(broker, "timer/#")
            let node = try SpawnedNode(configuration)
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try waitUntil("green") { try chip.highLines() == ["GREEN"] }
            let name = try chip.name
            // A process that keeps the chip open also keeps its number in use.
            let holder = try ChildProcess(shell: "exec 3</dev/\(name); exec sleep 1000")
            try waitUntil("its opening") { try holder.descriptors.contains("/dev/\(name)") }

            // The node has nothing to write for almost twenty seconds.
            let left = bootTime()
            try chip.setPresent(false)
            defer { try? chip.setPresent(true) }
            try probe.wait(for: "the fault") { $0.contains { $0.payload.contains("gpio_fault") } }
            #expect(left.duration(to: bootTime()) < .seconds(1), "detected through the device, not by a write")
            #expect(try node.process.descriptors.filter { $0.contains("gpio") } == [], "the old handles are closed")
            try probe.wait(for: "30", on: "timer/lectern/tick")

            // Halfway between two attempts.
            usleep(1_100_000)
            let came = bootTime()
            try chip.setPresent(true)
            try waitUntil("yellow") { try chip.highLines() == ["YELLOW"] }
            #expect(came.duration(to: bootTime()) < .milliseconds(500), "immediately, not at the next attempt")
            #expect(try chip.name != name)
            try probe.wait(for: "the recovery") { $0.contains { $0.payload.contains("gpio_recovered") } }
            try probe.wait(for: "20", on: "timer/lectern/tick")

            let events = probe.messages.filter { $0.topic == "timer/lectern/event" && $0.payload.contains("gpio_") }
            #expect(events.count == 2)
            #expect(
                events.first?.payload.contains(
                    #""event_type":"gpio_fault","message":"cannot set the outputs buzzer, green, red, yellow on "#
                        + "\(name): No such device\"") == true, "\(events)")
            #expect(
                events.last?.payload.contains(#""event_type":"gpio_recovered","message":"all lines are held""#) == true)
            let ticks = probe.messages.filter { $0.topic == "timer/lectern/tick" }.compactMap { Int($0.payload) }
            #expect(ticks == Array((20...60).reversed().prefix(ticks.count)), "every second, with no gap")
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("starts without a line that is busy, and acquires it when it is free")
        func busyAtStart() throws {
            let holder = try ChildProcess(shell: chip.holding(line: 0))
            try waitUntil("the holder") { try chip.value(of: "GREEN") }
            let probe = try MQTTProbe(broker, "timer/#")
            let node = try SpawnedNode(configuration)
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try probe.wait(for: "50", on: "timer/lectern/tick")
            let fault = probe.messages.first { $0.payload.contains("gpio_fault") }
            #expect(try fault?.payload.contains("line GREEN (output green) on \(chip.name) is busy") == true)
            try holder.terminate(by: SIGKILL)
            let free = bootTime()
            try waitUntil("only green") { try chip.highLines() == ["GREEN"] }
            #expect(free.duration(to: bootTime()) < .milliseconds(2100))
            try probe.wait(for: "the recovery") { $0.contains { $0.payload.contains("gpio_recovered") } }

            let error = try node.process.waitForLine("the fault") { $0.contains("outputs: ") }
            #expect(
                try error.contains(#"line GREEN (output green) on \#(chip.name) is busy: held by "gpioset""#),
                "\(error)")
            #expect(node.process.errors.filter { $0.contains("is busy") }.count == 1, "logged once, retried often")
        }

        @Test("starts without a chip, and uses it when one appears")
        func missingAtStart() throws {
            try chip.setPresent(false)
            defer { try? chip.setPresent(true) }
            let probe = try MQTTProbe(broker, "timer/#")
            let node = try SpawnedNode(configuration)
            // The node publishes the fault once it is connected, which is later than the fault itself.
            try probe.wait(for: "the fault") { $0.contains { $0.payload.contains("gpio_fault") } }
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try probe.wait(for: "55", on: "timer/lectern/tick")
            try node.process.waitForLine("the fault") { $0.contains("no GPIO chip has all the lines") }
            try chip.setPresent(true)
            try waitUntil("green") { try chip.highLines() == ["GREEN"] }
        }

        @Test("sleeps while the chip is present and nothing happens")
        func sleeps() throws {
            let probe = try MQTTProbe(broker, "timer/#")
            let node = try SpawnedNode(configuration)
            try probe.wait(for: "online", on: "timer/lectern/availability")
            usleep(3_000_000)
            let before = try node.contextSwitches
            usleep(60_000_000)
            // The keep-alive of 15 s: a ping and its response.
            #expect(try node.contextSwitches - before <= 12)
        }
    }
}
