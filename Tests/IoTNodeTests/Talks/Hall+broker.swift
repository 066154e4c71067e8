import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodePorts
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// The simulation: chooses the node that runs next, and plays the broker.
extension Hall {
    var nextTime: Duration? {
        let wakes = machines.values.compactMap { machine in machine.core?.nextInstant.map { machine.time(of: $0) } }
        return (wakes + deliveries.map(\.at)).min()
    }

    mutating func step() {
        // The messages are delivered one after another, in the order in which they were sent.
        if let place = deliveries.indices.filter({ deliveries[$0].at <= time }).min(by: {
            deliveries[$0].at < deliveries[$1].at
        }) {
            let delivery = deliveries.remove(at: place)
            return handle([delivery.event], by: delivery.to)
        }
        for id in machines.keys.sorted() where isDue(id) { handle([.timePassed], by: id) }
    }

    /// Whether a node runs next. This is a separate function so no copy of the machine exists while the node runs.
    /// Otherwise each change would copy everything that the node has published.
    private func isDue(_ id: String) -> Bool {
        guard let machine = machines[id], let due = machine.core?.nextInstant else { return false }
        return machine.time(of: due) <= time
    }

    mutating func handle(_ events: [NodeEvent], by id: String) {
        var events = events
        while !events.isEmpty, let now = machines[id]?.moment(time) {
            guard let turn = machines[id]?.core?.handle(events, at: now) else { return }
            events = perform(turn, of: id)
        }
    }

    mutating func perform(_ turn: consuming NodeTurn, of id: String) -> [NodeEvent] {
        let events = perform(turn.first, of: id)
        return events + perform(machines[id]?.core?.deferredEffects(of: turn) ?? [], of: id)
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
                let isReached = isBrokerThere && !unreachable.contains(id)
                deliver(.connection(isReached ? .connected : .lost(ConnectionError("no broker"))), to: id)
            case .disconnect: dropConnection(of: id, publishesWill: false)
            case .subscribe(let subscriptions): subscribe(subscriptions, for: id)
            case .publish(let message):
                machines[id]?.published.append((time, message))
                if machines[id]?.isConnected == true { route(message) }
            case .save(let state, let runs, let number):
                machines[id]?.saved = state.document
                if let runs { machines[id]?.savedRuns = runs.document }
                events.append(.store(.stored(number)))
            case .setAside(let what): events.append(.store(.setAside(what, .success("aside"))))
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

    mutating func route(_ message: OutgoingMessage) {
        guard held == nil else { held?.append(message); return }
        guard isBrokerThere else { return }
        if message.retain { retained[message.topic] = message.payload.isEmpty ? nil : message }
        for id in machines.keys.sorted() where machines[id]?.isConnected == true {
            guard isHeard(message.topic, by: id) else { continue }
            for _ in 0..<copies { deliver(.connection(.message(message.incoming(retained: false))), to: id, ways: 2) }
        }
    }

    /// Whether one of a node's subscriptions matches a topic. The result is cached because there are thousands of
    /// messages.
    private mutating func isHeard(_ topic: String, by id: String) -> Bool {
        if let isHeard = machines[id]?.heard[topic] { return isHeard }
        let isHeard = machines[id]?.filters.contains { $0.matches(topic) } ?? false
        machines[id]?.heard[topic] = isHeard
        return isHeard
    }

    /// Delivers a message after a delay, but not before earlier ones to the same node.
    mutating func deliver(_ event: NodeEvent, to id: String, ways: Int = 1) {
        let delay = (0..<ways).reduce(0.0) { sum, _ in sum + Double.random(in: delays, using: &random) }
        let earliest = deliveries.last { $0.to == id }?.at ?? .zero
        deliveries.append((max(time + .seconds(delay), earliest), id, event))
        if case .connection(.connected) = event { machines[id]?.isConnected = true }
    }

    mutating func dropConnection(of id: String, publishesWill: Bool) {
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
