import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TimerClient
import TimerEngine
import TimerProtocol
import WebCore

/// The data that a page receives about a node, and the node's state and lamps at later instants.
enum CountingCases {
    /// A step before a page receives the node. A number is a wait in seconds.
    private enum Step: CustomStringConvertible {
        case send(String, String = "")
        case wait(Double)

        var description: String {
            switch self {
            case .send(let verb, let payload): "\(verb) \(payload)"
            case .wait(let seconds): "\(seconds) s"
            }
        }
    }

    private static let situations: [[Step]] = [
        [], [.send("start")], [.send("start"), .wait(4.5)], [.send("start"), .wait(3), .send("pause"), .wait(2)],
        [.send("start"), .wait(9.25), .send("pause"), .wait(1)],
        [.send("start"), .wait(3.5), .send("pause"), .wait(2), .send("resume")],
        [.send("start"), .wait(2), .send("add", "+25")], [.send("start"), .wait(2), .send("add", "-3")],
        [.send("start"), .wait(11.75)], [.send("start"), .wait(12), .send("add", "+5")],
        [.send("start"), .send("end"), .wait(0.1)], [.send("start"), .wait(11.2), .send("pause")],
        [.send("start", #"{"duration":5,"name":"Extra"}"#), .wait(1)], [.send("set", "7"), .wait(1)],
        [.send("start"), .wait(6), .send("stop")],
    ]

    static func all() throws -> [JSON] {
        var cases: [JSON] = []
        for (warning, final) in [(0, 0), (1, 0), (2, 0), (2, 1), (0, 1), (0, 2), (6, 0), (6, 1), (6, 2), (0, 3)] {
            let thresholds = try Thresholds(start: 10, warning: warning, final: final)
            for steps in situations {
                cases.append(
                    try one(steps, isUsual: true) { $0.timers = .init(name: "Talk", thresholds: thresholds) })
            }
        }
        // Sequences, the Toastmasters cards, and groups that end in the alarm.
        for (profile, atZero) in [(SignalProfile.podium, TimerGroup.AtZero.next), (.toastmasters, .alarm)] {
            let timers = try [(4, 2, 1), (0, 0, 0), (6, 3, 2), (3, 0, 0)].map { start, warning, final in
                TimerItem(
                    name: "\(start) s", thresholds: try .init(start: start, warning: warning, final: final),
                    qualifying: try .init(minimum: 2, maximum: start > 2 ? start : nil), location: "Hall")
            }
            let group = TimerGroup(name: "Group", display: .stoplights, atZero: atZero, timers: timers)
            for steps in situations {
                cases.append(
                    try one(steps) {
                        $0.timers = try .init(groups: [group])
                        $0.signals = SignalTable(profile)
                        $0.signals.modes[.warning] = ["yellow": .blink(.flash)]
                    })
            }
        }
        return cases
    }

    /// - Parameter isUsual: Whether the lamps blink as they do by default.
    private static func one(
        _ steps: [Step], isUsual: Bool = false, configure: (inout NodeConfiguration) throws -> Void
    ) throws -> JSON {
        var failure: (any Error)?
        var node = try Scenario { configuration in
            do { try configure(&configuration) } catch { failure = error }
            configuration.mqtt?.healthInterval = .seconds(60)
            configuration.mqtt?.commandRate = 0
        }
        if let failure { throw failure }
        for step in steps {
            switch step {
            case .send(let verb, let payload): node.send(verb, payload)
            case .wait(let seconds): node.wait(.milliseconds(Int(seconds * 1000)))
            }
        }
        node.send("state")
        let page = try Page(node)
        var zeros: [Instant] = []
        var instants: [JSON] = []
        for instant in try edges(of: node) {
            if instant > node.now.instant { node.wait(node.now.instant.duration(to: instant)) }
            node.send("state")
            let state = try StateMessage(Array((node.last("state") ?? "").utf8))
            if let zero = state.clock.zero { zeros.append(Instant(sinceEpoch: zero)) }
            // The page holds 0:00 for a moment, since the node may continue with another timer, which it reports at
            // zero.
            let isHeld = zeros.contains { $0 <= instant && instant < $0 + .milliseconds(300) }
            let times = try Thresholds(start: state.start, warning: state.warning, final: state.final)
            instants.append([
                "parts": [.integer(times.warnRange.upperBound), .integer(times.finalRange.upperBound)],
                "now": .number(instant.milliseconds), "held": .bool(isHeld),
                "state": try JSON(parsing: state.bytes),
                "levels": .object(
                    (node.levels ?? [:]).sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .bool($0.value)) }),
            ])
        }
        return [
            "steps": .string("\(steps)"), "node": page.node, "instants": .array(instants), "usual": .bool(isUsual),
        ]
    }

    /// Returns instants just before and after each possible change, in order.
    private static func edges(of node: Scenario) throws -> [Instant] {
        let (now, state) = (node.now.instant, try StateMessage(Array((node.last("state") ?? "").utf8)))
        var found = [0, 1, 250, 499, 500, 999, 1000, 1001, 2000].map { now + .milliseconds($0) }
        var zero = state.clock.zero.map { Instant(sinceEpoch: $0) }
        var times = [(state.start, state.warning, state.final)]
        if state.next != nil { times += [(6, 3, 2), (3, 0, 0)] }
        for (place, time) in times.enumerated() {
            guard let end = place == 0 ? zero : zero.map({ $0 + .seconds(time.0) }) else { break }
            zero = end
            let seconds = [time.0, time.1, time.2, 2, 1, 0].map { end - .seconds($0) } + [end + .seconds(1)]
            for second in seconds { found += [-1, 0, 1].map { second + .milliseconds($0) } }
            found += [299, 300, 424, 425, 426, 850, 1275, 5000, 61_000].map { end + .milliseconds($0) }
        }
        return Set(found.filter { $0 >= now }).sorted()
    }
}

/// A node as the server sends it to a page.
struct Page {
    let mirror: NodeMirror
    let node: JSON

    init(_ scenario: Scenario) throws {
        var client = NodeClient(boot: "a boot", askingTimeAs: "web")
        var keeper = SnapshotKeeper()
        func tell(_ event: NodeClient.Event) {
            let news = client.handle(event, at: .init(instant: scenario.now.instant, date: scenario.now.date))
            _ = keeper.apply(news, of: client, BrokerReport(isConnected: true, address: nil))
        }
        tell(.connected)
        for kind in TopicKind.allCases where kind.isRetained {
            guard let payload = scenario.last(kind.rawValue) else { continue }
            tell(
                .message(
                    topic: kind.name(prefix: "timer", node: "lectern"), payload: Array(payload.utf8), retained: true))
        }
        guard let mirror = client.nodes["lectern"],
            let node = keeper.snapshot.node("lectern", for: Audience(role: .operator))
        else { throw PayloadError("the node published nothing") }
        self.mirror = mirror
        self.node = try JSON(parsing: node)
    }
}
