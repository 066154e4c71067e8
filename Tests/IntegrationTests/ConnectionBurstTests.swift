import BrokerLink
import Foundation
internal import Mosquitto
import Testing

/// How a connection handles many messages at once, and small ones in quick succession.
@Suite struct ConnectionBurstTests {
    @Test("a broker with its default settings, which delays small packets, still responds at once")
    func delayedAcknowledgements() throws {
        let broker = try MosquittoBroker(asInstalled: true)
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.connection.subscribe([Subscription("timer/node/echo")])
        try broker.waitForLog("Sending SUBACK to node")
        var rounds: [Duration] = []
        for number in 1...75 {
            let began = ContinuousClock.now
            driver.connection.publish(OutgoingMessage(topic: "timer/node/echo", text: "\(number)"))
            try driver.run(until: "the echo") { $0.messages.count == number }
            rounds.append(ContinuousClock.now - began)
        }
        // The kernel acknowledges the first packets of a connection at once, and later ones up to 40 ms after they
        // arrive. A busy machine may delay most rounds as well, but not all.
        let quick = rounds.suffix(50).sorted()[5]
        #expect(quick < .milliseconds(20), "\(quick)")
    }

    @Test(
        "a flood arrives in portions, with time for other work in between, even over TLS",
        arguments: [false, true])
    func portions(isEncrypted: Bool) throws {
        let authority = try CertificateAuthority()
        let settings = ["max_queued_messages 0"]
        let broker =
            isEncrypted
            ? try MosquittoBroker(authority.issue("broker"), settings: settings)
            : try MosquittoBroker(settings: settings)
        let driver = ConnectionDriver()
        let host = "localhost"
        try driver.connect(
            ConnectOptions(
                broker: Broker(host: host, port: broker.port, usesTLS: isEncrypted), version: .v5, clientID: "node",
                keepAlive: 60, credentials: nil,
                tls: isEncrypted ? TLSFiles(ca: authority.certificate) : nil,
                will: OutgoingMessage(topic: "timer/node/availability", text: "offline", retain: true)))
        driver.connection.subscribe([Subscription("timer/node/command")])
        try broker.waitForLog("Sending SUBACK to node")
        // All messages are waiting for the connection before it reads any.
        let flood =
            "seq 1 2000 | mosquitto_pub -h \(host) -p \(broker.port) -t timer/node/command -l"
            + (isEncrypted ? " --cafile \(authority.certificate)" : "")
        #expect(try ChildProcess("sh", ["-c", flood]).waitForExit() == .exited(0))
        try broker.waitForLog("Sending PUBLISH to node (d0, q0, r0, m0, 'timer/node/command', ... (4 bytes))")
        usleep(500_000)
        try driver.run(until: "the last one") { $0.messages.count == 2000 }
        #expect((20...64).contains(driver.mostMessagesAtOnce), "\(driver.mostMessagesAtOnce)")
        #expect(driver.messages.last?.payload == Array("2000".utf8))
        #expect(driver.failures.isEmpty)
    }

