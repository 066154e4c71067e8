import FoundationEssentials
import NodeTestSupport
import TestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Several nodes and one broker in virtual time: each node has clocks of its own, and each message takes its time.
struct Hall {
    /// A node with its machine.
    struct Machine {
        var configuration: NodeConfiguration
        /// What the clocks showed when the story began, and how much faster than others the boot clock goes.
        var bootClock: Duration
        var wallClock: Date
        var partsPerMillion: Double
        var boot: String

        fileprivate(set) var core: NodeCore?
        fileprivate(set) var saved: [UInt8]?
        fileprivate(set) var savedRuns: [UInt8]?
        fileprivate(set) var logs: [String] = []
        /// Each change of the lamps, with the time of the story.
        fileprivate(set) var changes: [(at: Duration, lit: String)] = []
        fileprivate(set) var published: [(at: Duration, message: OutgoingMessage)] = []
        fileprivate var levels: [OutputName: Bool] = [:]
        fileprivate var filters: [TopicFilter] = []
        fileprivate var will: OutgoingMessage?
        fileprivate(set) var isConnected = false

        fileprivate func moment(_ time: Duration) -> Moment {
            Moment(
                instant: TimerEngine.Instant(sinceEpoch: bootClock + time * (1 + partsPerMillion / 1e6)),
                date: wallClock.addingTimeInterval(time.inSeconds))
        }

        /// The time of the story at an instant of its boot clock, rounded up.
        fileprivate func time(of instant: TimerEngine.Instant) -> Duration {
            let exact = (instant.sinceEpoch - bootClock) / (1 + partsPerMillion / 1e6)
            return .nanoseconds(exact.count(of: .nanoseconds(1)) + 10)
        }

        /// The outputs that are on.
        var lit: String {
            let on = levels.filter(\.value).keys.sorted()
            return on.isEmpty ? "dark" : on.joined(separator: "+")
        }
    }

    private(set) var time: Duration = .zero
    var machines: [String: Machine] = [:]
    private var random: SeededGenerator
    private var deliveries: [(at: Duration, to: String, event: NodeEvent)] = []
    private var retained: [String: OutgoingMessage] = [:]
    private(set) var isBrokerThere = true
    /// How long a message is on its way from a node to the broker, or from there to a node.
    var delays: ClosedRange<Double> = 0.0001...0.001

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: What happens

    /// Adds a node, and starts it.
    mutating func add(
        _ id: String, follows leader: String? = nil, _ start: Int = 6, _ warning: Int = 4, _ final: Int = 2,
        bootClock: Duration = .seconds(1000), hoursAhead: Double = 0, partsPerMillion: Double = 0,
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = NodeConfiguration(node: .init(id: id, groups: ["hall-a"]))
        configuration.mqtt = .init(brokers: [Broker(host: "broker.test")], clientID: id)
        configuration.mqtt?.healthInterval = .zero
        configuration.mqtt?.discovery.style = .none
        configuration.storage = .init(directory: "/nowhere")
        configuration.timers = .init(
            name: "Talk", thresholds: try TimerEngine.Thresholds(start: start, warning: warning, final: final))
        configuration.follow = leader.map { NodeConfiguration.Follow(node: $0, prefix: "timer") }
        configure(&configuration)
        machines[id] = Machine(
            configuration: configuration, bootClock: bootClock,
            wallClock: Date(timeIntervalSince1970: 1_700_000_000 + hoursAhead * 3600),
            partsPerMillion: partsPerMillion, boot: "boot of \(id)")
        self.start(id)
    }

    /// Starts a node's process, with what an earlier one saved.
    mutating func start(_ id: String) {
        guard let machine = machines[id] else { return }
        machines[id]?.core = NodeCore(
            configuration: machine.configuration, seed: UInt64.random(in: .min ... .max, using: &random))
        handle(
            [.runsLoaded(machine.savedRuns), .started(saved: machine.saved, boot: machine.boot)], by: id)
    }

    /// Kills a node's process: what it had is gone, and the broker notices.
    mutating func kill(_ id: String) {
        machines[id]?.core = nil
        dropConnection(of: id, publishesWill: true)
    }

    /// A node's process stands still, which the broker does not notice; ``start(_:)`` begins another one.
    mutating func hang(_ id: String) { machines[id]?.core = nil }

