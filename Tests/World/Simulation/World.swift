import BrokerLink
import IoTNode
import NodeConfiguration
import NodeTape
import NodeTestSupport
import TestSupport
import TimerProtocol
package import WorldChecker

/// Machines with nodes, a broker, clients and people, in virtual time. One seed determines everything.
///
/// The nodes run the real loop and the real core. Everything that happens is passed to a checker, which stops the world
/// at the first difference.
package final class World {
    /// The time since the world began.
    private(set) var time: Duration = .zero
    private(set) lazy var broker = ModelBroker(
        self, members: setting.members, isOld: setting.isOldBroker)
    private(set) var machines: [Machine] = []
    private(set) var clients: [Client] = []
    private let seed: UInt64
    let setting: Story.Setting
    private var plans = Plans()
    private var checker = Checker()
    /// When something happened last, and how much has happened at that time.
    private var (lastStep, stepsAtOnce) = (Duration.zero, 0)
    /// The most steps at one instant. A process or a client that takes more would never let time pass.
    private static let mostStepsAtOnce = 100_000
    /// The first difference.
    private var violation: Violation?
    /// From when the history is printed; nil for never.
    private var tellsFrom: Duration?

    /// Is passed the history.
    private let watch: (Entry) -> Void
    private let isTaped: Bool

    private init(_ story: Story, _ watch: @escaping (Entry) -> Void) {
        (seed, setting, isTaped, self.watch) = (story.seed, story.setting, story.isTaped, watch)
    }

    /// Runs a story to its end, and lets the world settle; returns the first difference, or nil.
    ///
    /// - Parameters:
    ///   - start: from when the history is printed; nil for never.
    ///   - watch: is passed the history.
    package static func play(
        _ story: Story, tellingFrom start: Duration? = nil, watch: @escaping (Entry) -> Void = { _ in }
    ) -> Outcome {
        let world = World(story, watch)
        world.tellsFrom = start
        world.build()
        for event in story.events { world.at(event.time) { [unowned world] in world.perform(event.action) } }
        world.run(until: story.duration)
        world.heal()
        world.run(until: story.duration + .seconds(180))
        world.settle()
        return Outcome(violation: world.violation, reached: world.checker.reached, counts: world.checker.counts)
    }

    /// The result of a story.
    package struct Outcome: Sendable {
        package let violation: Violation?
        /// How often each rare state was reached.
        package let reached: [RareState: Int]
        package let counts: Counts
    }

    // MARK: Time

    /// Plans what happens at a time.
    func at(_ time: Duration, _ action: @escaping () -> Void) { plans.add(max(time, self.time), action) }

    private func run(until end: Duration) {
        while violation == nil {
            let next = machines.reduce(plans.nextTime) { earliest, machine in
                guard let due = machine.nextTime() else { return earliest }
                return earliest.map { min($0, due) } ?? due
            }
            let earliest = clients.reduce(next) { earliest, client in
                earliest.map { min($0, client.nextTime()) } ?? client.nextTime()
            }
            guard let earliest, earliest <= end else { break }
            time = max(time, earliest)
            step()
        }
        time = max(time, end)
    }

    /// Does the next thing that is due.
    private func step() {
        stepsAtOnce = time == lastStep ? stepsAtOnce + 1 : 0
        lastStep = time
        let isStuck = stepsAtOnce > Self.mostStepsAtOnce
        if let action = plans.takeNext(before: time) {
            action()
            if isStuck { fail("waiting", "something is always planned for now", on: "world") }
        } else if let machine = machines.first(where: { $0.nextTime().map { $0 <= time } ?? false }) {
            machine.step()
            if isStuck { fail("waiting", "the process never waits", on: machine.id) }
        } else if let client = clients.first(where: { $0.nextTime() <= time }) {
            client.step()
            if isStuck { fail("waiting", "the client never waits", on: client.machine.id) }
        }
    }

    // MARK: The history

    func note(_ what: What, on machine: Machine) { note(what, on: machine.id) }

    func note(_ what: What, on id: String) {
        guard violation == nil else { return }
        let entry = Entry(time: time, machine: id, what: what)
        if isTelling { show(entry) }
        watch(entry)
        violation = checker.read(entry)
    }

    /// Stops the world because of a difference that its history does not show.
    func fail(_ law: String, _ text: String, on id: String) {
        if violation == nil { violation = Violation(time: time, machine: id, law: law, text: text) }
    }

    func noteSaid(_ message: OutgoingMessage, by machine: Machine) {
        let content: What.Said =
            switch message.content {
            case .message(let message): .message(message)
            case .bytes(let bytes):
                // A node that records a tape encodes its messages before it sends them.
                message.topic.split(separator: "/").last.flatMap { TopicKind(rawValue: String($0)) }
                    .flatMap { try? PublishedMessage($0, bytes) }.map { .message($0) } ?? .bytes(bytes)
            }
        note(.said(topic: message.topic, content), on: machine)
    }

    private var isTelling: Bool { tellsFrom.map { $0 <= time } ?? false }

    func tell(_ machine: Machine, _ text: String) {
        if isTelling { Swift.print("\(time.clockText) \(machine.id): \(text)") }
    }

    private func show(_ entry: Entry) {
        let text: String
        switch entry.what {
        case .counted, .size: return
        case .said(_, .message(.tick)), .said(_, .message(.timers)): return
        case .said(_, .message(.response(let response))) where response.command == "time": return
        case .heard(let topic, _, _)
        where topic.hasSuffix("/time") || topic.hasSuffix("/response") || topic.hasSuffix("\(entry.machine)/state"):
            return
        case .said(let topic, let said): text = "says \(topic) \(String(decoding: said.payload, as: UTF8.self))"
        case .heard(let topic, let payload, _): text = "hears \(topic) \(String(decoding: payload, as: UTF8.self))"
        default: text = "\(entry.what)"
        }
        Swift.print("\(entry.time.clockText) \(entry.machine): \(text)")
    }

    // MARK: The setting

    private func build() {
        for (place, node) in setting.nodes.enumerated() {
            let machine = Machine(
                self, id: node.id, seed: seed &+ UInt64(place) &* 15_485_863, configuration: node.configuration,
                uptime: node.uptime, ppm: node.partsPerMillion,
                wallClock: setting.start + node.secondsAhead, isTaped: isTaped)
            machines.append(machine)
            machine.start()
        }
        for place in 0..<setting.clients {
            clients.append(Client(self, id: "client-\(place)", seed: seed &+ UInt64(place) &* 32_452_843))
        }
        at(.seconds(600)) { [unowned self] in measure() }
    }

    private func measure() {
        machines.forEach { $0.measure() }
        at(time + .seconds(600)) { [unowned self] in measure() }
    }

    /// Counts the elements in all collections of a core.
    func noteSize(of core: NodeCore, on machine: Machine) {
        var census = Census()
        census.count(core, at: "core")
        note(.size(census.total, largest: census.largest), on: machine)
    }

    // MARK: The end

    /// Ends everything that keeps the world from working.
    private func heal() {
        for member in broker.members.indices {
            broker.freeze(member, false)
            broker.setMember(member, isUp: true)
        }
        broker.setPartition(false)
        broker.forbidden.forEach(broker.allow)
        for machine in machines {
            machine.hang(false)
            machine.cutOff(false)
            machine.disk.condition = .good
            machine.chip.plugIn()
            machine.delay = Machine.usualDelay
            machine.setService(true)
        }
        clients.forEach { $0.cutOff(false) }
    }

    /// Compares what is left with what must be.
    private func settle() {
        guard violation == nil else { return }
        for machine in machines {
            let prefix = "timer/\(machine.id)/"
            note(.settled(broker.retained.filter { $0.key.hasPrefix(prefix) }), on: machine)
            guard let tape = machine.tape else { continue }
            do throws(TapeError) { try replay(tape, of: machine) } catch { fail("tape", "\(error)", on: machine.id) }
        }
    }

    /// Replays a tape, and one of its processes from the middle to its end.
    private func replay(_ tape: MemoryTape, of machine: Machine) throws(TapeError) {
        let segments = try Tape(tape.segments).segments
        try replay(segments.indices, of: tape, of: machine)
        let middles = segments.indices.filter { segments[$0].header.state != nil }
        guard !middles.isEmpty else { return }
        let middle = middles[middles.count / 2]
        let end = segments[middle...].firstIndex { $0.header.state == nil } ?? segments.endIndex
        try replay(middle..<end, of: tape, of: machine)
    }

    private func replay(_ range: Range<Int>, of tape: MemoryTape, of machine: Machine) throws(TapeError) {
        let part = try Tape(Array(tape.segments[range]))
        let replay = try tape.replay(part)
        let place = "segments \(range) of \(tape.segments.count)"
        // A replay that began in the middle gets into step when a state is published. A follower may stay out of step,
        // because the answers to its requests for its leader's time have ids that it does not know.
        let states = part.segments.flatMap(\.turns).count { $0.decisions.contains(where: \.isOwnState) }
        if replay.compared == 0, states > 20 {
            let text = "\(replay.uncompared) turns in \(place) with \(states) states were not compared"
            fail("tape", text, on: machine.id)
        }
        guard let difference = replay.differences.first else { return }
        fail(
            "tape",
            "\(replay.differences.count) turns in \(place) differ:\n"
                + difference.text(prefix: "timer/\(machine.id)/").joined(separator: "\n"), on: machine.id)
    }
}
