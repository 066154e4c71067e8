import BrokerLink
import Calendar
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The running order")
struct ProgrammeTests {
    static let evening = #"""
        {"entries":[{"id":"open","title":"Opening","speaker":"Ada","timer":"2"},
        {"id":"motion","title":"Motion 4","speaker":"Grace","start":"3:00","warning":"1:00","final":"0:30",
         "minimum":"2:00","maximum":"3:30"},
        {"id":"break","title":"Break"},{"title":"Two parts","timer":"1"}]}
        """#

    /// A node with the timers of ``LateStartTests`` and a running order.
    static func node(_ programme: String = evening, gap: Duration = .zero, at date: String? = nil) throws -> Scenario {
        var node = try Scenario(wallClock: date.flatMap { RFC3339.date($0) }) {
            LateStartTests.configure(&$0)
            $0.programme.gap = gap
        }
        let answer = node.send("programme", programme)
        #expect(answer?["status"] == "ok", "\(answer ?? .null)")
        return node
    }

    static func message(_ node: Scenario) throws -> ProgrammeMessage {
        try ProgrammeMessage(Array(try #require(node.last("programme")).utf8))
    }

    private func states(_ node: Scenario) throws -> [ProgrammeMessage.State] {
        try Self.message(node).entries.map(\.state)
    }

    @Test("is led through: each entry selects its timer or puts up its times, and sets the speaker")
    func through() throws {
        var node = try Self.node()
        #expect(try Self.message(node).entries.map(\.entry.id) == ["open", "motion", "break", "e1"])
        #expect(node.state?["entry"] == .null)

        #expect(node.send("entry", "next")?["status"] == "ok")
        #expect(node.state?["entry"]?.text == #"{"id":"open","number":1,"count":4,"title":"Opening"}"#)
        #expect(node.state?["timer"]?["path"] == "2/1" && node.state?["speaker"] == "Ada")
        node.send("toggle")
        node.wait(.seconds(50))
        #expect(try states(node) == [.current, .coming, .coming, .coming])

        #expect(node.send("entry", #"{"entry":"next","start":true}"#)?["mode"] == "countdown")
        #expect(try states(node) == [.done, .current, .coming, .coming])
        #expect(node.state?["timer"]?["name"] == "Motion 4" && node.state?["speaker"] == "Grace")
        #expect(node.state?["start"] == 180 && node.state?["run"]?["maximum"] == 210)
        node.wait(.seconds(125))
        #expect(node.last("mode") == "warning")
        node.send("stop")
        #expect(try states(node) == [.done, .current, .coming, .coming], "it stays the current one")
        #expect(try Self.message(node).entries[1].used == .seconds(125))
        #expect(node.state?["start"] == 180, "its times stay up")

        let runs = try RunTests.runs(node)
        #expect(runs.map(\.entry) == ["motion", "open"] && runs.map(\.title) == ["Motion 4", "Opening"])
        #expect(runs[0].qualified == true && runs[0].name == "Motion 4" && runs[0].speaker == "Grace")

        node.send("entry", "next")
        #expect(node.state?["entry"]?["title"] == "Break" && node.state?["speaker"] == .null)
        #expect(node.send("entry", #"{"entry":3,"start":true}"#)?["code"] == "not_allowed")
        node.send("entry", #"{"entry":"next","start":true}"#)
        node.wait(.seconds(20))
        #expect(node.last("mode") == "alarm" && node.state?["timer"]?["path"] == "1/2")
        node.send("stop")
        #expect(try Self.message(node).entries[3].used == .seconds(20), "the sequence belongs to it")
        #expect(try RunTests.runs(node).prefix(2).map(\.entry) == ["e1", "e1"])
        #expect(node.send("entry", "next")?["code"] == "not_allowed")
        #expect(try states(node) == [.done, .done, .done, .current])
        node.send("entry", "previous")
        #expect(try states(node) == [.done, .done, .current, .done])
    }

    @Test("leaves entries out, and does not count a run under 2 s or of another timer")
    func skipped() throws {
        var node = try Self.node()
        node.send("entry", "open")
        node.send("start")
        node.wait(.seconds(1))
        node.send("stop")
        node.send("start", "1/1")
        node.wait(.seconds(4))
        node.send("stop")
        #expect(node.send("entry", #"{"skip":"motion"}"#)?["status"] == "ok")
        #expect(node.send("entry", #"{"skip":"open"}"#)?["code"] == "not_allowed")
        #expect(try states(node) == [.current, .skipped, .coming, .coming])
        #expect(try RunTests.runs(node).map(\.entry) == [nil])
        node.send("entry", "next")
        #expect(try states(node) == [.coming, .skipped, .current, .coming])
        node.send("entry", "2")
        #expect(try states(node) == [.coming, .current, .done, .coming], "it is not left out any more")
    }

    @Test("is edited while it runs: entries keep what has happened by their ids")
    func edited() throws {
        var node = try Self.node()
        node.send("entry", #"{"entry":"open","start":true}"#)
        node.wait(.seconds(5))
        node.send("entry", #"{"entry":"motion","start":true}"#)
        let revision = try Self.message(node).revision
        let edited = #"""
            {"revision":\#(revision),"entries":[{"id":"motion","title":"Motion 5","start":200},
            {"id":"late","title":"Late","timer":"2"},{"id":"open","title":"Opening","timer":"2"}]}
            """#
        #expect(node.send("programme", edited)?["status"] == "ok")
        #expect(node.send("programme", edited)?["code"] == "conflict")
        #expect(try states(node) == [.current, .coming, .done])
        #expect(node.state?["entry"]?["title"] == "Motion 5" && node.last("mode") == "countdown")
        node.wait(.seconds(5))
        #expect(node.send("programme", #"{"entries":[{"id":"late","title":"Late","timer":"2"}]}"#)?["status"] == "ok")
        #expect(node.state?["entry"] == .null && node.last("mode") == "countdown", "its run is left alone")
        #expect(node.send("programme")?["status"] == "ok")
        #expect(node.last("programme") == "")
        #expect(node.send("entry", "next")?["code"] == "not_found")
    }

    @Test("expects what is left, and plans from the first time of day", arguments: ["19:05", nil])
    func expected(at: String?) throws {
        let time = at.map { #","at":"\#($0)""# } ?? ""
        var node = try Self.node(
            #"{"entries":[{"title":"A","timer":"2"\#(time)},{"title":"B","start":180},{"title":"C","timer":"1"}]}"#,
            gap: .seconds(10), at: "2026-11-20T19:00:00Z")
        let machine = TimeZones(machine: .utc, named: [:], asked: [])
        node.happens(.timeZonesRead(machine))
        func seconds(_ date: Date?) throws -> Int? {
            let origin = try #require(RFC3339.date("2026-11-20T19:00:00Z"))
            return date.map { Int($0.timeIntervalSince(origin).rounded()) }
        }
        var told = try Self.message(node).entries
        #expect(try told.map { try seconds($0.planned) } == (at == nil ? [nil, nil, nil] : [300, 370, 560]))
        #expect(try told.map { try seconds($0.expected) } == (at == nil ? [0, 70, 260] : [300, 370, 560]))
        node.wait(.seconds(400))
        node.send("entry", #"{"entry":"next","start":true}"#)
        let before = node.publications.count { $0.topic.hasSuffix("/programme") }
        node.wait(.seconds(20))
        #expect(node.publications.count { $0.topic.hasSuffix("/programme") } == before, "nothing but time has passed")
        node.send("add", "30")
        told = try Self.message(node).entries
        #expect(try told.map { try seconds($0.expected) } == [400, 500, 690])
        node.send("stop")
        told = try Self.message(node).entries
        #expect(try told.map { try seconds($0.expected) } == [400, 430, 620], "the stop ended it earlier")
    }

    @Test("survives a crash, and undo brings back the entry with its run")
    func undone() throws {
        var node = try Self.node()
        node.send("entry", #"{"entry":"next","start":true}"#)
        node.wait(.seconds(20))
        node.send("entry", "next")
        #expect(try states(node) == [.done, .current, .coming, .coming])
        node.wait(.seconds(5))
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        node = try Scenario(
            saved: node.saved.last, savedRuns: node.savedRuns, after: passed, configure: LateStartTests.configure)
        #expect(try states(node) == [.done, .current, .coming, .coming])
        #expect(node.state?["start"] == 180 && node.state?["undo"]?["command"] == "entry")
        #expect(node.send("undo")?["mode"] == "countdown")
        #expect(try states(node) == [.current, .coming, .coming, .coming])
        #expect(node.state?["remaining"] == 35 && node.state?["speaker"] == "Ada")
        node.send("stop")
        #expect(try states(node)[0] == .current && RunTests.runs(node).map(\.entry) == ["open"])
        #expect(try Self.message(node).entries[0].used == .seconds(25))
    }

    @Test("is not led to an entry by a command that also leaves one out, or names none")
    func contradictory() throws {
        var node = try Self.node()
        for payload in [#"{"skip":"1","entry":"2"}"#, #"{"skip":"1","start":true}"#] {
            #expect(
                node.send("entry", payload)?["message"]
                    == #"field "skip" cannot be combined with "entry" or "start""#)
        }
        #expect(node.send("entry", "{}")?["code"] == "invalid_payload")
        #expect(try states(node)[0] == .coming)
    }

    @Test("expects its entries later once the configured gap is longer")
    func longerGap() throws {
        var node = try Self.node(
            #"{"entries":[{"title":"A","start":60},{"title":"B","start":60}]}"#, at: "2026-11-20T19:00:00Z")
        node.happens(.timeZonesRead(TimeZones(machine: .utc, named: [:], asked: [])))
        let before = try #require(Self.message(node).entries[1].expected)
        var other = node.core.configuration
        other.programme.gap = .seconds(30)
        node.reload(.success(.init(other)))
        #expect(try Self.message(node).entries[1].expected == before.addingTimeInterval(30))
    }

    @Test(
        "with a fault is refused whole",
        arguments: [
            (
                #"{"title":"A","timer":"9/9"}"#, "not_found",
                "entries[2].timer: there is no timer \"9/9\"; the timers are 1/1"
            ),
            (#"{"timer":"1"}"#, "invalid_payload", "entries[2].title is missing"),
            (#"{"title":"A","start":"soon"}"#, "invalid_payload", "entries[2].start"),
            (#"{"title":"A","start":0}"#, "invalid_payload", "entries[2].start: found 0 s"),
            (#"{"title":"A","start":60,"warning":90}"#, "invalid_payload", "entries[2].warning"),
            (#"{"title":"A","start":60,"timer":"1"}"#, "invalid_payload", "entries[2].start: found a time"),
            (#"{"title":"A","warning":60}"#, "invalid_payload", "entries[2].start is missing"),
            (#"{"title":"A","at":"25:00"}"#, "invalid_payload", "entries[2].at"),
            (
                #"{"title":"A","start":60,"until":"20:00"}"#, "invalid_payload",
                #"entries[2].until: found a time of day, expected none beside "start""#
            ),
            (
                #"{"title":"A","timer":"1","until":"20:00"}"#, "invalid_payload",
                #"entries[2].until: found a time of day, expected none beside "timer""#
            ),
            (
                #"{"title":"A","until":"20:00","warning":20,"final":30}"#, "invalid_payload",
                #"entries[2].final: found 30 s, expected less than "warning""#
            ),
            (#"{"title":"A","id":"7"}"#, "invalid_payload", "entries[2].id"),
            (#"{"title":"A","id":"x"}"#, "invalid_payload", "\"x\" a second time"),
            (#"{"title":"A","colour":"red"}"#, "invalid_payload", "entries[2].colour"),
            (#"{"title":"A","start":60,"minimum":70,"maximum":60}"#, "invalid_payload", "entries[2].minimum"),
        ])
    func refused(entry: String, code: String, reason: String) throws {
        var node = try Self.node()
        let before = (node.saved.last, node.last("programme"))
        let answerSent = node.send("programme", #"{"entries":[{"title":"Fine","id":"x"},\#(entry)]}"#)
        let answer = try #require(answerSent)
        #expect(answer["code"] == .string(code))
        guard case .string(let message)? = answer["message"] else { return }
        #expect(message.contains(reason), "\(message)")
        #expect(node.saved.last == before.0 && node.last("programme") == before.1)
    }

    @Test("may have 200 entries, but not more, and is not for several nodes")
    func limits() throws {
        func programme(_ count: Int) -> String {
            let entries = (1...count).map { #"{"title":"Entry \#($0)","timer":"2/1","speaker":"Speaker \#($0)"}"# }
            return #"{"entries":[\#(entries.joined(separator: ","))]}"#
        }
        var node = try Self.node(programme(200))
        #expect(try Self.message(node).entries.count == 200)
        #expect(node.send("programme", programme(201))?["code"] == "invalid_payload")
        #expect(node.send("entry", "200")?["status"] == "ok")
        #expect(node.send("entry", "201")?["code"] == "not_found")
        #expect(node.send(topic: "timer/all/command/entry", Array("next".utf8))?["code"] == "not_allowed")
    }

    @Test("does not take a new entry for an old one, or keep the times of one that was edited")
    func newEntries() throws {
        var node = try Self.node(#"{"entries":[{"title":"A","start":60},{"title":"B","start":60}]}"#)
        node.send("entry", #"{"entry":"next","start":true}"#)
        node.wait(.seconds(5))
        node.send("stop")
        node.send("programme", #"{"entries":[{"title":"C","start":60},{"title":"D","start":90}]}"#)
        #expect(try states(node) == [.coming, .coming] && node.state?["start"] == 6)
        node.send("entry", "next")
        let id = try #require(try Self.message(node).entries[0].entry.id)
        node.send("programme", #"{"entries":[{"id":"\#(id)","title":"C","start":200}]}"#)
        #expect(node.state?["start"] == 200)
        node.send("programme", "")
        #expect(node.state?["start"] == 6, "the timer has its own time again")
    }

    @Test("keeps the times of an entry however its timer is started")
    func setWhileStopped() throws {
        var node = try Self.node()
        node.send("entry", "motion")
        node.send("set", "60")
        node.send("edit", #"{"warning":3}"#)
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        node = try Scenario(saved: node.saved.last, after: passed, configure: LateStartTests.configure)
        #expect(node.setAside.isEmpty && node.state?["start"] == 180)
        node.send("resume")
        node.wait(.seconds(61))
        #expect(node.last("mode") == "alarm")
        node.send("stop")
        #expect(try Self.message(node).entries[1].used == .seconds(61))
    }

}
