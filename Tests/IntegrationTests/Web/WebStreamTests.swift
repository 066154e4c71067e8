import Foundation
import Testing
import TimerProtocol

/// The live side of timer-web: the built program with a real broker and a real node.
@Suite("A stream of timer-web")
struct WebStreamTests {
    private let broker: MosquittoBroker
    private let node: SpawnedNode
    private let web: SpawnedWeb

    init() throws {
        broker = try MosquittoBroker()
        node = try SpawnedNode("20:00", warning: "5:00", brokers: broker.url)
        try node.waitForConnection()
        web = try SpawnedWeb(broker.url)
        try waitForNode()
    }

    private func waitForNode() throws {
        let web = web
        try waitUntil("the node in timer-web") {
            try web.request("GET", "/api/nodes/lectern").json["state"] != nil
        }
    }

    @Test("begins with everything, and goes on with what changes")
    func order() throws {
        let stream = try web.stream("?node=lectern")
        try stream.waitForEvent("snapshot")
        #expect(stream.answer?.status == 200)
        #expect(stream.answer?.fields["content-type"]?.hasPrefix("text/event-stream") == true)
        #expect(stream.answer?.fields["cache-control"] == "no-store, no-transform")
        #expect(stream.answer?.fields["x-accel-buffering"] == "no")
        #expect(stream.events.first?.name == "snapshot")
        let snapshot = try #require(stream.events.first?.data)
        #expect(snapshot["role"] == "viewer")
        #expect(snapshot["broker"]?["connected"] == true)
        #expect(snapshot["nodes"]?["lectern"]?["state"]?["mode"] == "stopped")
        #expect(snapshot["nodes"]?["lectern"]?["health"] == nil)

        #expect(try web.command("start").status == 200)
        let change = try stream.waitForEvent("node", "with the start") { $0["state"]?["mode"] == "countdown" }
        #expect(change["timers"] == nil)
        #expect(change["counting"]?["estimate"] == false)
        let event = try stream.waitForEvent("event")
        #expect(event["event"]?["event_type"] == "countdown")
        try stream.waitForEvent("ping", timeout: .seconds(10))
    }

    @Test("says that the broker is gone and back, and then everything anew")
    func brokerGone() throws {
        let stream = try web.stream()
        try stream.waitForEvent("snapshot")
        try broker.kill()
        try stream.waitForEvent("broker", "that it is gone") { $0["connected"] == false }
        let (status, code) = try web.command("start")
        #expect(status == 503 && code == "no_broker")
        try broker.restart()
        try stream.waitUntil("a second snapshot", timeout: .seconds(60)) {
            $0.events.count { $0.name == "snapshot" } == 2
        }
        try waitUntil("the node at the broker", timeout: .seconds(60)) { try web.command("state").status == 200 }
    }

    @Test("says that a node was killed, and counts on as an estimate")
    func nodeKilled() throws {
        let stream = try web.stream("?node=lectern")
        try stream.waitForEvent("snapshot")
        #expect(try web.command("start").status == 200)
        try stream.waitForEvent("node") { $0["counting"]?["zero"] != .null && $0["counting"] != nil }
        node.process.signal(SIGKILL)
        let gone = try stream.waitForEvent("node", "that it is offline") { $0["availability"] == "offline" }
        #expect(gone["counting"]?["estimate"] == true)
        #expect(gone["counting"]?["zero"] != .null)
        let (status, code) = try web.command("pause")
        #expect(status == 504 && code == "no_response")
    }

    @Test("ends with its client, whose place is free again")
    func clientGone() throws {
        for _ in 0..<3 {
            var streams: [HTTPConnection] = []
            for _ in 0..<20 { streams.append(try web.stream()) }
            for stream in streams { try stream.waitForEvent("snapshot") }
            let refused = try web.stream()
            try refused.waitUntil("a refusal") { $0.answer != nil }
            #expect(refused.answer?.status == 503)
            #expect(refused.answer?.fields["retry-after"] != nil)
            streams = []
            try waitUntil("a free place") {
                let stream = try web.stream()
                try stream.waitUntil("an answer") { $0.answer != nil }
                return stream.answer?.status == 200
            }
        }
    }

    @Test("is closed where its reader takes nothing, and holds up nobody else")
    func slowReader() throws {
        let fast = try web.stream()
        try fast.waitForEvent("snapshot")
        let sockets = { [web] in try web.process.descriptors.count { $0.hasPrefix("socket:") } }
        let count = try sockets()
        let slow = try web.stream(receiveBuffer: 4096)
        try slow.waitForEvent("snapshot")
        // More than the systems of both ends hold back.
        let filler = try MessageFile(count: 800) { number in
            let groups = (0..<40).map { group in
                let timers = (0..<4).map { place in
                    let id = "74696d65-722d-8e6f-8064-65000000\(1000 + group * 4 + place)"
                    return #"{"id":"\#(id)","name":"\#(String(repeating: "x", count: 100))","start":60}"#
                }
                return #"{"timers":[\#(timers.joined(separator: ","))]}"#
            }
            return #"{"model_revision":\#(number),"groups":[\#(groups.joined(separator: ","))]}"#
        }
        try filler.publish(to: broker, "timer/filler/timers")
        let last = Array(#""model_revision":799"#.utf8)
        try fast.waitUntil("the last message of the filler", timeout: .seconds(60)) {
            $0.received.suffix(60_000).firstRange(of: last) != nil
        }
        try waitUntil("the end of the slow reader's connection", timeout: .seconds(60)) {
            fast.read()
            return try sockets() <= count
        }
        #expect(!fast.isClosed)
        #expect(try web.residentMegabytes < 200)
        #expect(try web.command("start").status == 200)
    }

    @Test("ends within a second where the server stops, as a command does that nobody answers")
    func stop() throws {
        let streams = try (0..<10).map { _ in try web.stream() }
        for stream in streams { try stream.waitForEvent("snapshot") }
        let begin = ContinuousClock.now
        #expect(try web.process.terminate() == .exited(0))
        let took = ContinuousClock.now - begin
        #expect(took < .seconds(1.5))
        for stream in streams { try stream.waitUntil("its end") { $0.isClosed } }
        print("a stop with 10 streams took \(took)")
    }
}

/// Messages in a file, a line each, to be published as fast as the broker takes them.
private final class MessageFile {
    private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init(count: Int, _ message: (Int) -> String) throws {
        let text = (0..<count).map(message).joined(separator: "\n")
        try "\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func publish(to broker: MosquittoBroker, _ topic: String) throws {
        let process = try ChildProcess(
            shell: "exec mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -t \(topic) -l <\(path)")
        guard try process.waitForExit() == .exited(0) else { throw TestFailure("cannot publish") }
    }
}
