import BrokerLink
import Foundation
import Mosquitto
import TimerClient
import TimerEngine
import TimerProtocol

/// A ``NodeClient`` on a real connection, as another program would use it.
final class ClientDriver {
    /// The client.
    private(set) var client = NodeClient()
    /// All effects reported so far.
    private(set) var news: [NodeClient.Effect] = []
    private var driver = ConnectionDriver()
    private var seen = 0
    private let broker: MosquittoBroker

    /// Connects and subscribes.
    init(_ broker: MosquittoBroker) throws {
        self.broker = broker
        try connect()
    }

    /// Connects, or reconnects if there was a connection before.
    func connect() throws {
        driver = ConnectionDriver()
        seen = 0
        let id = "client-\(Int.random(in: 0..<1_000_000))"
        try driver.connect(
            ConnectOptions(
                broker: Broker(host: "127.0.0.1", port: broker.port), version: .v5, clientID: id, keepAlive: 3600,
                credentials: nil, will: nil))
        take()
    }

    /// The client's view of the node `lectern`.
    var mirror: NodeMirror? { client.nodes["lectern"] }

    /// The time left according to the client, in seconds.
    var remaining: Double { mirror?.remaining(at: bootTime())?.inSeconds ?? .nan }

    /// Runs until a condition on the client holds.
    func run(until what: String, timeout: Duration = longestWait, _ condition: (ClientDriver) -> Bool) throws {
        try waitUntil(what, timeout: timeout, pause: { driver.run(for: .milliseconds(5)) }) {
            take()
            if let due = client.nextInstant, due <= bootTime() { handle(.timePassed) }
            return condition(self)
        }
    }

    /// Sends a command and waits for its response.
    func send(_ command: Command) throws -> Response {
        let id = begin(command)
        try run(until: "a response") { $0.response(to: id) != nil }
        return response(to: id) ?? Response(id: nil, command: nil, outcome: .error(Refusal(.notAllowed, "missing")))
    }

    /// Sends a command; returns its id.
    func begin(_ command: Command) -> String {
        let id = UUID().uuidString
        handle(.send(OutgoingCommand(id: id, to: .node("lectern"), command, timeout: .seconds(30))))
        return id
    }

    /// The response to a command; nil before it arrives.
    func response(to id: String) -> Response? {
        for case .response(let command, _, let response, _) in news where command.id == id { return response }
        return nil
    }

    private func take() {
        while seen < driver.events.count {
            let event = driver.events[seen]
            seen += 1
            switch event {
            case .connected: handle(.connected)
            case .lost: handle(.disconnected)
            case .rejected(let rejection): handle(.rejected(topic: rejection.topic, reason: "\(rejection)"))
            case .message(let message):
                handle(.message(topic: message.topic, payload: message.payload, retained: message.retained))
            case .accepted, .tooLarge, .leftOut, .dropped: break
            }
        }
    }

    private func handle(_ event: NodeClient.Event) {
        for effect in client.handle(event, at: NodeClient.Moment(instant: bootTime(), date: Date())) {
            switch effect {
            case .subscribe(let filters):
                driver.connection.subscribe(filters.map { Subscription($0, sendsRetained: true) })
            case .publish(let topic, let payload, _):
                driver.connection.publish(OutgoingMessage(topic: topic, payload: payload))
            case .ask(let topic, let payload):
                driver.connection.publish(OutgoingMessage(topic: topic, payload: payload, qos: .atMostOnce))
            case .changed, .event, .response, .ended, .unreadable: news.append(effect)
            }
        }
    }
}
