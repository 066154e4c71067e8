package import BrokerLink
package import NodeConfiguration
package import NodePorts

/// Four outputs with their wires. A wire that is not driven is off.
package protocol OutputsHarness: AnyObject {
    var clock: any NodeClock { get }
    /// Returns the outputs of a process that has just started.
    func makeOutputs() throws -> any Outputs
    /// Returns the outputs that are on, according to their wires.
    func lit() throws -> Set<OutputName>
    /// Returns whether the lines are held by a process.
    func areHeld() throws -> Bool
    /// Unplugs the chip, or plugs it in.
    func setPresent(_ isPresent: Bool) throws
}

/// The rules for ``Outputs``.
package enum OutputsConformance {
    package static let rules: [Rule<any OutputsHarness>] = [
        Rule("cannot be set before they are acquired") { harness in
            let outputs = try harness.makeOutputs()
            try requireFailure(LinesFault.self, "set") { try outputs.set(["green": true]) }
            try require(try harness.lit(), is: [], "the lit outputs")
            try require(try !harness.areHeld(), "they are held")
        },
        Rule("have the requested levels when they are acquired") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green", "buzzer"]))
            try require(try harness.lit(), is: ["green", "buzzer"], "the lit outputs")
            try require(try harness.areHeld(), "they are not held")
        },
        Rule("change only if they are named") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green", "buzzer"]))
            for (change, lit) in changes {
                try outputs.set(change)
                try require(try harness.lit(), is: lit, "the lit outputs after \(change)")
            }
        },
        Rule("are released before they are acquired again") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green"]))
            try outputs.acquire(levels(["red"]))
            try require(try harness.lit(), is: ["red"], "the lit outputs")
            try outputs.set(["yellow": true])
            try require(try harness.lit(), is: ["red", "yellow"], "the lit outputs")
        },
        Rule("are off and free after a release, which may be repeated") { harness in
            let outputs = try harness.makeOutputs()
            outputs.release()
            try outputs.acquire(levels(["green", "buzzer"]))
            for _ in 1...3 {
                outputs.release()
                try require(try harness.lit(), is: [], "the lit outputs")
                try require(try !harness.areHeld(), "they are held")
            }
            try requireFailure(LinesFault.self, "set") { try outputs.set(["green": true]) }
            try outputs.acquire(levels(["red"]))
            try require(try harness.lit(), is: ["red"], "the lit outputs")
        },
        Rule("are not held after they could not be set, until they are acquired again") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green"]))
            try harness.setPresent(false)
            try requireFailure(LinesFault.self, "set without a chip") { try outputs.set(["red": true]) }
            try harness.setPresent(true)
            try require(try !harness.areHeld(), "they are held")
            try requireFailure(LinesFault.self, "set after a fault") { try outputs.set(["red": true]) }
            try require(try harness.lit(), is: [], "the lit outputs")
            try outputs.acquire(levels(["yellow"]))
            try require(try harness.lit(), is: ["yellow"], "the lit outputs")
            try outputs.set(["red": true])
            try require(try harness.lit(), is: ["yellow", "red"], "the lit outputs")
        },
        Rule("are not held after they could not be acquired, even if they were held before") { harness in
            for wasHeld in [false, true] {
                let outputs = try harness.makeOutputs()
                if wasHeld { try outputs.acquire(levels(["green"])) }
                try harness.setPresent(false)
                for _ in 1...2 {
                    try requireFailure(LinesFault.self, "acquire without a chip") {
                        try outputs.acquire(levels(["red"]))
                    }
                }
                try harness.setPresent(true)
                try require(try !harness.areHeld(), "they are held")
                try requireFailure(LinesFault.self, "set after a fault") { try outputs.set(["red": true]) }
                try outputs.acquire(levels(["red"]))
                try require(try harness.lit(), is: ["red"], "the lit outputs")
                outputs.release()
            }
        },
        Rule("may be released while the chip is missing") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green"]))
            try harness.setPresent(false)
            outputs.release()
            try harness.setPresent(true)
            try require(try !harness.areHeld(), "they are held")
            try require(try harness.lit(), is: [], "the lit outputs")
        },
    ]

    /// Successive changes, and the outputs that are on after each. Initially, green and the buzzer are on.
    private static let changes: [([OutputName: Bool], Set<OutputName>)] = [
        (["green": false, "yellow": true], ["yellow", "buzzer"]),
        ([:], ["yellow", "buzzer"]),
        (["yellow": true], ["yellow", "buzzer"]),
        (["red": true, "green": true], ["green", "yellow", "red", "buzzer"]),
        (["buzzer": false], ["green", "yellow", "red"]),
        (["green": false, "yellow": false, "red": false, "buzzer": true], ["buzzer"]),
    ]

    /// Returns the level of each output if only these outputs are on.
    private static func levels(_ lit: Set<OutputName>) -> [OutputName: Bool] {
        Dictionary(uniqueKeysWithValues: NodeConfiguration.GPIO.stoplight.keys.map { ($0, lit.contains($0)) })
    }
}
