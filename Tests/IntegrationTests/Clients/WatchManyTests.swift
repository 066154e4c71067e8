import BrokerLink
import Mosquitto
import Testing

/// `timer-node watch` with many nodes: one that runs, and the retained messages of 99 others.
@Suite("watch, with 100 nodes")
struct WatchManyTests {
    @Test("lists them all, and reaches the one that runs")
    func list() throws {
        let broker = try MosquittoBroker(log: "information")
        let node = try SpawnedNode("20:00", brokers: broker.url)
        try node.waitForConnection()
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "all that is retained") { Set($0.map(\.topic)).count >= 5 }
        let driver = ConnectionDriver()
        try driver.connect(
            ConnectOptions(
                broker: Broker(host: "127.0.0.1", port: broker.port), version: .v5, clientID: "copy", keepAlive: 60,
                credentials: nil, will: nil))
        for number in 1...99 {
            for message in Set(probe.messages.map(\.topic)).compactMap({ topic in
                probe.messages.last { $0.topic == topic }
            }) {
                let topic = message.topic.replacing("lectern", with: "node-\(number)")
                driver.connection.publish(OutgoingMessage(topic: topic, text: message.payload, retain: true))
            }
        }
        driver.connection.disconnect(timeout: .seconds(30))

        let terminal = try TmuxTerminal(
            "\(try SpawnedNode.program) watch --broker \(broker.url)", columns: 80, rows: 24,
            variables: ["LC_ALL": "C.UTF-8"])
        try terminal.wait(for: "100 nodes") { $0.hasPrefix("100 nodes, 100 online") }
        try terminal.wait(for: "the first one") { $0.hasPrefix("> lectern") }
        // Which nodes are online is known before their modes are.
        try waitUntil("a screen full of modes") { try terminal.screen().count { $0.contains("Stopped") } == 21 }
        for _ in 0..<99 { try terminal.press("Down") }
        try terminal.wait(for: "the last one") { $0.hasPrefix("> node-99") }
        for _ in 0..<99 { try terminal.press("Up") }
        try terminal.press("Space")
        try terminal.wait(for: "its run") { $0.hasPrefix("> lectern") && $0.contains("Running") }
        try terminal.press("Enter")
        try terminal.wait(for: "it alone") { $0.hasPrefix("lectern  ") }
    }
}