    /// The machine is off for a while and started anew.
    mutating func reboot(_ id: String, after off: Duration = .seconds(1)) {
        kill(id)
        wait(off)
        machines[id]?.boot += " anew"
        let rate = 1 + (machines[id]?.partsPerMillion ?? 0) / 1e6
        machines[id]?.bootClock = .seconds(10) - time * rate
        start(id)
    }

    mutating func reload(_ id: String, _ change: (inout NodeConfiguration) -> Void) {
        guard var configuration = machines[id]?.configuration else { return }
        change(&configuration)
        machines[id]?.configuration = configuration
        guard let now = machines[id]?.moment(time) else { return }
        let effects = machines[id]?.core?.reconfigure(configuration, at: now) ?? []
        handle(perform(effects, of: id) + perform(machines[id]?.core?.conclude() ?? [], of: id), by: id)
    }

    /// The broker is killed, and keeps nothing; or it is there again.
    mutating func setBroker(there isThere: Bool) {
        isBrokerThere = isThere
        if isThere { return }
        retained = [:]
        for id in machines.keys.sorted() where machines[id]?.isConnected == true {
            dropConnection(of: id, publishesWill: false)
            deliver(.connection(.lost(ConnectionError("the broker is gone"))), to: id)
        }
    }

    /// Somebody publishes something.
    mutating func publish(_ topic: String, _ payload: String = "", retain: Bool = false) {
        route(OutgoingMessage(topic: topic, text: payload, retain: retain))
    }

    /// Sends a command, waits a moment and returns the response.
    @discardableResult
    mutating func send(
        _ verb: String, _ payload: String = "", to node: String, waiting: Duration = .milliseconds(50)
    ) -> JSON? {
        let first = machines.mapValues { $0.published.count }
        publish("timer/\(node)/command/\(verb)", payload)
        wait(waiting)
        return responses(of: node).last { $0.index >= first[node] ?? 0 && $0.json["command"] == .string(verb) }?.json
    }

    /// Something reaches a node by another way.
    mutating func happens(_ event: NodeEvent, to id: String) { handle([event], by: id) }

    /// Presses a button of a node.
    mutating func press(_ line: InputName, on id: String) {
        guard let now = machines[id]?.moment(time).instant else { return }
        handle([.edges([Edge(line: line, isActive: true, at: now)])], by: id)
        handle([.edges([Edge(line: line, isActive: false, at: now)])], by: id)
    }

    /// Time passes.
    mutating func wait(_ duration: Duration) {
        let end = time + duration
        while let next = nextTime, next <= end {
            time = max(time, next)
            step()
        }
        time = end
    }

    // MARK: What is seen

    /// The payloads of one of a node's topics, in order.
    func payloads(_ topic: String, of node: String) -> [String] {
        machines[node]?.published.filter { $0.message.topic == "timer/\(node)/\(topic)" }.map { $0.message.text } ?? []
    }

    func state(of node: String) -> JSON? {
        payloads("state", of: node).last.flatMap { try? JSON(parsing: Array($0.utf8)) }
    }

    /// What a node said of itself last.
    func follow(of node: String) -> JSON? {
        payloads("health", of: node).last.flatMap { try? JSON(parsing: Array($0.utf8)) }?["follow"]
    }

    private func responses(of node: String) -> [(index: Int, json: JSON)] {
        (machines[node]?.published ?? []).enumerated().compactMap { index, published in
            guard published.message.topic == "timer/\(node)/response",
                let json = try? JSON(parsing: published.message.payload)
            else { return nil }
            return (index, json)
        }
    }

    /// The changes of a node's lamps since a time of the story.
    func changes(of node: String, since start: Duration = .zero) -> [(at: Duration, lit: String)] {
        machines[node]?.changes.filter { $0.at >= start } ?? []
    }
}

// MARK: - How it goes

extension Hall {
    private var nextTime: Duration? {
        let wakes = machines.values.compactMap { machine in machine.core?.nextInstant.map { machine.time(of: $0) } }
        return (wakes + deliveries.map(\.at)).min()
    }

    private mutating func step() {
        // One after the other, in the order in which they were sent.
        if let place = deliveries.indices.filter({ deliveries[$0].at <= time }).min(by: {
            deliveries[$0].at < deliveries[$1].at
        }) {
            let delivery = deliveries.remove(at: place)
            return handle([delivery.event], by: delivery.to)
        }
        for id in machines.keys.sorted() {
            guard let machine = machines[id], let due = machine.core?.nextInstant, machine.time(of: due) <= time
            else { continue }
            handle([.timePassed], by: id)
        }
    }

