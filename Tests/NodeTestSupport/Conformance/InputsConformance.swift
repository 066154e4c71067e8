package import BrokerLink
package import NodeConfiguration
package import NodePorts

/// Inputs with two buttons that a test presses and releases. Both are up at first.
package protocol InputsHarness: AnyObject {
    var clock: any NodeClock { get }
    /// The two lines.
    var lines: (InputName, InputName) { get }
    /// Returns the inputs of a process that has just started.
    func makeInputs() throws -> any Inputs
    /// Presses or releases a button.
    func set(_ line: InputName, _ isDown: Bool) throws
    /// Unplugs the chip, or plugs it in; all buttons are up afterwards.
    func setPresent(_ isPresent: Bool) throws
}

/// The rules for ``Inputs``.
package enum InputsConformance {
    package static let rules: [Rule<any InputsHarness>] = [
        Rule("report nothing before they are acquired") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            try harness.set(harness.lines.0, true)
            try pump.requireInactive(inputs)
        },
        Rule("report which lines are active when they are acquired") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            try require(try inputs.acquire().active, is: [], "the active lines")
            try pump.requireIdle(inputs)
            var active: Set<InputName> = []
            for (line, isDown) in [(other, true), (one, true), (other, false)] {
                try harness.set(line, isDown)
                // A chip may report a change a little later than its level changes.
                try pump.awaitEvents(of: inputs)
                if isDown { active.insert(line) } else { active.remove(line) }
                try require(try inputs.acquire().active, is: active, "the active lines")
                try pump.requireIdle(inputs)
            }
        },
        Rule("report each change once, in order, with its level and an instant between before and after") { harness in
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
                try require(edges.allSatisfy { time.contains($0.instant) }, "\(edges) are not in \(time)")
                try pump.requireIdle(inputs)
            }
        },
        Rule("report no change when a line is set to its current level") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            try harness.set(one, true)
            try require(try edges(of: inputs, pump).map(\.line), is: [one], "the lines")
            try harness.set(one, true)
            try harness.set(other, true)
            try require(try edges(of: inputs, pump).map(\.line), is: [other], "the lines")
        },
        Rule("report all changes so far, and the last change of each line has its current level") { harness in
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
        Rule("report no earlier changes when they are acquired again, and hold each line once") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            try harness.set(one, true)
            try pump.awaitEvents(of: inputs)
            try require(try inputs.acquire().active, is: [one], "the active lines")
            try harness.set(other, true)
            let edges = try edges(of: inputs, pump)
            try require(edges.map(\.line), is: [other], "the lines")
        },
        Rule("report a loss once, then wait for nothing, and work again after the fault") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            let (one, other) = harness.lines
            _ = try inputs.acquire()
            try harness.setPresent(false)
            let events = try pump.nextEvents(of: inputs, "the loss")
            guard case .failed? = events.first, events.count == 1 else {
                throw BrokenRule("they reported a loss as \(events)")
            }
            try pump.requireInactive(inputs)
            // The return of the chip is not enough.
            try harness.setPresent(true)
            try harness.set(one, true)
            try pump.requireInactive(inputs)
            try harness.set(one, false)
            try harness.setPresent(false)
            for _ in 1...2 {
                try requireFailure(LinesFault.self, "acquire without a chip") { _ = try inputs.acquire() }
                try pump.requireInactive(inputs)
            }
            try harness.setPresent(true)
            try harness.set(other, true)
            try pump.requireInactive(inputs)
            try require(try inputs.acquire().active, is: [other], "the active lines")
            try harness.set(one, true)
            try require(try edges(of: inputs, pump).map(\.line), is: [one], "the lines")
        },
        Rule("are not held after they could not be acquired, even if they were held before") { harness in
            let (inputs, pump) = (try harness.makeInputs(), EventPump(clock: harness.clock))
            _ = try inputs.acquire()
            try harness.setPresent(false)
            try requireFailure(LinesFault.self, "acquire without a chip") { _ = try inputs.acquire() }
            // The fault has already been reported, and is not reported again.
            try pump.requireInactive(inputs)
            try harness.setPresent(true)
            try harness.set(harness.lines.0, true)
            try pump.requireInactive(inputs)
        },
    ]

    /// Waits for the next changes, and returns at least one.
    private static func edges(of inputs: any Inputs, _ pump: EventPump) throws -> [Edge] {
        try pump.nextEvents(of: inputs, "an edge").flatMap { event throws -> [Edge] in
            guard case .edges(let edges) = event else { throw BrokenRule("they reported \(event) instead of edges") }
            return edges
        }
    }
}