    /// Returns a connection that a broker played by the test has accepted.
    private func connection(to listener: TCPListener) throws -> (ConnectionDriver, ScriptedBroker) {
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(listener.port))
        let broker = try ScriptedBroker(listener)
        broker.send([0x20, 3, 0, 0, 0])
        try driver.run(until: "the connection") { $0.events.contains(.connected) }
        return (driver, broker)
    }

    @Test("large messages arrive one by one, so none waits until several have been handled")
    func largePortions() throws {
        let listener = try TCPListener()
        let (driver, broker) = try connection(to: listener)
        try broker.sendMeanwhile {
            for _ in 1...20 where !broker.sendWhole(ScriptedBroker.message(on: "a", 40_000)) { return }
        } while: {
            usleep(300_000)
            try driver.run(until: "all messages") { $0.messages.count == 20 }
        }
        #expect(driver.mostMessagesAtOnce <= 2)
    }

    @Test("a message over 256 KiB is discarded and reported, even in MQTT 3.1.1, and the connection stays open")
    func leftOut() throws {
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port, version: .v311))
        driver.connection.subscribe([Subscription("a/+")])
        try broker.waitForLog("Sending SUBACK to node")
        let largest = 256 * 1024
        for bytes in [largest + 1, largest] {
            let payload = [UInt8](repeating: 1, count: bytes)
            driver.connection.publish(OutgoingMessage(topic: "a/\(bytes)", payload: payload))
        }
        try driver.run(until: "the message within the limit") { !$0.messages.isEmpty }
        #expect(driver.messages.map(\.payload.count) == [largest])
        let told = driver.events.filter { if case .leftOut = $0 { true } else { false } }
        #expect(told == [.leftOut(topic: "a/\(largest + 1)", bytes: largest + 1, limit: largest)])
        #expect(driver.failures.isEmpty)
    }

    @Test("a message that arrives during a disconnect is delivered, since it was acknowledged")
    func duringGoodbye() throws {
        let listener = try TCPListener()
        let (driver, broker) = try connection(to: listener)
        // The disconnect waits for this message's acknowledgement.
        driver.connection.publish(OutgoingMessage(topic: "timer/node/event", text: "1"))
        try broker.packet(3)
        let count = 1000
        broker.send((1...count).flatMap { ScriptedBroker.message(on: "timer/node/command/stop", 2, identifier: $0) })
        driver.connection.disconnect(timeout: .seconds(10))
        driver.run(for: .milliseconds(100))
        var acknowledged = 0
        while (try? broker.packet(4)) != nil { acknowledged += 1 }
        // The connection may close before acknowledgements arrive.
        #expect(acknowledged >= 1 && acknowledged <= driver.messages.count)
        #expect(driver.messages.count < 100, "the other messages stay unread")
        #expect(driver.events.first == .connected && driver.failures.isEmpty)
        #expect(driver.connection.nextInstant == nil)
    }

    @Test("a message over the broker's limit is reported with topic, size and limit, and the connection stays open")
    func tooLarge() throws {
        let broker = try MosquittoBroker(settings: ["max_packet_size 2000"])
        let probe = try MQTTProbe(broker, "timer/node/#")
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.connection.publish(
            OutgoingMessage(topic: "timer/node/timers", text: String(repeating: "x", count: 3000), retain: true))
        // A response carries the correlation data of its request.
        driver.connection.publish(
            OutgoingMessage(
                topic: "timer/node/response", payload: [0x31], correlationData: [UInt8](repeating: 0, count: 3000)))
        driver.connection.publish(OutgoingMessage(topic: "timer/node/mode", text: "stopped", retain: true))
        try probe.wait(for: "stopped", on: "timer/node/mode")
        driver.run(for: .milliseconds(100))
        #expect(
            driver.events == [
                .connected, .tooLarge(topic: "timer/node/timers", bytes: 3017, limit: 2000),
                .tooLarge(topic: "timer/node/response", bytes: 3020, limit: 2000),
            ])
    }

    @Test("a disconnect takes no longer than allowed, whatever the broker sends")
    func farewell() throws {
        let listener = try TCPListener()
        let (driver, broker) = try connection(to: listener)
        driver.connection.publish(OutgoingMessage(topic: "timer/node/event", text: "1"))
        // Sends without a pause until the connection is gone, and acknowledges nothing.
        let message: [UInt8] = [0x30, 12] + [0, 4] + Array("noise".utf8.prefix(4)) + [0] + Array("12345".utf8)
        broker.sendMeanwhile {
            let burst = Array(repeatElement(message, count: 1000).joined())
            while broker.sendWhole(burst) {}
        } while: {
            let began = ContinuousClock.now
            driver.connection.disconnect(timeout: .milliseconds(300))
            let took = ContinuousClock.now - began
            #expect(took < .seconds(3), "\(took)")
        }
    }
}
