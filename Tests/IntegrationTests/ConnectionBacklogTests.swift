import BrokerLink
import Foundation
internal import Mosquitto
import Testing

/// How a connection handles more data than the broker accepts at once.
@Suite struct ConnectionBacklogTests {
    @Test("a disconnect waits until all published messages have arrived", arguments: MQTTVersion.allCases)
    func farewell(version: MQTTVersion) throws {
        let broker = try MosquittoBroker()
        let probe = try MQTTProbe(broker, "timer/node/#")
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port, version: version))
        // Far more than the 20 messages that may be in flight; the rest are sent as acknowledgements arrive.
        for number in 1...500 {
            driver.connection.publish(OutgoingMessage(topic: "timer/node/event", text: "\(number)"))
        }
        driver.connection.publish(OutgoingMessage(topic: "timer/node/availability", text: "bye", retain: true))
        driver.connection.disconnect(timeout: .seconds(30))
        #expect(driver.connection.interests.isEmpty)
        try probe.wait(for: "bye", on: "timer/node/availability")
        #expect(probe.messages.count == 501)
    }

    @Test("a disconnect from a broker that hangs takes no longer than its timeout")
    func timeout() throws {
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        broker.freeze()
        defer { broker.thaw() }
        driver.connection.publish(OutgoingMessage(topic: "timer/node/event", text: "1"))
        let began = ContinuousClock.now
        driver.connection.disconnect(timeout: .milliseconds(300))
        #expect(ContinuousClock.now - began >= .milliseconds(300))
        #expect(ContinuousClock.now - began < .seconds(5))
        driver.run(for: .milliseconds(100))
        #expect(driver.events == [.connected, .dropped(1)])
    }

    @Test("messages that a lost broker has not acknowledged count as dropped, except retained ones")
    func undelivered() throws {
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.connection.subscribe([Subscription("timer/node/echo")])
        try broker.waitForLog("Sending SUBACK to node")
        driver.connection.publish(OutgoingMessage(topic: "timer/node/event", text: "0"))
        // It arrives only after the acknowledgements of the messages that were published before it.
        driver.connection.publish(OutgoingMessage(topic: "timer/node/echo", text: "0", qos: .atMostOnce))
        try driver.run(until: "its arrival") { !$0.messages.isEmpty }
        broker.freeze()
        for number in 1...2 { driver.connection.publish(OutgoingMessage(topic: "timer/node/event", text: "\(number)")) }
        driver.connection.publish(OutgoingMessage(topic: "timer/node/mode", text: "stopped", retain: true))
        try broker.kill()
        try driver.run(until: "the loss") { !$0.failures.isEmpty }
        // Messages that are published without a connection are dropped as well.
        driver.connection.publish(OutgoingMessage(topic: "timer/node/tick", text: "3", qos: .atMostOnce))
        driver.run(for: .milliseconds(100))
        let told = driver.events.filter { if case .dropped = $0 { true } else { false } }
        #expect(told == [.dropped(2), .dropped(1)])
    }

    @Test("the connection fails if the broker acknowledges nothing for 5 s while messages exceed the in-flight limit")
    func unacknowledged() throws {
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        broker.freeze()
        defer { broker.thaw() }
        let large = OutgoingMessage(topic: "timer/node/timers", payload: [UInt8](repeating: 0x20, count: 64 * 1024))
        let began = ContinuousClock.now
        for _ in 0..<17 { driver.connection.publish(large) }
        try driver.run(until: "the loss") { !$0.failures.isEmpty }
        #expect(ContinuousClock.now - began >= .seconds(5))
        let reason = "has acknowledged nothing for 5 s, with 17 messages waiting"
        #expect(driver.failures.first?.description.contains(reason) == true)
        #expect(driver.events.contains(.dropped(17)))
    }

    @Test("a broker that acknowledges is sent the whole backlog, however large")
    func backlog() throws {
        let broker = try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.connection.subscribe([Subscription("timer/node/response")])
        driver.run(for: .milliseconds(100))
        // Two megabytes, five times the in-flight limit, and a retained message of which only the last value matters.
        for number in 1...4000 {
            driver.connection.publish(
                OutgoingMessage(topic: "timer/node/response", text: "\(number) " + String(repeating: "x", count: 500)))
            driver.connection.publish(OutgoingMessage(topic: "timer/node/state", text: "\(number)", retain: true))
        }
        let isLast = { (message: IncomingMessage) in message.payload.starts(with: Array("4000 ".utf8)) }
        try driver.run(until: "the last one", timeout: .seconds(120)) { $0.messages.last.map(isLast) == true }
        let isWhole =
            driver.messages.map { String(decoding: $0.payload.prefix { $0 != 32 }, as: UTF8.self) }
            == (1...4000).map(String.init)
        #expect(isWhole, "\(driver.messages.count) arrived")
        #expect(driver.failures.isEmpty)
        driver.connection.disconnect(timeout: .seconds(30))
        let state = try MQTTProbe(broker, "timer/node/state")
        try state.wait(for: "4000", on: "timer/node/state")
    }

    @Test("messages that did not fit into the socket follow when there is room, except ticks")
    func fullSocket() throws {
        let broker = try MosquittoBroker(settings: ["max_inflight_messages 0"])
        let probe = try MQTTProbe(broker, "timer/node/#")
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        broker.freeze()
        let tick = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
        var sent = 0
        while !driver.connection.interests.contains(where: { $0.events.contains(.write) }) {
            driver.connection.publish(OutgoingMessage(topic: "timer/node/tick", payload: tick, qos: .atMostOnce))
            sent += 1
            try #require(sent < 10_000)
        }
        driver.connection.publish(OutgoingMessage(topic: "timer/node/tick", text: "late", qos: .atMostOnce))
        driver.connection.publish(OutgoingMessage(topic: "timer/node/mode", text: "stopped"))
        broker.thaw()
        try driver.run(until: "room in the socket") { !$0.connection.interests.contains { $0.events.contains(.write) } }
        driver.connection.disconnect(timeout: .seconds(30))
        try probe.wait(for: "stopped", on: "timer/node/mode")
        #expect(!probe.messages.contains { $0.payload == "late" })
        #expect(driver.events == [.connected, .dropped(1)], "the late tick is dropped, and the drop is reported")
        #expect(probe.messages.filter { $0.topic == "timer/node/tick" }.count == sent)
        #expect(driver.failures.isEmpty)
    }

    @Test(
        "a message over the announced maximum stays with the broker in MQTT 5, and is discarded in 3.1.1",
        arguments: MQTTVersion.allCases)
    func tooLarge(version: MQTTVersion) throws {
        let broker = try MosquittoBroker()
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port, version: version))
        driver.connection.subscribe([Subscription("timer/node/command")])
        try broker.waitForLog("Sending SUBACK to node")
        for size in [300_000, 200_000] {
            let publish =
                "head -c \(size) /dev/zero | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -s -t timer/node/command"
            #expect(try ChildProcess("sh", ["-c", publish]).waitForExit() == .exited(0))
        }
        try driver.run(until: "the smaller one") { $0.messages.contains { $0.payload.count == 200_000 } }
        let left = ConnectionEvent.leftOut(topic: "timer/node/command", bytes: 300_000, limit: 262_144)
        #expect(driver.messages.count == 1 && driver.events.contains(left) == (version == .v311))
    }

    @Test("a flood of commands arrives whole and in order")
    func flood() throws {
        let broker = try MosquittoBroker(settings: ["max_queued_messages 0"])
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        driver.connection.subscribe([Subscription("timer/node/command")])
        try broker.waitForLog("Sending SUBACK to node")
        let publisher = try ChildProcess(
            "sh", ["-c", "seq 1 2000 | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -t timer/node/command -q 1 -l"])
        try driver.run(until: "the last command") {
            $0.messages.last?.payload == Array("2000".utf8)
        }
        let arrived = driver.messages.map { String(decoding: $0.payload, as: UTF8.self) }
        // The comparison is outside the macro, which would print both values.
        let isWhole = arrived == (1...2000).map(String.init)
        #expect(isWhole, "\(arrived.count) arrived")
        try publisher.waitForExit()
    }
}
