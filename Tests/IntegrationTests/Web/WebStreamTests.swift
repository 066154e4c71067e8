import Foundation
import Testing
import TimerProtocol

/// The live streams of timer-web: the built program with a real broker and a real node.
@Suite("A stream from timer-web")
struct WebStreamTests {
    private let served: ServedNode
    private var broker: MosquittoBroker { served.broker }
    private var node: SpawnedNode { served.node }
    private var web: SpawnedWeb { served.web }

    init() throws { served = try ServedNode() }

    @Test("begins with the whole state, and continues with the changes")
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

    @Test("reports the loss and return of the broker, and then sends the whole state again")
    func brokerGone() throws {
        let stream = try web.stream()
        try stream.waitForEvent("snapshot")
        try broker.kill()
        try stream.waitForEvent("broker", "with the loss") { $0["connected"] == false }
        let (status, code) = try web.command("start")
        #expect(status == 503 && code == "no_broker")
        try broker.restart()
        try stream.waitUntil("a second snapshot") {
            $0.events.count { $0.name == "snapshot" } == 2
        }
        try waitUntil("the node at the broker") { try web.command("state").status == 200 }
    }

    @Test("reports that a node was killed, and keeps counting as an estimate")
    func nodeKilled() throws {
        let stream = try web.stream("?node=lectern")
        try stream.waitForEvent("snapshot")
        #expect(try web.command("start").status == 200)
        try stream.waitForEvent("node") { $0["counting"]?["zero"] != .null && $0["counting"] != nil }
        node.process.signal(SIGKILL)
        let gone = try stream.waitForEvent("node", "with the offline state") { $0["availability"] == "offline" }
        #expect(gone["counting"]?["estimate"] == true)
        #expect(gone["counting"]?["zero"] != .null)
        let (status, code) = try web.command("pause")
        #expect(status == 503 && code == "offline", "the command does not wait for a response that cannot arrive")
    }

