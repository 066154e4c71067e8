import BrokerLink
import Mosquitto
import Testing

/// `timer-node watch` with many nodes: one running node, and the retained messages of 99 other nodes.
@Suite("watch, with 100 nodes")
struct WatchManyTests {
    @Test("lists all nodes, and sends commands to the running one")
    func list() throws {
        let broker = try MosquittoBroker(log: "information")
        let node = try SpawnedNode("20:00", brokers: broker.url)
        try node.waitForConnection()
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "all retained messages") { Set($0.map(\.topic)).count >= 5 }
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
        // The list shows which nodes are online before it shows their modes.
        try waitUntil("a screen full of modes") { try terminal.screen().count { $0.contains("Stopped") } == 21 }
        for _ in 0..<99 { try terminal.press("Down") }
        try terminal.wait(for: "the last one") { $0.hasPrefix("> node-99") }
        for _ in 0..<99 { try terminal.press("Up") }
        try terminal.press("Space")
        try terminal.wait(for: "its run") { $0.hasPrefix("> lectern") && $0.contains("Running") }
        try terminal.press("Enter")
        try terminal.wait(for: "only that node") { $0.hasPrefix("lectern  ") }
    }
}
