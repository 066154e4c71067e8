import BrokerLink
import Foundation
internal import Mosquitto
import Testing
import TimerEngine

extension InSimulatedTime {
    /// How a connection handles silence, checked to the second and to the wake-up.
    ///
    /// The shortest keep-alive that libmosquitto accepts is 5 s, and there is no way round it.
    @Suite("a connection's keep-alive")
    struct ConnectionKeepAliveInSimulatedTime {
        @Test("an idle connection wakes only for the keep-alive")
        func idle() throws {
            let broker = try MosquittoBroker()
            let driver = ConnectionDriver()
            try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 5))
            driver.forget()
            driver.run(for: .seconds(64))
            // Each round is a ping after 2.5 s of silence, before the keep-alive ends, and its response.
            #expect(driver.events.isEmpty)
            #expect(driver.wakeUps == 2 * 25)
            #expect(broker.log.filter { $0.contains("Received UNSUBSCRIBE from node") }.count == 25)
            #expect(!broker.log.contains { $0.contains("Received PINGREQ") })
        }

        @Test("the connection to a broker that hangs fails once, by the keep-alive")
        func frozen() throws {
            let broker = try MosquittoBroker()
            let driver = ConnectionDriver()
            try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 5))
            driver.forget()
            broker.freeze()
            defer { broker.thaw() }
            let frozen = bootTime()
            try driver.run(until: "the loss", timeout: .seconds(60)) { !$0.failures.isEmpty }
            #expect(frozen.duration(to: bootTime()) <= .seconds(7), "one keep-alive and 2 s")
            driver.run(for: .milliseconds(200))
            #expect(driver.events.count == 1)
            #expect(
                driver.failures.first?.description
                    == "the broker is not responding: nothing arrived within the keep-alive")
            #expect(driver.wakeUps == 2)
        }

        @Test(
            "a packet that the broker does not acknowledge within the keep-alive ends the connection",
            arguments: [true, false])
        func overdue(isSubscription: Bool) throws {
            let listener = try TCPListener()
            let driver = ConnectionDriver()
            driver.connection.connect(MosquittoConnectionTests.request(listener.port, keepAlive: 5))
            let broker = try ScriptedBroker(listener)
            broker.send(ConnectionTroubleTests.accepted)
            try driver.run(until: "the connection") { $0.events == [.connected] }
            let topic = "timer/node/mode"
            if isSubscription {
                driver.connection.subscribe([Subscription(topic)])
            } else {
                driver.connection.publish(OutgoingMessage(topic: topic, text: "stopped", retain: true))
            }
            let sent = bootTime()
            for _ in 0..<20 where driver.failures.isEmpty {
                driver.run(for: .milliseconds(500))
                // PINGRESP, so the broker is not silent.
                if driver.failures.isEmpty { broker.send([0xD0, 0]) }
            }
            let passed = sent.duration(to: bootTime())
            #expect(passed >= .seconds(5) && passed < .milliseconds(5600), "\(passed)")
            let what = isSubscription ? "subscription to" : "publication on"
            #expect(
                driver.failures.first?.description
                    == "the broker did not acknowledge the \(what) \(topic) within the keep-alive")
        }

        @Test("incoming messages do not delay the PINGREQ that the broker waits for")
        func listening() throws {
            let broker = try MosquittoBroker()
            let driver = ConnectionDriver()
            try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 5))
            driver.connection.subscribe([Subscription("tick")])
            // Messages of QoS 0 are not acknowledged, so the broker would consider this client silent.
            let publisher = try ChildProcess(
                "sh",
                [
                    "-c",
                    "for i in 1 2 3 4 5 6 7 8 9; do sleep 1; mosquitto_pub -h 127.0.0.1 -p \(broker.port) -t tick -m $i; done",
                ])
            try driver.run(until: "nine messages", timeout: .seconds(60)) {
                $0.messages.count == 9 || !$0.failures.isEmpty
            }
            #expect(driver.failures.isEmpty)
            #expect(broker.log.contains { $0.contains("Received PINGREQ from node") })
            try publisher.waitForExit()
        }
    }
}
