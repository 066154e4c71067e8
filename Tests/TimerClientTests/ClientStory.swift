import BrokerLink
import FoundationEssentials
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

/// A real node and its clients in virtual time, with a broker between them that stores retained messages.
///
/// The clients' clocks differ from the node's, and messages may take a while to reach the clients.
struct ClientStory {
    /// A client with the effects that it returned and the messages on their way to it.
    struct Guest {
        var client: NodeClient
        /// All effects so far except subscriptions, publications and changes.
        var news: [NodeClient.Effect] = []
        /// The messages on their way, each with its time of arrival by the node's clock.
        fileprivate var onItsWay: [(at: Instant, event: NodeClient.Event)] = []
    }

    private static let step: Duration = .milliseconds(10)
    /// The offset of the clients' monotonic clocks from the node's.
    private static let shift: Duration = .seconds(77_777)

    var node: Scenario
    var guests: [Guest]
    /// The offset of the clients' wall clocks from the node's, in seconds.
    let ahead: Double
    /// The transit time of the next message.
    var delay: () -> Duration = { .zero }
    /// The offset that forged responses add to the node's boot clock; zero for the node's own responses.
    var forgedClock: Duration = .zero
    private var retained: [String: [UInt8]] = [:]
    private var seen = 0

    /// - Parameter boot: the clients' boot; if it is set, they request the time.
    init(
        _ node: Scenario, clients: Int = 1, ahead: Double = 0, kinds: [TopicKind] = TopicKind.allCases,
        boot: String? = nil
    ) {
        self.node = node
        self.ahead = ahead
        guests = Array(
            repeating: Guest(
                client: NodeClient(kinds: kinds, boot: boot, askingTimeAs: boot.map { _ in "guest" }, seed: 1)),
            count: clients)
        deliver()
    }

    var client: NodeClient { guests[0].client }
    var news: [NodeClient.Effect] { guests[0].news }
    var now: NodeClient.Moment {
        NodeClient.Moment(instant: node.now.instant + Self.shift, date: node.now.date.addingTimeInterval(ahead))
    }
    /// The client's mirror of the node.
    var mirror: NodeMirror? { client.nodes["lectern"] }
    /// The difference between the client's count and the node's, in seconds.
    var error: Double {
        let exact = node.core.timer.player.countdown.remaining(at: node.now.instant)
        return mirror?.remaining(at: now.instant).map { ($0 - exact).inSeconds } ?? .infinity
    }

    /// Lets time pass, and calls `look` after each hundredth of a second.
    mutating func wait(_ duration: Duration, _ look: (ClientStory) -> Void = { _ in }) {
        let end = node.now.instant + duration
        while node.now.instant < end {
            node.wait(Self.step)
            deliver()
            for place in guests.indices where guests[place].client.nextInstant.map({ $0 <= now.instant }) == true {
                handle(.timePassed, place)
                deliver()
            }
            look(self)
        }
    }

    mutating func connect(_ place: Int = 0) {
        handle(.connected, place)
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) {
            handle(.message(topic: topic, payload: payload, retained: true), place)
        }
    }

    mutating func disconnect(_ place: Int = 0) {
        guests[place].onItsWay = []
        handle(.disconnected, place)
    }

    mutating func send(
        _ command: Command, id: String = "1", to recipient: CommandRecipient = .node("lectern"), by place: Int = 0
    ) {
        handle(.send(OutgoingCommand(id: id, to: recipient, command)), place)
        deliver()
    }

    /// Passes an event to a client. Messages that the client publishes reach the node at once if the node is connected.
    mutating func handle(_ event: NodeClient.Event, _ place: Int = 0) {
        for effect in guests[place].client.handle(event, at: now) {
            switch effect {
            case .subscribe, .changed: break
            case .publish(let topic, let payload, _), .ask(let topic, let payload):
                if node.isConnected { node.send(topic: topic, payload) }
            case .event, .response, .ended, .unreadable: guests[place].news.append(effect)
            }
        }
    }

    /// Closes the node's connection to the broker, which publishes that the node is offline.
    mutating func nodeGoes() {
        deliver()
        node.lose()
        publish("timer/lectern/availability", Array("offline".utf8), retain: true)
        deliver()
    }

    /// Publishes a retained message that does not come from a node.
    mutating func forge(_ topic: String, _ text: String) { publish(topic, Array(text.utf8), retain: true) }

    private func isForged(_ message: OutgoingMessage) -> Bool {
        forgedClock != .zero && message.topic.hasSuffix("/response") && message.text.contains(#""command":"time""#)
    }

    private mutating func publish(_ topic: String, _ payload: [UInt8], retain: Bool) {
        if retain { retained[topic] = payload }
        for place in guests.indices where guests[place].client.isConnected {
            guests[place].onItsWay.append(
                (node.now.instant + delay(), .message(topic: topic, payload: payload, retained: false)))
        }
    }

    /// Drops the messages that the node has published and that have not been delivered.
    mutating func loseMessages() { seen = node.publications.count }

    /// Delivers the messages that the node has published, with the delays.
    mutating func deliver() {
        while seen < node.publications.count {
            let message = node.publications[seen]
            seen += 1
            publish(
                message.topic,
                isForged(message) ? Array(message.text.withBootClock(laterBy: forgedClock).utf8) : message.payload,
                retain: message.retain)
        }
        for place in guests.indices {
            // Messages arrive in order: a slow message delays all messages after it.
            while let first = guests[place].onItsWay.first, first.at <= node.now.instant {
                guests[place].onItsWay.removeFirst()
                handle(first.event, place)
            }
        }
        if seen < node.publications.count { deliver() }
    }
}
