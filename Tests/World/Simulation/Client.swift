import BrokerLink
import NodeConfiguration
import TestSupport
import TimerClient
import TimerEngine
import TimerProtocol
import WebCore
import WorldChecker

/// A person's computer with a client of all nodes: a dashboard, the command line, or the web server.
final class Client {
    let machine: Machine
    private unowned let world: World
    private let connection: ModelConnection
    private var client: NodeClient
    private var link: Link
    private var commandCount = 0
    /// When the counts are noted next.
    private var noteAt: Duration = .seconds(5)
    /// What the web server would keep for its pages.
    private var pages = SnapshotKeeper()
    private var noteCount = 0

    init(_ world: World, id: String, seed: UInt64) {
        self.world = world
        machine = Machine(
            world, id: id, seed: seed, configuration: NodeConfiguration(node: .init(id: id)),
            uptime: .seconds(Int64(seed % 1_000_000)), ppm: Double(seed % 100) - 50,
            wallClock: world.setting.start)
        connection = ModelConnection(world, machine)
        client = NodeClient(boot: machine.bootClock.boot, askingTimeAs: id, seed: seed)
        var settings = LinkSettings(
            brokers: world.broker.members.indices.map { Broker(host: "broker-\($0).test") }, clientID: id)
        settings.version = world.broker.isOld ? .v311 : .v5
        link = Link(settings, seed: seed, longestDelay: .seconds(5))
        link.start(at: machine.moment.instant)
    }

    private var now: NodeClient.Moment {
        NodeClient.Moment(instant: machine.moment.instant, date: machine.moment.date)
    }

    /// When the client must run next, in the world's time.
    func nextTime() -> Duration? {
        var earliest = noteAt
        for due in [client.nextInstant, link.nextInstant, connection.nextInstant] {
            guard let due else { continue }
            earliest = min(earliest, machine.bootClock.time(of: due.sinceEpoch))
        }
        return max(world.time, earliest)
    }

    func step() {
        if let error = link.performSteps(on: connection, at: now.instant) { lost(error) }
        if let due = connection.nextInstant, due <= now.instant {
            for event in connection.takeEvents(ready: [], at: now.instant) { apply(event) }
        }
        if let due = client.nextInstant, due <= now.instant { handle(.timePassed) }
        guard noteAt <= world.time else { return }
        noteAt = world.time + .milliseconds(1300)
        for node in client.nodes.values.sorted(by: { $0.id < $1.id }) { note(node) }
        noteCount += 1
        if noteCount % 20 == 0 { comparePages() }
    }

    /// Compares what pages have been told bit by bit with what a page that is opened now is told.
    private func comparePages() {
        guard client.isConnected else { return }
        var fresh = SnapshotKeeper()
        let everything = client.nodes.keys.sorted().flatMap { id in
            TopicKind.allCases.map { NodeClient.Effect.changed(node: id, $0) }
        }
        _ = fresh.apply(everything, of: client, report)
        let (kept, expected) = (pages.snapshot.nodes, fresh.snapshot.nodes)
        for id in Set(kept.keys).union(expected.keys).sorted() {
            // Small corrections of the instants are not sent.
            for part in NodePart.allCases where part != .counting && part != .patterns {
                let (bytes, right) = (kept[id]?.parts[part]?.full, expected[id]?.parts[part]?.full)
                guard (bytes ?? EncodedPart.null.full) != (right ?? EncodedPart.null.full) else { continue }
                world.fail(
                    "pages",
                    "\(part) of \(id) is \(String(decoding: bytes ?? [], as: UTF8.self)), "
                        + "expected \(String(decoding: right ?? [], as: UTF8.self))", on: machine)
            }
        }
    }

    private var report: BrokerReport { BrokerReport(isConnected: client.isConnected, address: nil) }

    private func note(_ node: NodeMirror) {
        guard let state = node.state, let remaining = node.remaining(at: now.instant),
            let counting = node.counting
        else { return }
        world.note(
            .counted(
                node: node.id,
                .init(
                    state: state, remaining: remaining,
                    isEstimate: counting.isEstimate || !client.isConnected || !node.isHeard)), on: machine)
    }

    private func apply(_ event: ConnectionEvent) {
        switch event {
        case .connected:
            link.connected(at: now.instant)
            handle(.connected)
        case .lost(let error): lost(error)
        case .accepted(let filter): link.accepted(filter)
        case .rejected(let rejected):
            if case .subscription(let filter) = rejected.subject { _ = link.refused(filter, at: now.instant) }
        case .tooLarge, .leftOut, .dropped: break
        case .message(let message):
            handle(.message(topic: message.topic, payload: message.payload, retained: message.retained))
        }
    }

    private func lost(_ error: ConnectionError) {
        _ = link.lost(error, at: now.instant)
        if client.isConnected { handle(.disconnected) }
    }

    /// Sends a command with an id, which is repeated if its response may have been lost.
    ///
    /// - Parameter fields: the members of the JSON object besides the id, as text.
    func send(_ verb: Verb, _ fields: String, to node: String) {
        commandCount += 1
        let id = "\(machine.id)-\(commandCount)"
        let payload = "{\"id\":\"\(id)\"\(fields.isEmpty ? "" : ",")\(fields)}"
        handle(.send(OutgoingCommand(id: id, to: .node(node), verb, payload: Array(payload.utf8))))
    }

    private func handle(_ event: NodeClient.Event) {
        let effects = client.handle(event, at: now)
        _ = pages.apply(effects, of: client, report)
        for effect in effects {
            switch effect {
            case .subscribe(let filters):
                let subscriptions = filters.map { Subscription($0, sendsRetained: true) }
                link.subscribed(to: subscriptions)
                connection.subscribe(subscriptions)
            case .publish(let topic, let payload, let expiry):
                connection.publish(OutgoingMessage(topic: topic, payload: payload, expiry: expiry))
            case .ask(let topic, let payload):
                connection.publish(OutgoingMessage(topic: topic, payload: payload, qos: .atMostOnce))
            case .changed, .event, .response, .ended, .unreadable: break
            }
        }
    }

    func cut(after fraction: Double) { connection.cut(after: fraction) }

    func cutOff(_ isCutOff: Bool) {
        machine.cutOff(isCutOff)
        connection.cutOff(isCutOff)
    }
}
