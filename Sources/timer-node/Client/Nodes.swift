internal import ArgumentParser
internal import BrokerLink
internal import BrokerSession
internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node nodes`: lists the nodes on a broker.
struct Nodes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the nodes on a broker.",
        discussion: """
            For a node that is offline, the table shows its last known state. Its retained topics stay on the broker \
            until they are cleared, as --forget does. HEALTH is the age of the node's last health report: if a node is \
            online but has reported nothing for more than twice its mqtt.health_interval, it may be gone without the \
            broker having noticed.

              timer-node nodes
              timer-node nodes --broker mqtt://broker.example
              timer-node nodes --forget lectern

            Exits with 69 if the broker is not available, or with 1 if the broker refuses or the node to forget is online.
            """)

    @OptionGroup var options: BrokerOptions

    @Option(help: "The time limit for connecting, and again for receiving the retained messages.")
    var timeout = TimeArgument(.seconds(5))

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(
        help: ArgumentHelp("Clear the retained topics of a node that is gone, after asking.", valueName: "node"),
        completion: NodeID.completion)
    var forget: NodeID?

    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        try options.withSession(kinds: [.availability, .mode, .state, .timers, .health, .message]) {
            session throws(ClientFailure) in
            try session.connect(within: timeout.duration)
            session.collectRetained(within: timeout.duration)
            if let rejection = session.rejection { throw .refused(rejection) }
            if let forget { try self.forget(forget.id, session) } else { list(session) }
        }
    }

    private func list(_ session: ClientSession) {
        let nodes = session.client.nodes.values.sorted { $0.id < $1.id }
        if json { return nodes.forEach { print(NodeLine(node: $0, now: session.now).json) } }
        guard !nodes.isEmpty else {
            StandardError.say("\(session.broker) has no node under \(session.client.prefix)/")
            return
        }
        var table = TextTable("NODE", "CONNECTION", "MODE", "LEFT", "TIMER", "VERSION", "HEALTH")
        for node in nodes {
            table.add(
                node.id, node.availability?.rawValue ?? "unknown", node.mode?.rawValue ?? "-",
                node.shownSeconds(at: session.now.instant).map(TimeDisplay.time) ?? "-",
                node.state.map { $0.timer.name.terminalText } ?? "-",
                node.health.map { $0.version.terminalText } ?? "-",
                node.health?.date.map { Self.age(of: $0, at: session.now.date) } ?? "-")
        }
        print(table)
    }

    /// Returns an age by the wall clocks of two machines, such as `0:42 ago`.
    static func age(of date: Date, at now: Date) -> String {
        // The clocks may differ, and the date may be any value.
        let seconds = max(0, min(date.distance(to: now), 99 * 86_400)).rounded(.down)
        return "\(TimeDisplay.time(Int(seconds))) ago"
    }

    private func forget(_ id: String, _ session: ClientSession) throws(ClientFailure) {
        guard let node = session.client.nodes[id] else { throw .refused(session.unknown(id)) }
        if node.isOnline { throw .refused("\(id) is online; only an offline node can be forgotten") }
        if !yes { try confirm(id) }
        // The announcement is cleared first: otherwise Home Assistant would complain about entities whose states are
        // empty.
        session.subscribe(session.mqtt.discovery.filters(of: id))
        session.collectRetained(within: timeout.duration) { _ in session.rejection != nil }
        let found = session.otherMessages.filter { NodeConfiguration.Discovery.isAnnouncement($0.payload, of: id) }
        let announced = Set(found.map(\.topic))
        try clear(announced.sorted(), of: id, session) {
            announced.isSubset(of: session.otherMessages.filter(\.payload.isEmpty).map(\.topic))
        }
        let retained = TopicKind.allCases.filter(\.isRetained).map { $0.name(prefix: session.client.prefix, node: id) }
        try clear(retained, of: id, session) { session.client.nodes[id] == nil }
        print("\(id) forgotten")
    }

    /// Clears topics, and waits until they are clear: the broker sends the empty messages to this client as well.
    private func clear(
        _ topics: [String], of id: String, _ session: ClientSession, until isDone: () -> Bool
    ) throws(ClientFailure) {
        for topic in topics where session.rejection == nil { session.clear(topic) }
        if !isDone() {
            session.wait(until: session.now.instant + timeout.duration) { _ in isDone() || session.rejection != nil }
        }
        if let rejection = session.rejection { throw .refused(rejection) }
        guard isDone() else {
            throw .unavailable("the broker did not clear all topics of \(id) within \(timeout)")
        }
    }

    private func confirm(_ id: String) throws(ClientFailure) {
        guard isatty(STDIN_FILENO) == 1 else {
            let reason = "cannot ask questions without a terminal: use --yes"
            throw ClientFailure(code: .validationFailure, description: reason)
        }
        print("Clear all retained topics of \(id)? [y/N] ", terminator: "")
        fflush(nil)
        let answer = readLine()?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else { throw .refused("nothing was cleared") }
    }
}

/// A node as one line of output.
struct NodeLine {
    let node: NodeMirror
    let now: NodeClient.Moment

    /// The line for people, such as
    /// `lectern  countdown  4:12 left  Talk  green  speaker: Ada Lovelace  message: Please wrap up`.
    var text: String {
        var words = [node.id]
        if !node.isOnline { words.append(node.availability?.rawValue ?? "unknown") }
        if let mode = node.mode { words.append(mode.rawValue) }
        if let over = node.overtime(at: now.instant) {
            words.append("\(TimeDisplay.time(over.wholeSeconds)) over")
        } else if let left = node.shownSeconds(at: now.instant) {
            words.append(TimeDisplay.left(left))
        }
        if let name = node.state?.timer.name, !name.isEmpty { words.append(name.terminalText) }
        if let outputs = node.state?.outputs {
            let lit = outputs.names.filter { outputs[$0] != .off }
            words.append(lit.isEmpty ? "dark" : lit.joined(separator: " + "))
        }
        if let speaker = node.state?.speaker { words.append("speaker: \(speaker.terminalText)") }
        if let message = node.message { words.append("message: \(message.text.terminalText)") }
        if let lock = node.lock { words.append(lock) }
        if let meeting = node.state?.meeting {
            words.append("meeting: \(meeting.name.terminalText)\(node.delay(at: now).map { ", \($0)" } ?? "")")
        }
        return words.joined(separator: "  ")
    }

    /// An object with `node`, `online`, and the newest `state`, `message` and `health`, limited to the fields that this
    /// version knows; each is null if it is not known.
    var json: String {
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.member("node", node.id)
            writer.key("online")
            node.availability.map { $0 == .online }.write(to: &writer, ())
            let payloads = [
                ("state", node.state?.bytes), ("message", node.message?.bytes), ("health", node.health?.bytes),
            ]
            for (key, payload) in payloads {
                writer.key(key)
                if let payload { writer.encoded(payload) } else { writer.null() }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
