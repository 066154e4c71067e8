import BrokerLink
import IoTNode
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

    /// An event at a time.
    package struct Event: Sendable, CustomStringConvertible {
        package let time: Duration
        package let action: Action

        package var description: String { "\(time.clockText) \(action)" }
    }

    /// The machines and the broker.
    package struct Setting: Sendable {
        package var nodes: [Node] = []
        /// The servers of the broker.
        package var members = 1
        /// Whether the broker speaks only MQTT 3.1.1.
        package var isOldBroker = false
        package var clients = 1
    }

    /// A machine with a node.
    package struct Node: Sendable {
        package let id: String
        package var configuration: NodeConfiguration
        /// How long the machine has been running when the world begins.
        package var uptime: Duration
        /// How much faster its clock runs than it should.
        package var partsPerMillion: Double
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
    }
}

extension World {
    /// Lets an action happen now.
    func perform(_ action: Story.Action) {
        switch action {
        case .publish(let topic, let payload, let retain):
            guard let member = broker.members.firstIndex(where: { $0.isUp && !$0.isFrozen }) else { return }
            broker.route(OutgoingMessage(topic: topic, text: payload, retain: retain), from: nil, at: member)
        case .send(let client, let verb, let fields, let node):
            if clients.indices.contains(client) { clients[client].send(verb, fields, to: node) }
        case .press(let line, let node, let length):
            with(node, { $0.chip.press(line, true) }, for: length, { $0.chip.press(line, false) })
        case .reload(let node, let change):
            with(node) { machine in
                switch change {
                case .healthInterval(let interval): machine.configuration.mqtt?.healthInterval = interval
                case .tickEvery(let interval): machine.configuration.mqtt?.tickEvery = interval
                case .rename(let name): machine.configuration.node.name = name
                }
                machine.happens(.reloadRequested)
            }
        case .kill(let node): with(node) { $0.kill() }
        case .terminate(let node): with(node) { $0.terminate() }
        case .hang(let node, let length): with(node, { $0.hang(true) }, for: length, { $0.hang(false) })
        case .reboot(let node, let off): with(node) { $0.reboot(after: off) }
        case .unplug(let node, let length): with(node, { $0.chip.unplug() }, for: length, { $0.chip.plugIn() })
        case .disk(let node, let condition, let length):
            with(node, { $0.disk.condition = condition }, for: length, { $0.disk.condition = .good })
        case .setClock(let node, let seconds): with(node) { $0.setWallClock(by: seconds) }
        case .cut(let node, let fraction): with(node) { $0.cut(after: fraction) }
        case .cutOff(let node, let length): with(node, { $0.cutOff(true) }, for: length, { $0.cutOff(false) })
        case .slowNetwork(let node, let length):
            with(node, { $0.delay = 0.02...0.15 }, for: length, { $0.delay = 0.0002...0.001 })
        case .cutClient(let client, let fraction):
            if clients.indices.contains(client) { clients[client].cut(after: fraction) }
        case .cutOffClient(let client, let length):
            guard clients.indices.contains(client) else { return }
            clients[client].cutOff(true)
            at(time + length) { [unowned self] in clients[client].cutOff(false) }
        case .stopBroker(let member, let keepsRetained, let length):
            broker.setMember(member, isUp: false, keepsRetained: keepsRetained)
            at(time + length) { [unowned self] in broker.setMember(member, isUp: true) }
        case .freezeBroker(let member, let length):
            broker.freeze(member, true)
            at(time + length) { [unowned self] in broker.freeze(member, false) }
        case .partition(let length):
            broker.setPartition(true)
            at(time + length) { [unowned self] in broker.setPartition(false) }
        case .forbid(let filter, let length):
            guard let filter = try? TopicFilter(filter) else { return }
            broker.forbidden.append(filter)
            at(time + length) { [unowned self] in broker.allow(filter) }
        }
    }

    /// Does something to a machine, and something else after a while.
    private func with(
        _ node: String, _ first: (Machine) -> Void, for length: Duration = .zero,
        _ last: @escaping (Machine) -> Void = { _ in }
    ) {
        guard let machine = machines.first(where: { $0.id == node }) else { return }
        first(machine)
        if length > .zero { at(time + length) { last(machine) } }
    }
}
