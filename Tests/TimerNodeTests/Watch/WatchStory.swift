import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol
@testable import timer_node

/// Nodes in virtual time, and the screen that shows them.
struct WatchStory {
    var nodes: [Scenario]
    var client = NodeClient()
    var screen: WatchScreen
    private var seen: [Int]
    private var count = 0
    private let style: TerminalStyle
    let broker = Broker(host: "broker.test")
    /// Why there is no connection.
    var fault: String?

    init(
        _ ids: [String] = ["lectern"], style: TerminalStyle = TerminalStyle(),
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws {
        self.style = style
        screen = WatchScreen(style: style)
        nodes = try ids.map { id in
            try Scenario(300, 60, 15) {
                $0.node = .init(id: id)
                let timers = [("Talk", 300, 60), ("Questions", 60, 15)].map { name, start, warning in
                    TimerItem(
                        name: name,
                        thresholds: Thresholds.zero.setting(start: start).setting(warning: warning))
                }
                if let timers = try? NodeConfiguration.Timers(groups: [TimerGroup(name: "Talk 1", timers: timers)]) {
                    $0.timers = timers
                }
                configure(&$0)
            }
        }
        seen = ids.map { _ in 0 }
        _ = client.handle(.connected, at: now)
        deliver()
    }

    var now: NodeClient.Moment {
        guard let now = nodes.first?.now else { return .init(instant: .init(sinceEpoch: .zero), date: Date()) }
        return NodeClient.Moment(instant: now.instant, date: now.date)
    }

    mutating func wait(_ duration: Duration) {
        for place in nodes.indices { nodes[place].wait(duration) }
        deliver()
    }

    /// Presses keys, sends their commands to the nodes, and returns their actions.
    @discardableResult
    mutating func press(_ keys: Key...) -> [WatchScreen.Action] {
        screen.select(in: client)
        return keys.compactMap { key in
            guard let action = screen.press(key, client) else { return nil }
            if case .send(let command, let id) = action {
                count += 1
                let sent = OutgoingCommand(id: "\(count)", to: .node(id), command)
                screen.sent(sent, to: id)
                for effect in client.handle(.send(sent), at: now) {
                    guard case .publish(let topic, let payload, _) = effect else {
                        screen.note([effect])
                        continue
                    }
                    for place in nodes.indices { nodes[place].send(topic: topic, payload) }
                }
                deliver()
            }
            return action
        }
    }

    mutating func handle(_ event: NodeClient.Event) { screen.note(client.handle(event, at: now)) }

    private mutating func deliver() {
        for place in nodes.indices {
            while seen[place] < nodes[place].publications.count {
                let message = nodes[place].publications[seen[place]]
                seen[place] += 1
                handle(.message(topic: message.topic, payload: message.payload, retained: false))
            }
        }
    }

    /// Draws the screen, as the program does before each wait.
    mutating func rows(_ columns: Int = 80, _ rows: Int = 24) -> [ScreenRow] {
        screen.select(in: client)
        return screen.rows(client, columns: columns, rows: rows, fault: fault, broker: broker, at: now)
    }

    /// The rows as strings, without trailing spaces.
    mutating func text(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
        self.rows(columns, rows).map { row in
            String(row.text.reversed().drop { $0 == " " }.reversed())
        }
    }
}
