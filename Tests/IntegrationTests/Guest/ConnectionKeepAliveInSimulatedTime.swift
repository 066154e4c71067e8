import Foundation
import IoTNode
internal import Mosquitto
import Testing
import TimerEngine

extension InSimulatedTime {
    /// What a connection does about silence, to the second and to the single wake-up.
    ///
    /// The shortest keep-alive that libmosquitto takes is 5 s, and there is no way round it.
    @Suite("a connection's keep-alive")
    struct ConnectionKeepAliveInSimulatedTime {
        @Test("an idle connection wakes for the keep-alive and for nothing else")
        func idle() throws {
            let broker = try MosquittoBroker()
            let driver = ConnectionDriver()
            try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 5))
            driver.forget()
            driver.run(for: .seconds(64))
            // Ten rounds, each a PINGREQ at its deadline, a second after the keep-alive, and a PINGRESP as it comes.
            #expect(driver.events.isEmpty)
            #expect(driver.wakeUps == 20)
            #expect(broker.log.filter { $0.contains("Received PINGREQ from node") }.count == 10)
        }

        @Test("a broker that stands still is lost by the keep-alive, once")
        func frozen() throws {
            let broker = try MosquittoBroker()
            let driver = ConnectionDriver()
            try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 5))
            driver.forget()
            broker.freeze()
            defer { broker.thaw() }
            try driver.run(until: "the loss", timeout: .seconds(60)) { !$0.failures.isEmpty }
            driver.run(for: .milliseconds(200))
            #expect(driver.events.count == 1)
            #expect(
                driver.failures.first?.description
                    == "mqtt://127.0.0.1:\(broker.port) does not answer: nothing came within the keep-alive")
            #expect(driver.wakeUps == 2)
        }

        @Test("what arrives does not keep the broker waiting for a PINGREQ")
        func listening() throws {
            let broker = try MosquittoBroker()
            let driver = ConnectionDriver()
            try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 5))
            driver.connection.subscribe([Subscription("tick")])
            // Messages of QoS 0 are acknowledged by nobody: for the broker this client would be silent.
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
