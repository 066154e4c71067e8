import Foundation
import Testing
import TimerProtocol

/// Commands to a node that the test plays. It is online but does not respond.
@Suite("An unanswered command through timer-web")
struct WebUnansweredTests {
    private let broker: MosquittoBroker
    private let web: SpawnedWeb

    init() throws {
        broker = try MosquittoBroker()
        web = try SpawnedWeb(broker.url)
        try MQTTProbe.publish(broker, "timer/lectern/availability", "online", retain: true)
        let web = web
        try waitUntil("the node in timer-web") { try web.request("GET", "/api/nodes/lectern").status == 200 }
    }

    /// A broker client that prints each message with the seconds until it expires.
    private func subscriber(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "stdbuf",
            [
                "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-V", "5", "-q", "1", "-t",
                "timer/lectern/command/start", "-F", "MESSAGE %E %p",
            ] + arguments)
    }

    @Test("has an expiry interval on the broker, and returns the code no_response to its sender")
    func expiry() throws {
        let subscriber = try subscriber(["-d"])
        try subscriber.waitForLine("the SUBACK") { $0.hasPrefix("Subscribed") }
        let begin = ContinuousClock.now
        let (status, code) = try web.command("start", #"{"id":"late"}"#)
        #expect(status == 504 && code == "no_response")
        #expect((.seconds(5) ... .seconds(60)).contains(ContinuousClock.now - begin))
        let line = try subscriber.waitForLine("the command") { $0.contains("late") }
        // The broker counts whole seconds.
        #expect(["MESSAGE 5 {\"id\":\"late\"}", "MESSAGE 4 {\"id\":\"late\"}"].contains(line))
    }

    @Test("does not intercept another node's response to a command with the same id")
    func sameIDElsewhere() throws {
        try MQTTProbe.publish(broker, "timer/stage/availability", "online", retain: true)
        try waitUntil("the other node") { try web.request("GET", "/api/nodes/stage").status == 200 }
        let probe = try MQTTProbe(broker, "timer/+/command/start")
        let first = try web.open("POST", "/api/nodes/lectern/commands/start", as: "remote", #"{"id":"same"}"#)
        try probe.wait(for: "the first command") { $0.count == 1 }
        let second = try web.open("POST", "/api/nodes/stage/commands/start", as: "operator", #"{"id":"same"}"#)
        try probe.wait(for: "the second command") { $0.count == 2 }
        try MQTTProbe.publish(
            broker, "timer/stage/response",
            #"{"id":"same","command":"start","status":"ok","mode":"countdown","remaining":60}"#)
        try second.waitUntil("the other node's response") { $0.answer != nil }
        #expect(second.answer?.status == 200)
        first.read()
        #expect(first.answer == nil)
        try first.waitUntil("the end of the first command") { $0.answer != nil }
        #expect(first.answer?.status == 504)
    }

    @Test("has expired for a node that returns later")
    func offline() throws {
        let session = ["-c", "-i", "node-that-is-away", "-x", "3600"]
        try subscriber(session + ["-E"]).waitForExit()
        #expect(try web.command("start", #"{"id":"late"}"#).status == 504)
        let begin = ContinuousClock.now
        // The broker counts whole seconds.
        try waitUntil("the end of the command") { ContinuousClock.now - begin > .seconds(2) }
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "kept")
        let later = try subscriber(session + ["-C", "1"])
        try later.waitForExit()
        #expect(later.output == ["MESSAGE  kept"])
    }

    /// Responds to a request for the report, as a node does.
    private func answer(_ question: MQTTProbe.Message?, _ rest: String) throws {
        let id = try #require(question?.payload.firstMatch(of: /"id":"([^"]*)"/)).1
        try MQTTProbe.publish(
            broker, "timer/lectern/response",
            #"{"id":"\#(id)","command":"runs","status":"ok","mode":"stopped","remaining":60\#(rest)}"#)
    }

    @Test("for the report has a response that is not used for requests after an amendment")
    func amendedMeanwhile() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/command/runs")
        func question(_ count: Int) throws -> MQTTProbe.Message? {
            try probe.wait(for: "request \(count)") { $0.count == count }.last
        }
        func report(_ speaker: String) -> String {
            #","runs":[{"id":"0b8f8c0e-5d0b-4b6e-9a46-6f1f3c1d2e3f","timer":"1/1","name":"Talk","group":"","#
                + #""speaker":"\#(speaker)","started_at":"2026-11-20T12:00:00Z","ended_at":"2026-11-20T12:01:00Z","#
                + #""used":10,"paused":0,"over":0,"start":60,"minimum":null,"maximum":null,"qualified":null}],"#
                + #""page":1,"pages":1"#
        }
        func ask() throws -> HTTPConnection { try web.open("GET", "/api/nodes/lectern/runs", as: "remote") }
        func speaker(_ asking: HTTPConnection) throws -> String? {
            try asking.waitUntil("the report") { $0.answer != nil }
            return asking.answer?.json["runs"]?.elements.first?["speaker"]?.string
        }
        let before = try ask()
        let first = try question(1)
        let amending = try web.open(
            "POST", "/api/nodes/lectern/commands/runs", as: "operator", #"{"run":"x","speaker":"Grace"}"#)
        try answer(try question(2), "")
        try amending.waitUntil("the amendment") { $0.answer?.status == 200 }
        let after = try ask()
        try answer(try question(3), report("Grace"))
        #expect(try speaker(after) == "Grace")
        try answer(first, report("Ada"))
        #expect(try speaker(before) == "Ada")
        #expect(try speaker(try ask()) == "Grace")
        #expect(probe.messages.count == 3)
    }

    @Test("for the report returns each run once, even if a new run moves one to the next page")
    func movedOn() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/command/runs")
        let asking = try web.open("GET", "/api/nodes/lectern/runs", as: "remote")
        for (page, numbers) in [(1, [3, 2]), (2, [2, 1])] {
            let question = try probe.wait(for: "request \(page)") { $0.count == page }.last
            let runs = numbers.map { number in
                #"{"id":"0b8f8c0e-5d0b-4b6e-9a46-6f1f3c1d2e3\#(number)","timer":"1/1","name":"Talk","group":"","#
                    + #""speaker":"S\#(number)","started_at":"2026-11-20T12:00:00Z","#
                    + #""ended_at":"2026-11-20T12:01:00Z","used":10,"paused":0,"over":0,"start":60,"#
                    + #""minimum":null,"maximum":null,"qualified":null}"#
            }
            try answer(question, #","runs":[\#(runs.joined(separator: ","))],"page":\#(page),"pages":2"#)
        }
        try asking.waitUntil("the report") { $0.answer != nil }
        let speakers = asking.answer?.json["runs"]?.elements.map { $0["speaker"]?.string }
        #expect(speakers == ["S3", "S2", "S1"])
    }

    @Test("ends once if its sender disconnects, and does not affect other clients")
    func senderGone() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/command/start")
        let others = try web.sockets
        let ids = (0..<8).map { "gone-\($0)" }
        var senders = try ids.map {
            try web.open("POST", "/api/nodes/lectern/commands/start", as: "remote", #"{"id":"\#($0)"}"#)
        }
        try probe.wait(for: "all commands") { $0.count == ids.count }
        let connections = try web.sockets.subtracting(others)
        #expect(connections.count == ids.count)
        senders.removeAll()
        // Some commands eventually receive a response, and one command receives two.
        for id in [ids[0], ids[1], ids[1]] {
            let answer = #"{"id":"\#(id)","command":"start","status":"ok","mode":"countdown","remaining":60}"#
            try MQTTProbe.publish(broker, "timer/lectern/response", answer)
        }
        #expect(try web.request("GET", "/api/nodes/lectern").status == 200)
        try waitUntil("the end of the requests", timeout: .seconds(20)) {
            try web.sockets.isDisjoint(with: connections)
        }
        #expect(try web.command("pause").status == 504)
        #expect(probe.messages.count == ids.count)
        #expect(try web.process.terminate() == .exited(0))
        // If a continuation is never resumed, Swift logs it; if it is resumed twice, Swift ends the process.
        #expect(!web.process.errors.contains { $0.contains("CONTINUATION") })
    }
}
