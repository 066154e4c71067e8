import NodeConfiguration
import Testing

@testable import GPIO

extension InGuest {
    @Suite("GPIO outputs")
    struct GPIOOutputsOnChip {
        typealias Output = NodeConfiguration.Output

        let chip: SimulatedChip
        var gpio = NodeConfiguration.GPIO(chip: .auto)
        let dark = ["green": false, "yellow": false, "red": false, "buzzer": false]

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
        }

        @Test("acquire and set the given outputs, and leave the other lines unchanged")
        func set() throws {
            let outputs = GPIOOutputs(gpio)
            try outputs.acquire(["green": true, "yellow": false, "red": false, "buzzer": true])
            #expect(try chip.highLines() == ["GREEN", "BUZZER"])
            try outputs.set(["green": false, "yellow": true])
            #expect(try chip.highLines() == ["YELLOW", "BUZZER"])
            try outputs.set([:])
            try outputs.set(["horn": true])
            #expect(try chip.highLines() == ["YELLOW", "BUZZER"])
        }

        @Test("drive an active_low line low for on, next to an active-high line")
        mutating func activeLow() throws {
            gpio.outputs["red"]?.activeLow = true
            let outputs = GPIOOutputs(gpio)
            try outputs.acquire(["green": true, "yellow": false, "red": true, "buzzer": false])
            #expect(try chip.highLines() == ["GREEN"])
            try outputs.set(["green": false, "red": false])
            #expect(try chip.highLines() == ["RED"])
            try outputs.set(["red": true])
            #expect(try chip.highLines() == [])
        }

        @Test(
            "find the chip by path, name, label, or by its lines",
            arguments: ["/dev/NAME", "NAME", SimulatedChip.label, nil])
        mutating func chip(named name: String?) throws {
            let chipName = try chip.name
            gpio.chip = name.map { .named($0.replacing("NAME", with: chipName)) } ?? .auto
            let outputs = GPIOOutputs(gpio)
            try outputs.acquire(dark.merging(["red": true]) { $1 })
            #expect(try chip.highLines() == ["RED"])
        }

        @Test("acquire a line by its offset")
        mutating func offset() throws {
            gpio = try NodeConfiguration.GPIO(chip: .named(chip.name), outputs: ["lamp": Output(line: "15")])
            let outputs = GPIOOutputs(gpio)
            try outputs.acquire(["lamp": true])
            #expect(try chip.value(of: "15"))
        }

        @Test("switch lines off before they switch others on in the same call")
        func offBeforeOn() throws {
            let outputs = GPIOOutputs(gpio)
            let trace = try LineTrace(
                SystemCallTrace.ioctls {
                    try outputs.acquire(["green": true, "yellow": false, "red": false, "buzzer": true])
                    try outputs.set(["green": false, "yellow": true, "red": true, "buzzer": false])
                    try outputs.set(["buzzer": true])
                    try outputs.set(["buzzer": false])
                })
            // The kernel sets the lines of a request one after another.
            #expect(Set(trace.offsets.prefix(2)) == [1, 2])
            #expect(Set(trace.offsets) == [0, 1, 2, 3])
            #expect(trace.writes == [[0: false, 3: false], [1: true, 2: true], [3: true], [3: false]])
        }

        @Test("set the safe values, lines that go off first, before they release the lines")
        mutating func release() throws {
            gpio.outputs["yellow"]?.safe = true
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let outputs = GPIOOutputs(gpio)
            let trace = try LineTrace(
                SystemCallTrace.ioctls {
                    try outputs.acquire(["green": true, "yellow": false, "red": false, "buzzer": false])
                    outputs.release()
                    outputs.release()
                })
            #expect(trace.writes.map { $0[0] } == [false, nil])
            #expect(trace.writes.map { $0[1] } == [nil, true])
            // No process drives the lines any more.
            #expect(try chip.highLines() == Set(SimulatedChip.lineNames))
        }

        @Test("make the lines safe for a node that is not running")
        mutating func makeSafe() throws {
            gpio.outputs["yellow"]?.safe = true
            let trace = try LineTrace(SystemCallTrace.ioctls { try GPIOOutputs.makeSafe(gpio) })
            #expect(trace.offsets.last == 1)
            let outputs = GPIOOutputs(gpio)
            try outputs.acquire(dark)
            #expect(try chip.highLines() == [])
        }

        @Test("release the lines before they acquire them again")
        func acquireAgain() throws {
            let outputs = GPIOOutputs(gpio)
            try outputs.acquire(dark)
            try outputs.acquire(dark.merging(["green": true]) { $1 })
            #expect(try chip.highLines() == ["GREEN"])
        }
    }
}
