import Foundation
import Testing

@Suite("A spawned node whose client id is used by another client")
struct TakeOverTests {
    @Test("logs that, even if the broker only closes the connection", arguments: [5, 4])
    func takeOver(version: Int) throws {
        let broker = try MosquittoBroker()
        let protocolVersion = version == 4 ? ", protocol: 3.1.1" : ""
        let node = try SpawnedNode("1:00", brokers: broker.url, mqtt: protocolVersion)
        let isSaid = {
            node.process.read()
            return node.process.errors.contains {
                $0.contains("another client took over the client id timer-node-lectern")
                    || $0.contains("another client with the client id timer-node-lectern seems to take over")
            }
        }
        func connections() -> Int {
            node.process.read()
            return node.process.errors.count { $0.contains("info: connected to") }
        }
        // Whenever the node reconnects, so does the other client. Three takeovers in quick succession suffice, but a
        // busy machine may need more rounds.
        for round in 1...20 where !isSaid() {
            try waitUntil("connection \(round)") { connections() >= round }
            let other = try ChildProcess(
                "mosquitto_pub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-i", "timer-node-lectern", "-t", "other", "-m", "1"])
            try other.waitForExit()
            try waitUntil("loss \(round)") {
                node.process.read()
                return node.process.errors.count { $0.contains("no connection to") } >= round
            }
        }
        #expect(isSaid(), "\(node.process.errors)")
    }
}