    private mutating func handle(_ events: [NodeEvent], by id: String) {
        var events = events
        while !events.isEmpty, let now = machines[id]?.moment(time), machines[id]?.core != nil {
            let first = machines[id]?.core?.handle(events, at: now) ?? []
            events = perform(first, of: id)
            events += perform(machines[id]?.core?.conclude() ?? [], of: id)
        }
    }

    private mutating func perform(_ effects: [NodeEffect], of id: String) -> [NodeEvent] {
        var events: [NodeEvent] = []
        for effect in effects {
            switch effect {
            case .acquireOutputs(let levels):
                set(levels, of: id)
                events.append(.outputsAcquired(HeldOutputs(chip: "chip", backend: "memory")))
            case .setOutputs(let levels): set(levels, of: id)
            case .acquireInputs: events.append(.inputsAcquired(HeldInputs(areDebounced: true)))
            case .connect(let options):
                machines[id]?.will = options.will
                deliver(.connection(isBrokerThere ? .connected : .lost(ConnectionError("no broker"))), to: id)
            case .disconnect: dropConnection(of: id, publishesWill: false)
            case .subscribe(let subscriptions): subscribe(subscriptions, for: id)
            case .publish(let message):
                machines[id]?.published.append((time, message))
                if machines[id]?.isConnected == true { route(message) }
            case .save(let state, let runs, let number):
                machines[id]?.saved = state.document
                if let runs { machines[id]?.savedRuns = SavedRuns.document(of: runs) }
                events.append(.stored(number))
            case .setAside(let what): events.append(.setAside(what, .success("aside")))
            case .measureMemory: events.append(.memoryMeasured(nil))
            case .checkClock: events.append(.clockChecked(isTrusted: true))
            case .log(_, let text): machines[id]?.logs.append(text)
            case .exit: machines[id]?.core = nil
            case .releaseOutputs, .show, .announce, .readTimeZones: break
            }
        }
        return events
    }

    private mutating func set(_ levels: [OutputName: Bool], of id: String) {
        machines[id]?.levels.merge(levels) { $1 }
        if let lit = machines[id]?.lit, machines[id]?.changes.last?.lit != lit {
            machines[id]?.changes.append((time, lit))
        }
    }

    private mutating func subscribe(_ subscriptions: [Subscription], for id: String) {
        machines[id]?.filters += subscriptions.compactMap { try? TopicFilter($0.filter) }
        for subscription in subscriptions where subscription.sendsRetained {
            guard let message = retained[subscription.filter] else { continue }
            deliver(.connection(.message(message.incoming(retained: true))), to: id, ways: 2)
        }
    }

    private mutating func route(_ message: OutgoingMessage) {
        guard isBrokerThere else { return }
        if message.retain { retained[message.topic] = message.payload.isEmpty ? nil : message }
        for id in machines.keys.sorted() where machines[id]?.isConnected == true {
            let isHeard = machines[id]?.filters.contains { $0.matches(message.topic) }
            if isHeard == true { deliver(.connection(.message(message.incoming(retained: false))), to: id, ways: 2) }
        }
    }

    /// Delivers something after a while, but not before what was sent to the same node earlier.
    private mutating func deliver(_ event: NodeEvent, to id: String, ways: Int = 1) {
        let delay = (0..<ways).reduce(0.0) { sum, _ in sum + Double.random(in: delays, using: &random) }
        let earliest = deliveries.last { $0.to == id }?.at ?? .zero
        deliveries.append((max(time + .seconds(delay), earliest), id, event))
        if case .connection(.connected) = event { machines[id]?.isConnected = true }
    }

    private mutating func dropConnection(of id: String, publishesWill: Bool) {
        let wasConnected = machines[id]?.isConnected == true
        machines[id]?.isConnected = false
        machines[id]?.filters = []
        deliveries.removeAll { $0.to == id }
        if publishesWill, wasConnected, let will = machines[id]?.will { route(will) }
    }
}

extension OutgoingMessage {
    fileprivate func incoming(retained: Bool) -> IncomingMessage {
        IncomingMessage(topic: topic, payload: payload, retained: retained)
    }
}
