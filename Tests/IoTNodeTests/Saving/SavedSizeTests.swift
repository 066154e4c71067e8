import FoundationEssentials
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The saved state is small enough to be read")
struct SavedSizeTests {
    private static let topics = ["state", "timers", "message"]

    /// A follower that has received its leader's messages, and then the same messages with unknown fields.
    private static func follower(
        saved: [UInt8]? = nil, after passed: Duration = .zero, _ change: (String) -> String
    ) throws -> Scenario {
        var leader = try Scenario(60, 30, 10)
        leader.send("message", "Welcome")
        var node = try Scenario(saved: saved, boot: "the follower's", after: passed) { configuration in
            configuration.node.id = "side"
            configuration.follow = .init(node: "lectern", prefix: "timer")
            configuration.storage = .init(directory: "/nowhere")
        }
        for topic in topics where saved == nil {
            let payload = try #require(leader.last(topic))
            node.send(topic: "timer/lectern/\(topic)", Array(change(payload).utf8), retained: true)
        }
        node.wait(.seconds(1))
        return node
    }

    private static func expectReadable(_ node: Scenario, timers: Int) throws {
        let document = try #require(node.saved.last)
        #expect(document.count <= 3 * 2 * SavedFollow.maximumMessage + 4096)
        let again = try follower(saved: document, after: .seconds(5)) { $0 }
        #expect(again.setAside.isEmpty, "\(again.logs.map { $0.prefix(200) })")
        #expect(again.core.follower?.known.timers?.model.groups.count == (timers == 0 ? nil : timers))
    }

    @Test("omits unknown fields of a leader")
    func unknown() throws {
        let noise = #"\u0001\""# + String(repeating: #"\u0001\""#, count: 30_000)
        let node = try Self.follower { $0.dropLast() + #","x":"\#(noise)"}"# }
        #expect(try #require(node.saved.last).count < 8192)
        #expect(node.core.follower?.known.state != nil && node.core.follower?.known.message?.text == "Welcome")
        try Self.expectReadable(node, timers: 1)
    }

    @Test("omits a leader's message that is too large, even though the follower uses it")
    func huge() throws {
        for (count, isSaved) in [(200, true), (400, false)] {
            let name = String(repeating: #"\""#, count: TextKind.longest)
            let groups = (0..<count).map { _ in
                #"{"name":"\#(name)","timers":[{"id":"\#(UUID().uuidString)","start":1}]}"#
            }.joined(separator: ",")
            let node = try Self.follower { $0.contains(#""groups":["#) ? #"{"groups":[\#(groups)]}"# : $0 }
            #expect(
                node.core.follower?.known.timers?.model.groups.count == count, "\(node.logs.map { $0.prefix(300) })")
            let saved = try #require(node.saved.last)
            #expect(isSaved ? saved.count > SavedFollow.maximumMessage : saved.count < 8192, "\(saved.count)")
            try Self.expectReadable(node, timers: isSaved ? count : 0)
        }
    }

    /// A string of the maximum length. Each byte takes three bytes in JSON, the most possible.
    private static let longest = String(repeating: "\u{61C}", count: TextKind.longest / 2)

    @Test("has room for the maximum number of runs, with the longest names")
    func runs() throws {
        let date = Timestamp.range.upperBound
        let runs = try (0..<NodeConfiguration.Storage.runCounts.upperBound).map { _ in
            var run = RunRecord(
                id: UUID(), timer: TimerPath(group: 999_998, item: 3), name: Self.longest, group: Self.longest,
                speaker: Self.longest, startedAt: date, endedAt: date, used: .milliseconds(999_999_999_999),
                paused: .milliseconds(999_999_999_999), over: .milliseconds(999_999_999_999), start: 86_399,
                qualifying: try QualifyingTime(minimum: 86_398, maximum: 86_399), qualified: false)
            (run.measured, run.total) = (run.used, run.used)
            (run.entry, run.title, run.planned) = (String(Self.longest.prefix(32)), Self.longest, date)
            return run
        }
        let document = SavedRuns(runs: runs).document
        #expect(document.count <= StoreLimits.documentSize)
        #expect(try SavedRuns(document).runs == runs)
    }

    @Test("has room for the largest timers and agenda that can be sent, with a leader's messages")
    func most() throws {
        let note = String(repeating: "\u{61C}", count: 256)
        let days = (0..<64).map { Agenda.Meeting.Day.date(CivilDate(daysSince1970: 20_000 + $0)) }
        let meetings = (0..<Agenda.maximumMeetings).map { index in
            Agenda.Meeting(
                name: "\(index)" + Self.longest.dropLast(), days: days, at: TimeOfDay(secondOfDay: 0),
                duration: 604_800, group: 999_999, zone: "UTC", location: Self.longest, note: note)
        }
        var node = try Scenario {
            $0.storage = .init(directory: "/nowhere")
            $0.agenda = Agenda(zone: "UTC", meetings: meetings)
            $0.mqtt?.commandRate = 0
        }
        let timer = #"{"start":1}"#
        let group = #"{"timers":[\#(Array(repeating: timer, count: 4).joined(separator: ","))]}"#
        let count = (Verb.timers.largestPayload - 20) / (group.utf8.count + 1)
        let groups = Array(repeating: group, count: count).joined(separator: ",")
        #expect(node.send("timers", #"{"groups":[\#(groups)]}"#)?["status"] == "ok")
        var fewer = meetings
        while Agenda(zone: "UTC", meetings: fewer).command.utf8.count > Verb.agenda.largestPayload {
            fewer.removeLast()
        }
        #expect(node.send("agenda", Agenda(zone: "UTC", meetings: fewer).command)?["status"] == "ok")
        let document = try #require(node.saved.last)
        // Each byte of a leader's three messages takes at most two bytes in a string.
        #expect(document.count + 3 * 2 * SavedFollow.maximumMessage <= StoreLimits.documentSize, "\(document.count)")
        let again = try Scenario(saved: document, after: .seconds(60)) {
            $0.storage = .init(directory: "/nowhere")
            $0.agenda = Agenda(zone: "UTC", meetings: meetings)
        }
        #expect(again.setAside.isEmpty, "\(again.logs)")
    }
}

extension Agenda {
    /// The agenda in the format of the command.
    fileprivate var command: String { String(decoding: json(), as: UTF8.self) }
}