    @Test("ends with its client, and frees its slot")
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
            try waitUntil("all slots") {
                try web.request("GET", "/metrics").body.contains("\ntimer_web_streams 0\n")
            }
        }
    }

    @Test("is closed if its client does not read, and delays no other client")
    func slowReader() throws {
        let fast = try web.stream()
        try fast.waitForEvent("snapshot")
        let others = try web.sockets
        let slow = try web.stream(receiveBuffer: 4096)
        try slow.waitForEvent("snapshot")
        let slowOnes = try web.sockets.subtracting(others)
        #expect(slowOnes.count == 1)
        // More than the socket buffers of both ends can hold.
        let filler = try MessageFile(count: 200, Self.timers)
        try filler.publish(to: broker, "timer/filler/timers")
        let last = Array(#""model_revision":199"#.utf8)
        try fast.waitUntil("the last message of the filler") {
            $0.received.suffix(60_000).firstRange(of: last) != nil
        }
        try waitUntil("the end of the slow reader's connection") {
            fast.read()
            return try web.sockets.isDisjoint(with: slowOnes)
        }
        #expect(!fast.isClosed)
        #expect(try web.residentMegabytes < 200)
        #expect(try web.command("start").status == 200)
    }

    /// The timers of a node with the maximum number of timers: 27 kB.
    static func timers(_ revision: Int) -> String {
        let groups = (0..<40).map { group in
            let timers = (0..<4).map { place in
                let id = "74696d65-722d-8e6f-8064-65000000\(1000 + group * 4 + place)"
                return #"{"id":"\#(id)","name":"\#(String(repeating: "x", count: 100))","start":60}"#
            }
            return #"{"timers":[\#(timers.joined(separator: ","))]}"#
        }
        return #"{"model_revision":\#(revision),"groups":[\#(groups.joined(separator: ","))]}"#
    }

    @Test("continues if its client reads the beginning slowly")
    func slowBeginning() throws {
        for number in 0..<30 {
            try MessageFile(count: 1) { _ in Self.timers(number) }.publish(to: broker, "timer/filler\(number)/timers")
        }
        try waitUntil("all nodes") {
            try web.request("GET", "/api/nodes", as: "operator").json["nodes"]?["filler29"] != nil
        }
        let slow = try web.stream(receiveBuffer: 65_536)
        // The client reads 100 kB a second; only 10 s without any progress would end the stream.
        try waitUntil("the whole beginning", timeout: .seconds(90)) {
            slow.read(upTo: 5_000)
            usleep(50_000)
            return slow.isClosed || slow.received.suffix(100).firstRange(of: Array("event: ping".utf8)) != nil
        }
        #expect(!slow.isClosed)
        #expect(slow.events.first?.data["nodes"]?["filler29"]?["timers"] != nil)
    }

    @Test("is cut off, as is a connection whose pages are not read")
    func slowPages() throws {
        let others = try web.sockets
        let slow = try web.open("GET", "/assets/texts/de.js", as: nil, receiveBuffer: 4096)
        // More than the socket buffers of both ends can hold.
        let request = "GET /assets/texts/de.js HTTP/1.1\r\nHost: 127.0.0.1:\(web.port)\r\n\r\n"
        try slow.send(String(repeating: request, count: 1000))
        var slowOnes: Set<String> = []
        try waitUntil("the connection") {
            slowOnes = try web.sockets.subtracting(others)
            return slowOnes.count == 1
        }
        try waitUntil("its end") { try web.sockets.isDisjoint(with: slowOnes) }
        #expect(try web.request("GET", "/").status == 200)
    }

    @Test("sends an operator the same list of displays as the API, and never an older one again")
    func displays() throws {
        let page = try web.stream("?view=displays", as: "operator")
        try page.waitForEvent("displays") { $0["displays"]?.elements.isEmpty == true }
        var lists = [try #require(page.events.last { $0.name == "displays" }?.data.text)]
        /// Waits until the API lists a given number of displays, and until the page has the same list.
        func follow(_ count: Int) throws {
            var list = JSON.null
            try waitUntil("\(count) displays") {
                list = try web.request("GET", "/api/displays", as: "operator").json
                return list["displays"]?.elements.count == count
            }
            lists.append(list.text)
            try page.waitUntil("the list \(lists.count)") {
                $0.events.last { $0.name == "displays" }?.data.text == list.text
            }
        }
        var displays: [HTTPConnection] = []
        for number in 1...6 {
            displays.append(try web.stream("?node=lectern&display=\(number)"))
            try follow(number)
            let entries = try web.request("GET", "/api/displays", as: "operator").json["displays"]?.elements
            let id = try #require(entries?.last?["id"]?.string)
            let path = "/api/displays/\(id)/blackout"
            #expect(try web.request("POST", path, as: "operator", #"{"on":true}"#).status == 200)
            try follow(number)
        }
        for number in (0...5).reversed() {
            displays.removeFirst()
            try follow(number)
        }
        // Like the last list, the first one is empty.
        let known = page.events.filter { $0.name == "displays" }.dropFirst().compactMap {
            lists.dropFirst().firstIndex(of: $0.data.text)
        }
        #expect(known.count >= 18)
        #expect(known == known.sorted())
    }

    @Test("ends at once when the server stops")
    func stop() throws {
        let streams = try (0..<10).map { _ in try web.stream() }
        for stream in streams { try stream.waitForEvent("snapshot") }
        let begin = ContinuousClock.now
        #expect(try web.process.terminate() == .exited(0))
        let took = ContinuousClock.now - begin
        // A stream that is not closed would last half a minute.
        #expect(took < .seconds(10))
        for stream in streams { try stream.waitUntil("its end") { $0.isClosed } }
        print("a stop with 10 streams took \(took)")
    }
}

/// Messages in a file, one per line, to publish as fast as the broker accepts them.
final class MessageFile {
    private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init(count: Int, _ message: (Int) -> String) throws {
        let text = (0..<count).map(message).joined(separator: "\n")
        try "\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func publish(to broker: MosquittoBroker, _ topic: String, isRetained: Bool = false) throws {
        let options = "-p \(broker.port) -q 1 \(isRetained ? "-r" : "")"
        let process = try ChildProcess(
            shell: "exec mosquitto_pub -h 127.0.0.1 \(options) -t \(topic) -l <\(path)")
        guard try process.waitForExit() == .exited(0) else { throw TestFailure("cannot publish") }
    }
}
