import BrokerLink
import FoundationEssentials
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

/// A real node and clients of it in virtual time, with a broker between them that keeps what is retained.
///
/// The clients' clocks show other times than the node's, and messages take a while to reach them.
struct ClientStory {
    /// A client with what it was told.
    struct Guest {
        var client: NodeClient
        /// All effects so far but subscriptions, publications and changes.
        var news: [NodeClient.Effect] = []
        /// What is on its way, with when it arrives by the node's clock.
        fileprivate var onItsWay: [(at: Instant, event: NodeClient.Event)] = []
    }

    private static let step: Duration = .milliseconds(10)
    /// The clients' monotonic clocks begin at another time than the node's.
    private static let shift: Duration = .seconds(77_777)

    var node: Scenario
    var guests: [Guest]
    /// How far the clients' wall clocks are ahead of the node's, in seconds.
    let ahead: Double
    /// How long the next message takes.
    var delay: () -> Duration = { .zero }
    /// How much later forged answers say that the node's boot clock is; zero for the node's own answers.
    var forgedClock: Duration = .zero
    private var retained: [String: [UInt8]] = [:]
    private var seen = 0

    /// - Parameter boot: the clients' boot; they ask for the time where there is one.
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
    /// What the client knows of the node.
    var mirror: NodeMirror? { client.nodes["lectern"] }
    /// How far the client's count is from the node's own, in seconds.
    var error: Double {
        let exact = node.core.timer.player.countdown.remaining(at: node.now.instant)
        return mirror?.remaining(at: now.instant).map { ($0 - exact).inSeconds } ?? .infinity
    }

    /// Time passes; after each hundredth of a second `look` looks.
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

    /// Something happens to a client; what it publishes reaches the node at once, if that is connected.
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

    /// The node's broker connection ends, and the broker says so.
    mutating func nodeGoes() {
        deliver()
        node.lose()
        publish("timer/lectern/availability", Array("offline".utf8), retain: true)
        deliver()
    }

    /// Somebody has the broker retain what no node published.
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

    /// Takes what the node has published on its way.
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
            // In their order: a message that took long holds up those after it.
            while let first = guests[place].onItsWay.first, first.at <= node.now.instant {
                guests[place].onItsWay.removeFirst()
                handle(first.event, place)
            }
        }
        if seen < node.publications.count { deliver() }
    }
}
