package import BrokerLink
internal import IoTNode
import TimerEngine

/// A broker with somebody else on it, who hears all that is published and publishes as well.
package protocol ConnectionHarness: AnyObject {
    var clock: any NodeClock { get }
    /// How to connect to the broker.
    var request: ConnectOptions { get }
    func makeConnection() throws -> any MQTTConnection
    /// Has the broker answer the attempt that was begun, where it does not do so by itself.
    func answer() throws
    /// Has the broker die, with its connections, or begin anew.
    func setPresent(_ isPresent: Bool) throws
    /// Waits until the broker has taken so many subscriptions of this connection.
    func awaitSubscriptions(_ count: Int) throws
    /// Publishes as somebody else, and returns when the broker has passed it on.
    func publish(_ message: OutgoingMessage) throws
    /// What the broker received on topics that begin with `timer/node/event`, in order, as it was published.
    func received() throws -> [OutgoingMessage]
}

/// What ``MQTTConnection`` promises.
package enum ConnectionConformance {
    package static let rules: [Rule<any ConnectionHarness>] = [
        Rule("tells nothing and waits for nothing before it is told to connect") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try pump.requireAsleep(connection)
            connection.disconnect(patience: .seconds(10))
            try pump.requireAsleep(connection)
        },
        Rule("tells once that it is connected") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            try require(pump.present(connection), is: [], "what it tells")
        },
        Rule("brings what is published to the broker, in order, with topic, payload, retain flag and QoS") { harness in
            let connection = try harness.makeConnection()
            try connect(connection, harness)
            // So few that none has to wait for an acknowledgement, while one without QoS would overtake it.
            let messages = (1...12).map { number in
                OutgoingMessage(
                    topic: event(number % 3), text: "\(number)", qos: number % 4 == 0 ? .atMostOnce : .atLeastOnce,
                    retain: number % 5 == 0)
            }
            messages.forEach(connection.publish)
            try awaitArrival(of: messages, from: connection, harness)
        },
        Rule("brings what was collected when it is flushed, in order") { harness in
            let connection = try harness.makeConnection()
            try connect(connection, harness)
            let messages = numbered(1...20)
            connection.publish(messages[0])
            connection.collect()
            messages[1..<19].forEach(connection.publish)
            connection.flush()
            connection.publish(messages[19])
            try awaitArrival(of: messages, from: connection, harness)
        },
        Rule("tells how many messages were dropped for want of a connection, but for retained ones") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            let publishAll = {
                connection.publish(OutgoingMessage(topic: event(1), text: "late", qos: .atMostOnce))
                connection.publish(OutgoingMessage(topic: event(1), text: "late"))
                connection.publish(OutgoingMessage(topic: event(1), text: "late", retain: true))
            }
            publishAll()
            try require(pump.present(connection), is: [.dropped(2)], "before an attempt")
            connection.connect(harness.request)
            publishAll()
            try harness.answer()
            var events = try pump.events(of: connection, until: "the connection") {
                $0.contains(.connected)
            }
            try require(
                events.filter { $0 != .connected }, is: [.dropped(2)], "during an attempt")
            connection.disconnect(patience: .seconds(10))
            publishAll()
            events = pump.present(connection)
            try require(events, is: [.dropped(2)], "after a goodbye")
            try require(pump.present(connection), is: [], "what it tells again")
            // None of them is sent later.
            try connect(connection, harness)
            let message = OutgoingMessage(topic: event(2), text: "in time")
            connection.publish(message)
            try awaitArrival(of: [message], from: connection, harness)
        },
        Rule("brings messages of the topics that it subscribed to, with topic, payload and retain flag") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            connection.subscribe(
                ["one/+", "two"].map { Subscription($0, retainAsPublished: harness.request.version == .v5) })
            try harness.awaitSubscriptions(2)
            let messages = [("one/a", "1", false), ("two", "2", true), ("three", "3", false), ("one/b", "ä", true)]
                .map { OutgoingMessage(topic: $0.0, text: $0.1, retain: $0.2) }
            for message in messages { try harness.publish(message) }
            let events = try pump.events(of: connection, until: "the last one") { $0.count >= 3 }
            // In MQTT 3.1.1 what comes at once has no flag.
            try require(
                events,
                is: messages.filter { $0.topic != "three" }.map { incoming($0, retained: harness.keepsFlag($0)) },
                "what came")
        },
        Rule("ignores subscriptions without a connection, and keeps none for the next") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            connection.subscribe([Subscription("one")])
            connection.connect(harness.request)
            connection.subscribe([Subscription("one")])
            try harness.answer()
            let first = try pump.nextEvents(of: connection, "the connection")
            try require(first, is: [.connected], "what came of the attempt")
            connection.subscribe([Subscription("two")])
            try harness.awaitSubscriptions(1)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            try harness.publish(OutgoingMessage(topic: "two", text: "1"))
            try require(
                try pump.nextEvents(of: connection, "a message"),
                is: [incoming(OutgoingMessage(topic: "two", text: "1"))], "what came")
            try connect(connection, harness)
            connection.subscribe([Subscription("three")])
            try harness.awaitSubscriptions(2)
            for topic in ["one", "two", "three"] { try harness.publish(OutgoingMessage(topic: topic, text: "1")) }
            let events = try pump.nextEvents(of: connection, "a message")
            try require(events, is: [incoming(OutgoingMessage(topic: "three", text: "1"))], "what came")
        },
        Rule("in MQTT 5 does not bring what the broker kept when it subscribes") { harness in
            guard harness.request.version == .v5 else { return }
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try harness.publish(OutgoingMessage(topic: "one/old", text: "1", retain: true))
            try connect(connection, harness)
            connection.subscribe([Subscription("one/+")])
            try harness.awaitSubscriptions(1)
            let new = OutgoingMessage(topic: "one/new", text: "2")
            try harness.publish(new)
            try require(try pump.nextEvents(of: connection, "a message"), is: [incoming(new)], "what came")
        },
        Rule("brings what was published before a goodbye, and tells nothing after it") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            connection.subscribe([Subscription("one")])
            try harness.awaitSubscriptions(1)
            let messages = numbered(1...60)
            messages.forEach(connection.publish)
            connection.disconnect(patience: .seconds(60))
            try pump.requireAsleep(connection)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            try awaitArrival(of: messages, from: connection, harness)
            try pump.requireAsleep(connection)
        },
        Rule("tells nothing of what came before a goodbye and was not read") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            connection.subscribe([Subscription("one")])
            try harness.awaitSubscriptions(1)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            connection.disconnect(patience: .seconds(10))
            try pump.requireAsleep(connection)
        },
        Rule("drops the connection or the attempt without a word when it is told to connect again") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            connection.connect(harness.request)
            try connect(connection, harness)
            connection.subscribe([Subscription("one")])
            try harness.awaitSubscriptions(1)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            // Neither the loss nor the message that waits is told.
            try connect(connection, harness)
            try require(pump.present(connection), is: [], "what it tells")
            connection.publish(numbered(1...1)[0])
            try awaitArrival(of: numbered(1...1), from: connection, harness)
        },
        Rule("drops an attempt without a word when it is told to disconnect") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            connection.connect(harness.request)
            try harness.answer()
            connection.disconnect(patience: .seconds(10))
            try pump.requireAsleep(connection)
        },
        Rule("tells once that it is lost, is over then, and connects again when the broker is back") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            try harness.setPresent(false)
            try requireLoss(try pump.nextEvents(of: connection, "the loss"))
            try pump.requireAsleep(connection)
            connection.publish(OutgoingMessage(topic: event(1), text: "late"))
            try require(pump.present(connection), is: [.dropped(1)], "after the loss")
            try harness.setPresent(true)
            try pump.requireAsleep(connection)
            try connect(connection, harness)
            connection.publish(numbered(1...1)[0])
            try awaitArrival(of: numbered(1...1), from: connection, harness)
        },
        Rule("tells once of an attempt that fails, and is over then") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try harness.setPresent(false)
            for _ in 1...2 {
                connection.connect(harness.request)
                try harness.answer()
                try requireLoss(try pump.nextEvents(of: connection, "the loss"))
                try pump.requireAsleep(connection)
            }
            try harness.setPresent(true)
            try connect(connection, harness)
        },
    ]

    private static func event(_ number: Int) -> String { "timer/node/event\(number)" }

    private static func numbered(_ numbers: ClosedRange<Int>) -> [OutgoingMessage] {
        numbers.map { OutgoingMessage(topic: event(1), text: "\($0)") }
    }

    private static func incoming(_ message: OutgoingMessage, retained: Bool = false) -> ConnectionEvent {
        .message(IncomingMessage(topic: message.topic, payload: message.payload, retained: retained))
    }

    /// Connects, and expects to hear of nothing else.
    private static func connect(_ connection: any MQTTConnection, _ harness: any ConnectionHarness) throws {
        connection.connect(harness.request)
        try harness.answer()
        let events = try EventPump(clock: harness.clock).nextEvents(of: connection, "the connection")
        try require(events, is: [.connected], "what came of the attempt")
    }

    /// Waits until the broker has as many messages as are wanted, and expects these.
    private static func awaitArrival(
        of messages: [OutgoingMessage], from connection: any MQTTConnection, _ harness: any ConnectionHarness
    ) throws {
        let events = try EventPump(clock: harness.clock).run(connection, until: "\(messages.count) messages") {
            try harness.received().count >= messages.count
        }
        try require(try harness.received(), is: messages, "what the broker received")
        try require(events, is: [], "what was told meanwhile")
    }

    private static func requireLoss(_ events: [ConnectionEvent]) throws {
        guard case .lost? = events.first, events.count == 1 else {
            throw BrokenRule("of a loss it told \(events)")
        }
    }
}

extension ConnectionHarness {
    /// Whether a message that comes at once has the retain flag that it was published with.
    package func keepsFlag(_ message: OutgoingMessage) -> Bool { message.retain && request.version == .v5 }
}
