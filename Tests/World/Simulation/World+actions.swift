import BrokerLink
import IoTNode
import NodeConfiguration
import TimerEngine
import TimerProtocol
import WorldChecker

extension World {
    /// Lets an action happen now.
    func perform(_ action: Story.Action) {
        if let length = action.troubleLength { note(.trouble(until: time + length), on: "network") }
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
                case .start(let seconds): machine.configuration.timers.setFirst(start: seconds)
                case .follow(let leader):
                    machine.configuration.follow = leader.map { .init(node: $0, prefix: "timer") }
                }
                machine.happens(.reloadRequested)
            }
        case .kill(let node): with(node) { $0.kill() }
        case .terminate(let node): with(node) { $0.terminate() }
        case .stopService(let node, let length):
            with(node, { $0.setService(false) }, for: length, { $0.setService(true) })
        case .hang(let node, let length): with(node, { $0.hang(true) }, for: length, { $0.hang(false) })
        case .reboot(let node, let off): with(node) { $0.reboot(after: off) }
        case .unplug(let node, let length): with(node, { $0.chip.unplug() }, for: length, { $0.chip.plugIn() })
        case .disk(let node, let condition, let length):
            with(node, { $0.disk.condition = condition }, for: length, { $0.disk.condition = .good })
        case .setClock(let node, let seconds): with(node) { $0.setWallClock(by: seconds) }
        case .cut(let node, let fraction): with(node) { $0.cut(after: fraction) }
        case .cutOff(let node, let length): with(node, { $0.cutOff(true) }, for: length, { $0.cutOff(false) })
        case .slowNetwork(let node, let length):
            with(node, { $0.delay = 0.02...0.15 }, for: length, { $0.delay = Machine.usualDelay })
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

extension NodeConfiguration.Timers {
    /// Changes the length of the first timer, in seconds.
    fileprivate mutating func setFirst(start: Int) {
        var groups = model.groups
        guard !groups[0].timers.isEmpty, let thresholds = try? Thresholds(start: start, warning: 0, final: 0) else {
            return
        }
        groups[0].timers[0].thresholds = thresholds
        if let changed = try? NodeConfiguration.Timers(groups: groups, settings: model.settings) { self = changed }
    }
}

extension Story.Action {
    /// How long messages may be late or lost because of the action; nil if it does not concern the network.
    fileprivate var troubleLength: Duration? {
        switch self {
        case .cut: .zero
        case .cutOff(_, let length), .slowNetwork(_, let length), .stopBroker(_, _, let length),
            .freezeBroker(_, let length), .partition(let length), .forbid(_, let length):
            length
        default: nil
        }
    }
}
