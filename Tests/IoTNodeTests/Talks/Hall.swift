import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodePorts
import NodeTestSupport
import TestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Several nodes and one broker in virtual time. Each node has its own clocks, and each message has a delay.
struct Hall {
    /// A node and its machine.
    struct Machine {
        var configuration: NodeConfiguration
        /// The initial readings of the clocks, and how much faster the boot clock runs than the other clocks.
        var bootClock: Duration
        var wallClock: Date
        var partsPerMillion: Double
        var boot: String

        var core: NodeCore?
        var saved: [UInt8]?
        var savedRuns: [UInt8]?
        var logs: [String] = []
        /// Each change of the lamps, with the time since the beginning.
        var changes: [(at: Duration, lit: String)] = []
        var published: [(at: Duration, message: OutgoingMessage)] = []
        var levels: [OutputName: Bool] = [:]
        var filters: [TopicFilter] = [] {
            didSet { heard = [:] }
        }
        /// A cache of whether the filters match a topic.
        var heard: [String: Bool] = [:]
        var will: OutgoingMessage?
        var isConnected = false

        func moment(_ time: Duration) -> Moment {
            Moment(
                instant: Instant(sinceEpoch: bootClock + time * (1 + partsPerMillion / 1e6)),
                date: wallClock.addingTimeInterval(time.inSeconds))
        }

        /// Returns the time since the beginning at an instant of its boot clock, rounded up.
        func time(of instant: Instant) -> Duration {
            let exact = (instant.sinceEpoch - bootClock) / (1 + partsPerMillion / 1e6)
            return .nanoseconds(exact.count(of: .nanoseconds(1)) + 10)
        }

        /// The outputs that are on.
        var lit: String {
            let on = levels.filter(\.value).keys.sorted()
            return on.isEmpty ? "dark" : on.joined(separator: "+")
        }
    }

    var time: Duration = .zero
    var machines: [String: Machine] = [:]
    var random: SeededGenerator
    var deliveries: [(at: Duration, to: String, event: NodeEvent)] = []
    var retained: [String: OutgoingMessage] = [:]
    private(set) var isBrokerThere = true
    /// The messages that were sent to the broker since it hung; nil while it works.
    var held: [OutgoingMessage]?
    /// The nodes that the broker refuses.
    var unreachable: Set<String> = []
    /// How many times each message is delivered.
    var copies = 1
    /// How long a message takes from a node to the broker, or from there to a node.
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
            name: "Talk", thresholds: try Thresholds(start: start, warning: warning, final: final))
        configuration.follow = leader.map { NodeConfiguration.Follow(node: $0, prefix: "timer") }
        configure(&configuration)
        machines[id] = Machine(
            configuration: configuration, bootClock: bootClock,
            wallClock: Date(timeIntervalSince1970: 1_700_000_000 + hoursAhead * 3600),
            partsPerMillion: partsPerMillion, boot: "boot of \(id)")
        self.start(id)
    }

    /// Starts a node's process with the saved state of an earlier one.
    mutating func start(_ id: String) {
        guard let machine = machines[id] else { return }
        machines[id]?.core = NodeCore(
            configuration: machine.configuration, seed: UInt64.random(in: .min ... .max, using: &random))
        handle(
            [.runsLoaded(machine.savedRuns), .started(saved: machine.saved, boot: machine.boot)], by: id)
    }

    /// Kills a node's process: its memory is lost, and the broker notices.
    mutating func kill(_ id: String) {
        machines[id]?.core = nil
        dropConnection(of: id, publishesWill: true)
    }

    /// Freezes a node's process, which the broker does not notice; ``start(_:)`` starts a new one.
    mutating func hang(_ id: String) { machines[id]?.core = nil }

    /// Switches the machine off for a while and boots it again.
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
        guard let turn = machines[id]?.core?.reconfigure(configuration, at: now) else { return }
        handle(perform(turn, of: id), by: id)
    }

    /// Kills the broker, which keeps only the data on its disk, or starts it again.
    mutating func setBroker(there isThere: Bool, keepsRetained: Bool = false) {
        isBrokerThere = isThere
        if isThere { return }
        if !keepsRetained { retained = [:] }
        for id in machines.keys.sorted() { loseConnection(of: id, publishesWill: false) }
    }

    /// Freezes the broker: it accepts messages but delivers none until it wakes.
    mutating func freezeBroker() { held = [] }

    /// Makes the nodes notice that the broker hangs, because nothing arrived within the keep-alive; it accepts no
    /// connections either.
    mutating func missBroker() { setBroker(there: false, keepsRetained: true) }

    mutating func thawBroker() {
        let late = held ?? []
        held = nil
        setBroker(there: true)
        for message in late { route(message) }
    }

    /// Breaks a node's connection, as when another client uses its client id.
    mutating func loseConnection(of id: String, publishesWill: Bool = true) {
        guard machines[id]?.isConnected == true else { return }
        dropConnection(of: id, publishesWill: publishesWill)
        deliver(.connection(.lost(ConnectionError("the connection is gone"))), to: id)
    }

    /// Publishes a message as another client.
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

    /// Passes an event from a source other than the broker to a node.
    mutating func happens(_ event: NodeEvent, to id: String) { handle([event], by: id) }

    /// Presses a button of a node.
    mutating func press(_ line: InputName, on id: String) {
        guard let now = machines[id]?.moment(time).instant else { return }
        handle([.inputs(.edges([Edge(line: line, isActive: true, at: now)]))], by: id)
        handle([.inputs(.edges([Edge(line: line, isActive: false, at: now)]))], by: id)
    }

    /// Lets time pass.
    mutating func wait(_ duration: Duration) {
        let end = time + duration
        while let next = nextTime, next <= end {
            time = max(time, next)
            step()
        }
        time = end
    }

    // MARK: What is seen

    /// Returns the payloads on one of a node's topics, in order.
    func payloads(_ topic: String, of node: String) -> [String] {
        machines[node]?.published.filter { $0.message.topic == "timer/\(node)/\(topic)" }.map { $0.message.text } ?? []
    }

    func state(of node: String) -> JSON? {
        payloads("state", of: node).last.flatMap { try? JSON(parsing: Array($0.utf8)) }
    }

    /// Returns a node's last state.
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

    /// Returns the changes of a node's lamps since a time.
    func changes(of node: String, since start: Duration = .zero) -> [(at: Duration, lit: String)] {
        machines[node]?.changes.filter { $0.at >= start } ?? []
    }
}
