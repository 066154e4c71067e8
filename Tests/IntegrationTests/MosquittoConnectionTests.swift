import BrokerLink
import Foundation
internal import Mosquitto
import Testing

/// The guarantees of a connection, checked with a real broker.
@Suite struct MosquittoConnectionTests {
    /// The options to connect to a port on the loopback address.
    static func request(
        _ port: Int, host: String = "127.0.0.1", version: MQTTVersion = .v5, clientID: String = "node",
        keepAlive: Int = 60, credentials: Credentials? = nil
    ) -> ConnectOptions {
        ConnectOptions(
            broker: Broker(host: host, port: port), version: version, clientID: clientID, keepAlive: keepAlive,
            credentials: credentials,
            will: OutgoingMessage(topic: "timer/node/availability", text: "offline", retain: true))
    }

    @Test("it connects, publishes with flag and correlation data, and receives", arguments: MQTTVersion.allCases)
    func roundTrip(version: MQTTVersion) throws {
        let broker = try MosquittoBroker()
        try MQTTProbe.publish(broker, "timer/node/command/old", "1", retain: true)
        let driver = ConnectionDriver()
        try driver.connect(Self.request(broker.port, version: version))
        driver.connection.subscribe(
            ["timer/node/command/+", "timer/all/command/+"].map { Subscription($0, retainAsPublished: true) })
        try broker.waitForLog("Sending SUBACK to node")

        let probe = try MQTTProbe(broker, "timer/node/#")
        driver.connection.publish(
            OutgoingMessage(
                topic: "timer/node/mode", payload: Array("stopped".utf8), retain: true, correlationData: [0x41, 0x42]))
        driver.connection.publish(OutgoingMessage(topic: "timer/node/tick", text: "42", qos: .atMostOnce))
        let mode = try probe.wait(for: "stopped", on: "timer/node/mode")
        #expect(mode.retained)
        #expect(mode.qos == 1)
        #expect(mode.correlationData == (version == .v5 ? "AB" : ""))
        let tick = try probe.wait(for: "42", on: "timer/node/tick")
        #expect(!tick.retained)
        #expect(tick.qos == 0)

        try MQTTProbe.publish(
            broker, "timer/all/command/start", "2/1", retain: true, responseTopic: "answer/here", correlationData: "xyz"
        )
        try driver.run(until: "the command") { $0.messages.contains { $0.topic == "timer/all/command/start" } }
        let command = try #require(driver.messages.last)
        #expect(command.payload == Array("2/1".utf8))
        #expect(command.responseTopic == (version == .v5 ? "answer/here" : nil))
        #expect(command.correlationData == (version == .v5 ? Array("xyz".utf8) : nil))
        // In MQTT 5, the flag is as published, and no old message arrives. In 3.1.1, a live message never has the flag,
        // and an old message arrives with it.
        #expect(command.retained == (version == .v5))
        #expect(driver.messages.contains { $0.topic == "timer/node/command/old" && $0.retained } == (version == .v311))
    }

    @Test("a wrong password is refused, and is not shown", arguments: MQTTVersion.allCases)
    func wrongPassword(version: MQTTVersion) throws {
        let broker = try MosquittoBroker(users: ["lectern"])
        let driver = ConnectionDriver()
        let wrong = Credentials(username: "lectern", password: TestSecrets.wrongPassword)
        driver.connection.connect(Self.request(broker.port, version: version, credentials: wrong))
        try driver.run(until: "the refusal") { !$0.failures.isEmpty }
        let reason = try #require(driver.failures.first?.description)
        #expect(reason.hasPrefix("the broker refused the connection: "))
        #expect(reason.lowercased().contains("not authori"))
        #expect(!reason.contains(TestSecrets.wrongPassword))
        #expect(driver.failures.first?.hintsAtOlderProtocol == false)

        driver.forget()
        let right = Credentials(username: "lectern", password: TestSecrets.password(of: "lectern"))
        try driver.connect(Self.request(broker.port, version: version, credentials: right))
    }

    @Test("a port without a listener is reported")
    func refusedPort() throws {
        let port = try freePort()
        let driver = ConnectionDriver()
        driver.connection.connect(Self.request(port))
        try driver.run(until: "the failure") { !$0.failures.isEmpty }
        #expect(driver.failures == [ConnectionError("cannot connect: Connection refused")])
    }

    @Test("a host that does not exist is reported")
    func unknownHost() throws {
        let driver = ConnectionDriver()
        driver.connection.connect(Self.request(1883, host: "no-such-host.invalid"))
        try driver.run(until: "the failure", timeout: .seconds(120)) { !$0.failures.isEmpty }
        let reason = try #require(driver.failures.first?.description)
        #expect(reason.hasPrefix("cannot resolve the host name: "))
    }

    @Test("a keep-alive that MQTT or libmosquitto does not allow is explained")
    func badKeepAlive() throws {
        let driver = ConnectionDriver()
        driver.connection.connect(Self.request(1883, keepAlive: 3))
        try driver.run(until: "the failure") { !$0.failures.isEmpty }
        #expect(driver.failures.first?.description.contains("it is 3 s") == true)
    }

    @Test("the will is sent when the connection drops, but not after a disconnect", arguments: MQTTVersion.allCases)
    func will(version: MQTTVersion) throws {
        let broker = try MosquittoBroker()
        let probe = try MQTTProbe(broker, "timer/node/availability", "end")

        var driver = ConnectionDriver()
        try driver.connect(Self.request(broker.port, version: version))
        driver.connection.disconnect(timeout: .seconds(10))
        #expect(driver.connection.interests.isEmpty)
        try broker.waitForLog("Client node disconnected")
        try MQTTProbe.publish(broker, "end", "1")
        #expect(try probe.wait(for: "1", on: "end").payload == "1")
        #expect(!probe.messages.contains { $0.payload == "offline" })

        driver = ConnectionDriver()
        try driver.connect(Self.request(broker.port, version: version))
        driver = ConnectionDriver()
        let will = try probe.wait(for: "offline", on: "timer/node/availability")
        #expect(will.retained)
        #expect(will.qos == 1)
    }

    @Test("a second client with the same id takes over, and the loss is reported once")
    func takeover() throws {
        let broker = try MosquittoBroker()
        let first = ConnectionDriver()
        let second = ConnectionDriver()
        try first.connect(Self.request(broker.port))
        try second.connect(Self.request(broker.port))
        try first.run(until: "the loss") { !$0.failures.isEmpty }
        first.run(for: .milliseconds(300))
        #expect(first.events.count == 2)
        // mosquitto sends the reason to the first client only from about 2.0.12 on; 2.0.11 just closes the connection.
        let reason = try #require(first.failures.first?.description)
        #expect(reason.contains("another client took over") || reason.contains("closed the connection"), "\(reason)")
        #expect(second.failures.isEmpty)
    }

    @Test("a broker that stops or is killed is lost only once, and found again on its port", arguments: [true, false])
    func brokerGone(killed: Bool) throws {
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        try driver.connect(Self.request(broker.port))
        if killed { try broker.kill() } else { try broker.stop() }
        try driver.run(until: "the loss") { !$0.failures.isEmpty }
        driver.run(for: .milliseconds(300))
        #expect(driver.events.count == 2)
        let reason = try #require(driver.failures.first?.description)
        #expect(reason == "the broker closed the connection")
        #expect(driver.connection.interests.isEmpty)
        #expect(driver.connection.nextInstant == nil)

        try broker.restart()
        driver.forget()
        try driver.connect(Self.request(broker.port))
    }
}
