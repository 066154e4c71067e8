package import BrokerLink
internal import IoTNode
import TimerEngine

/// A broker with another client, which receives everything that is published and publishes messages itself.
package protocol ConnectionHarness: AnyObject {
    var clock: any NodeClock { get }
    /// The options for connecting to the broker.
    var request: ConnectOptions { get }
    func makeConnection() throws -> any MQTTConnection
    /// Makes the broker respond to the current connection attempt, if it does not do so on its own.
    func answer() throws
    /// Kills the broker and its connections, or starts it again.
    func setPresent(_ isPresent: Bool) throws
    /// Waits until the broker has accepted this number of subscriptions from the connection.
    func awaitSubscriptions(_ count: Int) throws
    /// Publishes a message as the other client, and returns when the broker has delivered it.
    func publish(_ message: OutgoingMessage) throws
    /// Returns the messages that the broker received on topics that begin with `timer/node/event`, in order, as
    /// published.
    func received() throws -> [OutgoingMessage]
}

/// The rules for an ``MQTTConnection``.
package enum ConnectionConformance {
    package static let rules: [Rule<any ConnectionHarness>] = [
        Rule("reports nothing and waits for nothing before a call to connect") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try pump.requireInactive(connection)
            connection.disconnect(timeout: .seconds(10))
            try pump.requireInactive(connection)
        },
        Rule("reports once that it is connected") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            try require(pump.present(connection), is: [], "the events")
        },
        Rule("delivers messages to the broker, in order, with topic, payload, retain flag and QoS") { harness in
            let connection = try harness.makeConnection()
            try connect(connection, harness)
            // There are so few messages that none waits for an acknowledgement. A message with QoS 0 would arrive
            // before one that waits.
            let messages = (1...12).map { number in
                OutgoingMessage(
                    topic: event(number % 3), text: "\(number)", qos: number % 4 == 0 ? .atMostOnce : .atLeastOnce,
                    retain: number % 5 == 0)
            }
            messages.forEach(connection.publish)
            try awaitArrival(of: messages, from: connection, harness)
        },
        Rule("delivers collected messages in order when it is flushed") { harness in
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
        Rule("reports how many messages, except retained ones, were dropped without a connection") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            let publishAll = {
                connection.publish(OutgoingMessage(topic: event(1), text: "late", qos: .atMostOnce))
                connection.publish(OutgoingMessage(topic: event(1), text: "late"))
                connection.publish(OutgoingMessage(topic: event(1), text: "late", retain: true))
            }
            publishAll()
            try require(pump.present(connection), is: [.dropped(2)], "the events before an attempt")
            connection.connect(harness.request)
            publishAll()
            try harness.answer()
            var events = try pump.events(of: connection, until: "the connection") {
                $0.contains(.connected)
            }
            try require(
                events.filter { $0 != .connected }, is: [.dropped(2)], "the events during an attempt")
            connection.disconnect(timeout: .seconds(10))
            publishAll()
            events = pump.present(connection)
            try require(events, is: [.dropped(2)], "the events after disconnecting")
            try require(pump.present(connection), is: [], "the later events")
            // None of the dropped messages is sent later.
            try connect(connection, harness)
            let message = OutgoingMessage(topic: event(2), text: "in time")
            connection.publish(message)
            try awaitArrival(of: [message], from: connection, harness)
        },
        Rule("receives messages on the topics that it subscribed to, with topic, payload and retain flag") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            connection.subscribe(
                ["one/+", "two"].map { Subscription($0, retainAsPublished: harness.request.version == .v5) })
            try harness.awaitSubscriptions(2)
            let messages = [("one/a", "1", false), ("two", "2", true), ("three", "3", false), ("one/b", "ä", true)]
                .map { OutgoingMessage(topic: $0.0, text: $0.1, retain: $0.2) }
            for message in messages { try harness.publish(message) }
            let events = try pump.events(of: connection, until: "the last message") { $0.count >= 3 }
            // In MQTT 3.1.1, a message that is delivered as it is published has no retain flag.
            try require(
                events,
                is: messages.filter { $0.topic != "three" }.map { incoming($0, retained: harness.keepsFlag($0)) },
                "the received messages")
        },
        Rule("ignores subscriptions without a connection, and keeps none for the next") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            connection.subscribe([Subscription("one")])
            connection.connect(harness.request)
            connection.subscribe([Subscription("one")])
            try harness.answer()
            let first = try pump.nextEvents(of: connection, "the connection")
            try require(first, is: [.connected], "the events of the attempt")
            connection.subscribe([Subscription("two")])
            try harness.awaitSubscriptions(1)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            try harness.publish(OutgoingMessage(topic: "two", text: "1"))
            try require(
                try pump.nextEvents(of: connection, "a message"),
                is: [incoming(OutgoingMessage(topic: "two", text: "1"))], "the received messages")
            try connect(connection, harness)
            connection.subscribe([Subscription("three")])
            try harness.awaitSubscriptions(2)
            for topic in ["one", "two", "three"] { try harness.publish(OutgoingMessage(topic: topic, text: "1")) }
            let events = try pump.nextEvents(of: connection, "a message")
            try require(events, is: [incoming(OutgoingMessage(topic: "three", text: "1"))], "the received messages")
        },
        Rule("in MQTT 5 does not receive retained messages when it subscribes") { harness in
            guard harness.request.version == .v5 else { return }
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try harness.publish(OutgoingMessage(topic: "one/old", text: "1", retain: true))
            try connect(connection, harness)
            connection.subscribe([Subscription("one/+")])
            try harness.awaitSubscriptions(1)
            let new = OutgoingMessage(topic: "one/new", text: "2")
            try harness.publish(new)
            try require(try pump.nextEvents(of: connection, "a message"), is: [incoming(new)], "the received messages")
        },
        Rule("delivers the messages published before disconnecting, and reports nothing afterwards") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            connection.subscribe([Subscription("one")])
            try harness.awaitSubscriptions(1)
            let messages = numbered(1...60)
            messages.forEach(connection.publish)
            connection.disconnect(timeout: .seconds(60))
            try pump.requireInactive(connection)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            try awaitArrival(of: messages, from: connection, harness)
            try pump.requireInactive(connection)
        },
        Rule("does not report messages that arrived before disconnecting and were not read") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            connection.subscribe([Subscription("one")])
            try harness.awaitSubscriptions(1)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            connection.disconnect(timeout: .seconds(10))
            try pump.requireInactive(connection)
        },
        Rule("silently drops the connection or the attempt on another call to connect") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            connection.connect(harness.request)
            try connect(connection, harness)
            connection.subscribe([Subscription("one")])
            try harness.awaitSubscriptions(1)
            try harness.publish(OutgoingMessage(topic: "one", text: "1"))
            // Neither the loss nor the pending message is reported.
            try connect(connection, harness)
            try require(pump.present(connection), is: [], "the events")
            connection.publish(numbered(1...1)[0])
            try awaitArrival(of: numbered(1...1), from: connection, harness)
        },
        Rule("silently drops an attempt on a call to disconnect") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            connection.connect(harness.request)
            try harness.answer()
            connection.disconnect(timeout: .seconds(10))
            try pump.requireInactive(connection)
        },
        Rule("reports a loss once, is then closed, and can connect again when the broker is back") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try connect(connection, harness)
            try harness.setPresent(false)
            try requireLoss(try pump.nextEvents(of: connection, "the loss"))
            try pump.requireInactive(connection)
            connection.publish(OutgoingMessage(topic: event(1), text: "late"))
            try require(pump.present(connection), is: [.dropped(1)], "after the loss")
            try harness.setPresent(true)
            try pump.requireInactive(connection)
            try connect(connection, harness)
            connection.publish(numbered(1...1)[0])
            try awaitArrival(of: numbered(1...1), from: connection, harness)
        },
        Rule("reports a failed attempt once, and is then closed") { harness in
            let (connection, pump) = (try harness.makeConnection(), EventPump(clock: harness.clock))
            try harness.setPresent(false)
            for _ in 1...2 {
                connection.connect(harness.request)
                try harness.answer()
                try requireLoss(try pump.nextEvents(of: connection, "the loss"))
                try pump.requireInactive(connection)
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

    /// Connects, and requires that no other event is reported.
    private static func connect(_ connection: any MQTTConnection, _ harness: any ConnectionHarness) throws {
        connection.connect(harness.request)
        try harness.answer()
        let events = try EventPump(clock: harness.clock).nextEvents(of: connection, "the connection")
        try require(events, is: [.connected], "the events of the attempt")
    }

    /// Waits until the broker has received as many messages as expected, and requires that they match.
    private static func awaitArrival(
        of messages: [OutgoingMessage], from connection: any MQTTConnection, _ harness: any ConnectionHarness
    ) throws {
        let events = try EventPump(clock: harness.clock).run(connection, until: "\(messages.count) messages") {
            try harness.received().count >= messages.count
        }
        try require(try harness.received(), is: messages, "the messages that the broker received")
        try require(events, is: [], "the events during the wait")
    }

    private static func requireLoss(_ events: [ConnectionEvent]) throws {
        guard case .lost? = events.first, events.count == 1 else {
            throw BrokenRule("it reported a loss as \(events)")
        }
    }
}

extension ConnectionHarness {
    /// Returns whether a message that is delivered as it is published keeps a retain flag.
    package func keepsFlag(_ message: OutgoingMessage) -> Bool { message.retain && request.version == .v5 }
}
