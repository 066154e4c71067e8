package import BrokerLink
package import NodeConfiguration
package import NodePorts

/// Inputs with somebody's fingers on two buttons, which are up at first.
package protocol InputsHarness: AnyObject {
    var clock: any NodeClock { get }
    /// The two lines.
    var lines: (InputName, InputName) { get }
    /// Those of a process that has just begun.
    func makeInputs() throws -> any Inputs
    /// Presses a button, or lets it go.
    func set(_ line: InputName, _ isDown: Bool) throws
    /// Pulls the chip out, or plugs it in, and then all buttons are up.
    func setPresent(_ isPresent: Bool) throws
}

/// What ``Inputs`` promises.
package enum InputsConformance {
    package static let rules: [Rule<any InputsHarness>] = [
        Rule("tell nothing before they are taken") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            try harness.set(harness.lines.0, true)
            try pump.requireAsleep(inputs)
        },
        Rule("tell which of them are active when they are taken") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            try require(try inputs.acquire().active, is: [], "the active ones")
            try pump.requireIdle(inputs)
            var active: Set<InputName> = []
            for (line, isDown) in [(other, true), (one, true), (other, false)] {
                try harness.set(line, isDown)
                // A chip may tell of a change a little later than its level is another one.
                try pump.awaitNews(of: inputs)
                if isDown { active.insert(line) } else { active.remove(line) }
                try require(try inputs.acquire().active, is: active, "the active ones")
                try pump.requireIdle(inputs)
            }
        },
        Rule("bring each change once, in order, with its level and an instant between before and after") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            for (line, isDown) in [(one, true), (other, true), (one, false), (one, true), (other, false)] {
                let before = harness.clock.now.instant
                try harness.set(line, isDown)
                let edges = try edges(of: inputs, pump)
                try require(edges.map(\.line), is: [line], "the lines")
                try require(edges.map(\.isActive), is: [isDown], "the levels")
                let time = before...harness.clock.now.instant
                try require(edges.allSatisfy { time.contains($0.instant) }, "\(edges) are not of \(time)")
                try pump.requireIdle(inputs)
            }
        },
        Rule("bring no change where a line is told to be what it is") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            try harness.set(one, true)
            try require(try edges(of: inputs, pump).map(\.line), is: [one], "the lines")
            try harness.set(one, true)
            try harness.set(other, true)
            try require(try edges(of: inputs, pump).map(\.line), is: [other], "the lines")
        },
        Rule("bring all the changes up to the present, of which the last of each line is its level") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            for isDown in [true, false, true] { try harness.set(one, isDown) }
            try harness.set(other, true)
            var found: [Edge] = []
            while !found.contains(where: { $0.line == other }) { found += try edges(of: inputs, pump) }
            try require(found.last { $0.line == one }?.isActive, is: true, "the level of \(one)")
            try require(found.map(\.instant), is: found.map(\.instant).sorted(), "the instants")
        },
        Rule("bring no change of before when they are taken again, and hold each line once") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            try harness.set(one, true)
            try pump.awaitNews(of: inputs)
            try require(try inputs.acquire().active, is: [one], "the active ones")
            try harness.set(other, true)
            let edges = try edges(of: inputs, pump)
            try require(edges.map(\.line), is: [other], "the lines")
        },
        Rule("tell once that they are lost, wait for nothing then, and work again when the fault is gone") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            try harness.setPresent(false)
            let events = try pump.nextEvents(of: inputs, "the loss")
            guard case .failed? = events.first, events.count == 1 else {
                throw BrokenRule("of a loss they told \(events)")
            }
            try pump.requireAsleep(inputs)
            // That the chip is back is not enough.
            try harness.setPresent(true)
            try harness.set(one, true)
            try pump.requireAsleep(inputs)
            try harness.set(one, false)
            try harness.setPresent(false)
            for _ in 1...2 {
                try requireFailure(LinesFault.self, "acquire without a chip") { _ = try inputs.acquire() }
                try pump.requireAsleep(inputs)
            }
            try harness.setPresent(true)
            try harness.set(other, true)
            try pump.requireAsleep(inputs)
            try require(try inputs.acquire().active, is: [other], "the active ones")
            try harness.set(one, true)
            try require(try edges(of: inputs, pump).map(\.line), is: [one], "the lines")
        },
        Rule("are not held after they could not be taken, even where they were before") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            _ = try inputs.acquire()
            try harness.setPresent(false)
            try requireFailure(LinesFault.self, "acquire without a chip") { _ = try inputs.acquire() }
            // The fault is told already, and not a second time.
            try pump.requireAsleep(inputs)
            try harness.setPresent(true)
            try harness.set(harness.lines.0, true)
            try pump.requireAsleep(inputs)
        },
    ]

    /// The next changes, one at least.
    private static func edges(of inputs: any Inputs, _ pump: EventPump) throws -> [Edge] {
        try pump.nextEvents(of: inputs, "an edge").flatMap { event throws -> [Edge] in
            guard case .edges(let edges) = event else { throw BrokenRule("instead of edges: \(event)") }
            return edges
        }
    }
}
