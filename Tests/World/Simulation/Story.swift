import BrokerLink
package import NodeConfiguration
package import TimerProtocol
import WorldChecker

/// What people do and what breaks, in order. Playing the same story twice gives the same history.
package struct Story: Sendable {
    /// Determines the delays, the places where things break, and the ids of runs.
    package let seed: UInt64
    package var setting: Setting
    package var duration: Duration
    package var events: [Event]
    /// Whether each node records a tape, which must replay without a difference.
    package var isTaped = false

    /// An event at a time.
    package struct Event: Sendable, CustomStringConvertible {
        package let time: Duration
        package let action: Action

        /// An event at a time, in seconds since the beginning.
        package init(_ seconds: Double, _ action: Action) {
            self.init(time: .seconds(seconds), action: action)
        }

        init(time: Duration, action: Action) { (self.time, self.action) = (time, action) }

        package var description: String { "\(time.clockText) \(action)" }
    }

    /// The machines and the broker.
    package struct Setting: Sendable {
        package var nodes: [Node] = []
        /// The date when the world begins, in seconds since 1970.
        package var start = 1_795_800_000.0
        /// The servers of the broker.
        package var members = 1
        /// Whether the broker speaks only MQTT 3.1.1.
        package var isOldBroker = false
        package var clients = 1

        /// No machines, and a broker of one server that speaks MQTT 5.
        package init() {}
    }

    /// Creates a story.
    package init(seed: UInt64, setting: Setting, duration: Duration, events: [Event]) {
        (self.seed, self.setting, self.duration, self.events) = (seed, setting, duration, events)
    }

    /// A machine with a node.
    package struct Node: Sendable {
        package let id: String
        package var configuration: NodeConfiguration
        /// How long the machine has been running when the world begins.
        package var uptime: Duration
        /// How much faster its clock runs than it should.
        package var partsPerMillion: Double
        /// How many seconds its wall clock is ahead of the right time.
        package var secondsAhead: Double
    }

    /// Something that happens. What cannot happen, such as a kill without a process, does nothing.
    package enum Action: Sendable {
        // What people do.
        /// Publishes any message, as another device or program.
        case publish(topic: String, payload: String, retain: Bool)
        /// A client sends a command; `fields` are the members of its JSON payload.
        case send(client: Int, Verb, fields: String, node: String)
        /// Holds a button down.
        case press(line: String, node: String, for: Duration)
        /// Changes the configuration and reloads it.
        case reload(node: String, Change)

        // What breaks, and for how long.
        case kill(node: String)
        case terminate(node: String)
        /// Stops the service, and starts it again later.
        case stopService(node: String, for: Duration)
        case hang(node: String, for: Duration)
        case reboot(node: String, off: Duration)
        case unplug(node: String, for: Duration)
        case disk(node: String, DiskCondition, for: Duration)
        case setClock(node: String, by: Double)
        /// Breaks a connection after a fraction of the bytes in flight.
        case cut(node: String, fraction: Double)
        case cutOff(node: String, for: Duration)
        case slowNetwork(node: String, for: Duration)
        case cutClient(Int, fraction: Double)
        case cutOffClient(Int, for: Duration)
        case stopBroker(member: Int, keepsRetained: Bool, for: Duration)
        case freezeBroker(member: Int, for: Duration)
        case partition(for: Duration)
        /// The access list forbids a topic.
        case forbid(filter: String, for: Duration)
    }

    /// A change of the configuration.
    package enum Change: Sendable {
        case healthInterval(Duration)
        case tickEvery(Duration)
        case rename(String)
        /// The first timer has another length, in seconds.
        case start(Int)
        /// The node follows another one, or none.
        case follow(String?)
    }
}

extension Story.Node {
    /// A node with one timer of 5:00, on a machine with exact clocks.
    package init(_ id: String) {
        self.init(
            id: id, configuration: Self.configuration(id, members: 1), uptime: .seconds(1000), partsPerMillion: 0,
            secondsAhead: 0)
    }

    /// A configuration with a broker and storage.
    static func configuration(_ id: String, members: Int) -> NodeConfiguration {
        var configuration = NodeConfiguration(node: .init(id: id, groups: ["hall"]))
        configuration.mqtt = .init(
            brokers: (0..<members).map { Broker(host: "broker-\($0).test") }, clientID: "timer-node-\(id)")
        configuration.mqtt?.discovery.style = .none
        configuration.storage = .init(directory: "/var/lib/timer-node")
        return configuration
    }

    /// Devices that show two lamps, the mode and the digits.
    package static func mirrors(of id: String) -> [NodeConfiguration.Mirror] {
        let outputs: [NodeConfiguration.Mirror] = ["green", "red"].map { name in
            .init(topic: "mirror/\(id)/\(name)", .output(name, on: "on", off: "off", blink: "blink"))
        }
        let modes = ModeName.allCases.map { ($0, try? MirrorText($0.rawValue)) }
        let texts = Dictionary(uniqueKeysWithValues: modes).compactMapValues(\.self)
        let digits = try? MirrorText("{display} {mode} {color} {speaker} {message}")
        return outputs + [.init(topic: "mirror/\(id)/mode", .mode(texts), retain: true)]
            + (digits.map { [.init(topic: "mirror/\(id)/digits", .digits($0, every: .seconds(1)), qos: .atMostOnce)] }
                ?? [])
    }
}
