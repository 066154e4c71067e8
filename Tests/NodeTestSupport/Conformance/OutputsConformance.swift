package import BrokerLink
package import NodeConfiguration
package import NodePorts

/// Outputs with their wires: four, of which none is on while nobody drives it.
package protocol OutputsHarness: AnyObject {
    var clock: any NodeClock { get }
    /// Those of a process that has just begun.
    func makeOutputs() throws -> any Outputs
    /// Which outputs are on, as their wires have it.
    func lit() throws -> Set<OutputName>
    /// Whether somebody holds the lines.
    func areHeld() throws -> Bool
    /// Pulls the chip out, or plugs it in.
    func setPresent(_ isPresent: Bool) throws
}

/// What ``Outputs`` promises.
package enum OutputsConformance {
    package static let rules: [Rule<any OutputsHarness>] = [
        Rule("cannot be set before they are taken") { harness in
            let outputs = try harness.makeOutputs()
            try requireFailure(LinesFault.self, "set") { try outputs.set(["green": true]) }
            try require(try harness.lit(), is: [], "what is on")
            try require(try !harness.areHeld(), "they are held")
        },
        Rule("are as they are told when they are taken") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green", "buzzer"]))
            try require(try harness.lit(), is: ["green", "buzzer"], "what is on")
            try require(try harness.areHeld(), "they are not held")
        },
        Rule("change those that are named, and no other") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green", "buzzer"]))
            for (change, lit) in changes {
                try outputs.set(change)
                try require(try harness.lit(), is: lit, "what is on after \(change)")
            }
        },
        Rule("are given back before they are taken again") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green"]))
            try outputs.acquire(levels(["red"]))
            try require(try harness.lit(), is: ["red"], "what is on")
            try outputs.set(["yellow": true])
            try require(try harness.lit(), is: ["red", "yellow"], "what is on")
        },
        Rule("are dark and free after a release, which may be repeated") { harness in
            let outputs = try harness.makeOutputs()
            outputs.release()
            try outputs.acquire(levels(["green", "buzzer"]))
            for _ in 1...3 {
                outputs.release()
                try require(try harness.lit(), is: [], "what is on")
                try require(try !harness.areHeld(), "they are held")
            }
            try requireFailure(LinesFault.self, "set") { try outputs.set(["green": true]) }
            try outputs.acquire(levels(["red"]))
            try require(try harness.lit(), is: ["red"], "what is on")
        },
        Rule("are not held after they could not be set, until they are taken again") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green"]))
            try harness.setPresent(false)
            try requireFailure(LinesFault.self, "set without a chip") { try outputs.set(["red": true]) }
            try harness.setPresent(true)
            try require(try !harness.areHeld(), "they are held")
            try requireFailure(LinesFault.self, "set after a fault") { try outputs.set(["red": true]) }
            try require(try harness.lit(), is: [], "what is on")
            try outputs.acquire(levels(["yellow"]))
            try require(try harness.lit(), is: ["yellow"], "what is on")
            try outputs.set(["red": true])
            try require(try harness.lit(), is: ["yellow", "red"], "what is on")
        },
        Rule("are not held after they could not be taken, not even where they were before") { harness in
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
                try require(try harness.lit(), is: ["red"], "what is on")
                outputs.release()
            }
        },
        Rule("may be released while the chip is away") { harness in
            let outputs = try harness.makeOutputs()
            try outputs.acquire(levels(["green"]))
            try harness.setPresent(false)
            outputs.release()
            try harness.setPresent(true)
            try require(try !harness.areHeld(), "they are held")
            try require(try harness.lit(), is: [], "what is on")
        },
    ]

    /// One change after another, and what is on after each, where green and buzzer were.
    private static let changes: [([OutputName: Bool], Set<OutputName>)] = [
        (["green": false, "yellow": true], ["yellow", "buzzer"]),
        ([:], ["yellow", "buzzer"]),
        (["yellow": true], ["yellow", "buzzer"]),
        (["red": true, "green": true], ["green", "yellow", "red", "buzzer"]),
        (["buzzer": false], ["green", "yellow", "red"]),
        (["green": false, "yellow": false, "red": false, "buzzer": true], ["buzzer"]),
    ]

    /// The level of each output where these are on.
    private static func levels(_ lit: Set<OutputName>) -> [OutputName: Bool] {
        Dictionary(uniqueKeysWithValues: NodeConfiguration.GPIO.stoplight.keys.map { ($0, lit.contains($0)) })
    }
}
