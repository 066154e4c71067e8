import BrokerLink
import Foundation
import Mosquitto
import Testing
import TimerProtocol

/// More clients and nodes than timer-web can handle.
@Suite("A crowded timer-web", .timeLimit(.minutes(5)))
struct WebLoadTests {
    @Test("keeps descriptors for the broker, and sleeps while it can accept no further connection")
    func descriptors() throws {
        let broker = try MosquittoBroker()
        let web = try SpawnedWeb(broker.url, descriptors: 128)
        try web.process.waitForLine("the connection") { $0.hasSuffix("connected to \(broker.url)") }
        var clients: [HTTPConnection] = []
        for number in 0..<160 {
            clients.append(try web.open("GET", "/api/time", as: nil, from: UInt8(1 + number / 20)))
        }
        let refused = try #require(clients.last)
        try refused.waitUntil("its end") { $0.isClosed }
        for client in clients.prefix(40) { try client.waitUntil("a response") { $0.answer?.status == 200 } }

        let before = try processorTime(of: web.process.pid)
        usleep(2_000_000)
        let used = try processorTime(of: web.process.pid) - before
        print("a timer-web with the maximum number of connections used \(used) s of the processor in 2 s")
        #expect(used < 0.5)
        try broker.stop()
        try web.process.waitForLine("the loss") { $0.contains("no connection to \(broker.url): ") }
        try broker.restart()
        try waitUntil("another connection") {
            web.process.read()
            return web.process.errors.count { $0.hasSuffix("connected to \(broker.url)") } == 2
        }
        clients = []
        try waitUntil("a free connection") { try isWell(web) }
    }

    @Test("still reports that it is healthy, even if all connections are local, as behind a proxy")
    func health() throws {
        let broker = try MosquittoBroker()
        let web = try SpawnedWeb(broker.url, web: ", trusted_proxies: [127.0.0.1]", descriptors: 700)
        var clients: [HTTPConnection] = []
        for _ in 0..<700 { clients.append(try web.open("GET", "/api/time", as: nil)) }
        for client in clients.prefix(600) { try client.waitUntil("a response") { $0.answer?.status == 200 } }
        for client in clients.suffix(20) {
            try client.waitUntil("a refusal") { $0.isClosed || $0.answer?.status == 503 }
        }
        // The refused connections occupy the last slots for a second.
        try waitUntil("a healthy response") { try isWell(web) }
    }

    private func isWell(_ web: SpawnedWeb) throws -> Bool {
        let connection = try web.open("GET", "/healthz", as: nil)
        try connection.waitUntil("a response, or a close") { $0.isClosed || $0.answer != nil }
        return connection.answer?.status == 200
    }

    /// The processor time that a process has used, in seconds.
    private func processorTime(of process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test(
        "holds few copies of the nodes in memory, no matter how many streams wait for their readers",
        arguments: [false, true])
    func sharedBytes(whileNodesChange: Bool) throws {
        let broker = try MosquittoBroker()
        for number in 0..<60 {
            let file = try MessageFile(count: 1) { _ in WebStreamTests.timers(number) }
            try file.publish(to: broker, "timer/filler\(number)/timers", isRetained: true)
        }
        let web = try SpawnedWeb(broker.url)
        try waitUntil("all nodes") {
            try (0..<60).allSatisfy {
                try web.request("GET", "/api/nodes/filler\($0)", as: "operator").status == 200
            }
        }
        let before = try web.residentMegabytes
        let streams = try (0..<80).map { number in
            if whileNodesChange {
                let file = try MessageFile(count: 1) { _ in WebStreamTests.timers(100 + number) }
                try file.publish(to: broker, "timer/filler0/timers", isRetained: true)
                try waitUntil("the change") {
                    try web.request("GET", "/api/nodes/filler0", as: "operator").body
                        .contains(#""model_revision":\#(100 + number)"#)
                }
            }
            return try web.stream(from: UInt8(1 + number / 20), receiveBuffer: 4096)
        }
        for stream in streams {
            try waitUntil("the head of a stream") {
                stream.read(upTo: 12)
                return !stream.received.isEmpty
            }
            #expect(String(decoding: stream.received, as: UTF8.self) == "HTTP/1.1 200")
        }
        let after = try web.residentMegabytes
        // Each stream is sent 1.6 MB.
        print("80 streams that do not read: \(before) to \(after) MiB resident")
        #expect(after - before < 50)
    }

    @Test("receives the nodes in its configuration, whatever else the broker retains")
    func listedNodes() throws {
        let broker = try MosquittoBroker()
        try retain("stopped", on: broker) { "timer/a\($0)/mode" }
        let web = try SpawnedWeb(broker.url, web: ", nodes: [lectern]")
        try MQTTProbe.publish(broker, "timer/lectern/availability", "online", retain: true)
        try waitUntil("the node") {
            try web.request("GET", "/api/nodes/lectern", as: "operator").status == 200
        }
        #expect(try web.request("GET", "/metrics").body.contains("\ntimer_web_nodes 1\n"))
    }

    @Test("shows a node that is online, whatever else the broker retains, even after a restart of timer-web")
    func crowd() throws {
        // With all log types, the unread log of thousands of messages would block the broker.
        let broker = try MosquittoBroker(log: "information")
        try retain("online", on: broker) { "timer/a\($0)/availability" }
        let node = try SpawnedNode("20:00", warning: "5:00", brokers: broker.url)
        try node.waitForConnection()
        for _ in 0..<2 {
            let web = try SpawnedWeb(broker.url)
            try waitUntil("the node") {
                let answer = try web.request("GET", "/api/nodes/lectern", as: "operator")
                guard answer.status == 200 else { return false }
                return ["availability", "state", "timers", "health"].allSatisfy { answer.json[$0] != nil }
            }
        }
    }

    /// Makes a broker retain a payload on a thousand topics.
    private func retain(_ payload: String, on broker: MosquittoBroker, _ topic: (Int) -> String) throws {
        let driver = ConnectionDriver()
        try driver.connect(MosquittoConnectionTests.request(broker.port))
        for number in 0..<1000 {
            driver.connection.publish(OutgoingMessage(topic: topic(number), text: payload, retain: true))
        }
        driver.connection.disconnect(timeout: .seconds(60))
    }
}
