import BrokerLink
import BrokerSession
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
    private let session: ClientSession
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
        var mqtt = NodeConfiguration.MQTT(
            brokers: world.broker.members.indices.map { Broker(host: "broker-\($0).test") }, clientID: id)
        mqtt.link.version = world.broker.isOld ? .v311 : .v5
        session = ClientSession(
            mqtt, kinds: TopicKind.allCases, name: id, asksTime: true, clock: MachineClock(machine),
            connection: connection, seed: seed)
    }

    private var now: Instant { machine.moment.instant }

    /// When the client must run next, in the world's time.
    func nextTime() -> Duration {
        let due = session.nextInstant.map { machine.bootClock.time(of: $0.sinceEpoch) }
        return max(world.time, min(noteAt, due ?? noteAt))
    }

    func step() {
        update(session.step(until: nil).effects)
        guard noteAt <= world.time else { return }
        noteAt = world.time + .milliseconds(1300)
        for node in session.client.nodes.values.sorted(by: { $0.id < $1.id }) { note(node) }
        noteCount += 1
        if noteCount % 20 == 0 { comparePages() }
    }

    private func note(_ node: NodeMirror) {
        guard let state = node.state, let remaining = node.remaining(at: now),
            let counting = node.counting
        else { return }
        world.note(
            .counted(
                node: node.id,
                .init(
                    state: state, remaining: remaining,
                    isEstimate: counting.isEstimate || !session.client.isConnected || !node.isHeard)), on: machine)
    }

    /// Compares what pages have been told bit by bit with what a page that is opened now is told.
    private func comparePages() {
        guard session.client.isConnected else { return }
        var fresh = SnapshotKeeper()
        let everything = session.client.nodes.keys.sorted().flatMap { id in
            TopicKind.allCases.map { NodeClient.Effect.changed(node: id, $0) }
        }
        _ = fresh.apply(everything, of: session.client, report)
        let (kept, expected) = (pages.snapshot.nodes, fresh.snapshot.nodes)
        for id in Set(kept.keys).union(expected.keys).sorted() {
            // Small corrections of the instants are not sent.
            for part in NodePart.allCases where part != .counting && part != .patterns {
                let (bytes, right) = (kept[id]?.parts[part]?.full, expected[id]?.parts[part]?.full)
                guard (bytes ?? EncodedPart.null.full) != (right ?? EncodedPart.null.full) else { continue }
                world.fail(
                    "pages",
                    "\(part) of \(id) is \(String(decoding: bytes ?? [], as: UTF8.self)), "
                        + "expected \(String(decoding: right ?? [], as: UTF8.self))", on: machine.id)
            }
        }
    }

    private var report: BrokerReport { BrokerReport(isConnected: session.client.isConnected, address: nil) }

    /// Sends a command with an id, which is repeated if its response may have been lost.
    ///
    /// - Parameter fields: the members of the JSON object besides the id, as text.
    func send(_ verb: Verb, _ fields: String, to node: String) {
        commandCount += 1
        let id = "\(machine.id)-\(commandCount)"
        let payload = "{\"id\":\"\(id)\"\(fields.isEmpty ? "" : ",")\(fields)}"
        update(
            session.handle(.send(OutgoingCommand(id: id, to: .node(node), verb, payload: Array(payload.utf8)))))
    }

    private func update(_ effects: [NodeClient.Effect]) { _ = pages.apply(effects, of: session.client, report) }

    func cut(after fraction: Double) { connection.cut(after: fraction) }

    func cutOff(_ isCutOff: Bool) {
        machine.cutOff(isCutOff)
        connection.cutOff(isCutOff)
    }
}
