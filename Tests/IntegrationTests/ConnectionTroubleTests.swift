import BrokerLink
import Foundation
internal import Mosquitto
import Testing

@testable import TimerProtocol

/// The errors that a connection reports about a server that does not behave like a broker.
@Suite struct ConnectionTroubleTests {
    /// CONNACK of MQTT 5: accepted, no properties.
    static let accepted: [UInt8] = [0x20, 3, 0, 0, 0]

    /// A server's response to CONNECT, and how the connection handles it.
    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: MQTTVersion
        let bytes: [UInt8]
        let closes: Bool
        let reason: String
        let hintsAtOlderProtocol: Bool
    }

    static let answers: [Answer] = [
        Answer(
            testDescription: "a 3.1.1 broker answers MQTT 5", version: .v5, bytes: [0x20, 2, 0, 1],
            closes: false,
            reason: "refused the connection: Unsupported Protocol Version (CONNACK 0x84)", hintsAtOlderProtocol: true),
        Answer(
            testDescription: "MQTT 5 is refused with a packet of MQTT 5", version: .v5, bytes: [0x20, 3, 0, 0x84, 0],
            closes: false,
            reason: "refused the connection: Unsupported Protocol Version (CONNACK 0x84)", hintsAtOlderProtocol: true),
        Answer(
            testDescription: "MQTT 5 is answered by closing the connection", version: .v5, bytes: [], closes: true,
            reason: "closed the connection without responding to CONNECT", hintsAtOlderProtocol: true),
        Answer(
            testDescription: "MQTT 5 is answered with garbage", version: .v5,
            bytes: Array(repeatElement("HTTP/1.1 400 Bad Request\r\n", count: 9).joined().utf8),
            closes: false,
            reason: "violated the protocol", hintsAtOlderProtocol: true),
        Answer(
            testDescription: "a broker that is busy", version: .v5, bytes: [0x20, 3, 0, 0x89, 0], closes: false,
            reason: "refused the connection: Server busy (CONNACK 0x89)", hintsAtOlderProtocol: false),
        Answer(
            testDescription: "3.1.1 is answered by closing the connection", version: .v311, bytes: [], closes: true,
            reason: "closed the connection without responding to CONNECT", hintsAtOlderProtocol: false),
        Answer(
            testDescription: "3.1.1 with a bad password", version: .v311, bytes: [0x20, 2, 0, 4], closes: false,
            reason: "refused the connection: bad user name or password (CONNACK 0x04)", hintsAtOlderProtocol: false),
        Answer(
            testDescription: "a take-over", version: .v5, bytes: accepted + [0xe0, 1, 0x8e], closes: true,
            reason: "another client took over the client id node", hintsAtOlderProtocol: false),
        Answer(
            testDescription: "a broker that shuts down", version: .v5, bytes: accepted + [0xe0, 1, 0x8b], closes: true,
            reason: "ended the connection: Server shutting down (DISCONNECT 0x8B)", hintsAtOlderProtocol: false),
    ]

    @Test("the response is reported in words, once", arguments: answers)
    func answer(_ answer: Answer) throws {
        let server = try TCPListener()
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(server.port, version: answer.version))
        let connection = try server.acceptConnection()
        _ = unsafe answer.bytes.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, 0) }
        if answer.closes { shutdown(connection, Int32(SHUT_WR)) }
        try driver.run(until: "the loss") { !$0.failures.isEmpty }
        driver.run(for: .milliseconds(100))
        #expect(driver.failures.count == 1)
        let failure = try #require(driver.failures.first)
        #expect(failure.description.contains(answer.reason), "\(failure)")
        #expect(!failure.description.contains("127.0.0.1"), "the log line names the broker")
        #expect(failure.hintsAtOlderProtocol == answer.hintsAtOlderProtocol)
    }

    @Test("a refused subscription and a refused publication are reported, and the connection stays open")
    func denied() throws {
        let listener = try TCPListener()
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(listener.port))
        let broker = try ScriptedBroker(listener)
        broker.send(Self.accepted)
        try driver.run(until: "the connection") { $0.events.contains(.connected) }
        driver.connection.subscribe([Subscription("timer/node/command"), Subscription("timer/all/command")])
        driver.connection.publish(OutgoingMessage(topic: "timer/node/mode", text: "stopped", retain: true))
        let codes: [UInt8] = [1, 0x87]
        for code in codes { broker.send([0x90, 4] + (try broker.packet(8).prefix(2)) + [0, code]) }
        let publication = try broker.packet(3)
        let length = Int(publication[0]) << 8 + Int(publication[1])
        broker.send([0x40, 3] + publication[(2 + length)...].prefix(2) + [0x99])

        try driver.run(until: "two refusals") { $0.events.count >= 3 }
        driver.run(for: .milliseconds(100))
        #expect(
            driver.events == [
                .connected,
                .rejected(
                    Rejection(
                        .subscription(filter: "timer/all/command"), code: 0x87,
                        reason: "Not authorized (SUBACK 0x87)")),
                .rejected(
                    Rejection(
                        .publication(topic: "timer/node/mode", isRetained: true), code: 0x99,
                        reason: "Payload format invalid (PUBACK 0x99)")),
            ])
    }

    @Test("an unanswered attempt is silently dropped by the next one")
    func dropped() throws {
        let silent = try TCPListener()
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(silent.port))
        let connection = try silent.acceptConnection()
        driver.run(for: .milliseconds(200))
        #expect(driver.events.isEmpty)
        #expect(driver.connection.nextInstant == nil)

        try driver.connect(MosquittoConnectionTests.request(broker.port))
        var byte: UInt8 = 0
        try waitUntil("the end of the dropped connection") {
            unsafe recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 0 || errno == ECONNRESET
        }
        driver.run(for: .milliseconds(200))
        #expect(driver.events == [.connected])
    }

    @Test("attempts that hang while connecting delay no other attempt, and at most two are left behind")
    func stuck() throws {
        let swallowing = try (0..<3).map { _ in try TCPListener(isFull: true) }
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        let hang = { (server: TCPListener) in
            driver.connection.connect(MosquittoConnectionTests.request(server.port))
            driver.run(for: .milliseconds(100))
            #expect(driver.events.isEmpty)
        }
        for server in swallowing.prefix(2) { hang(server) }
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.forget()

        hang(swallowing[2])
        driver.connection.disconnect(timeout: .seconds(10))
        driver.connection.connect(MosquittoConnectionTests.request(broker.port))
        try driver.run(until: "a response") { !$0.events.isEmpty }
        let names = swallowing.map { "mqtt://127.0.0.1:\($0.port)" }.joined(separator: ", ")
        let reason = "not connecting: earlier attempts to reach \(names) are still waiting for a response"
        #expect(driver.events == [.lost(ConnectionError(reason))])
    }

    @Test("an attempt at the same broker reuses the thread that was left behind, and other attempts still connect")
    func takenUp() throws {
        let swallowing = try TCPListener(isFull: true)
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        for _ in 0..<5 {
            driver.connection.connect(MosquittoConnectionTests.request(swallowing.port))
            driver.run(for: .milliseconds(50))
            driver.connection.disconnect(timeout: .seconds(10))
        }
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.forget()

        driver.connection.connect(MosquittoConnectionTests.request(swallowing.port))
        let before = driver.connection.interests
        driver.run(for: .milliseconds(50))
        #expect(driver.events.isEmpty)
        // The next SYN of the hanging attempt gets through, so its client is handed over and its socket is read.
        swallowing.letThrough()
        try driver.run(until: "the hand-over") { driver in
            driver.connection.interests != before
        }
        driver.connection.disconnect(timeout: .zero)
        #expect(driver.events.isEmpty)
    }
}
