import Calendar
import FoundationEssentials
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("A run of an entry in the running order")
struct ProgrammeRunTests {
    @Test("keeps when its entry was planned, whatever the running order says later")
    func planned() throws {
        var node = try ProgrammeTests.node(
            #"{"entries":[{"title":"A","timer":"2","at":"19:05"},{"title":"B","start":180},{"title":"C","start":9}]}"#,
            at: "2026-11-20T19:00:00Z")
        node.happens(.timeZonesRead(TimeZones(machine: .utc, named: [:], asked: [])))
        for entry in ["1", "2"] {
            node.send("entry", #"{"entry":"\#(entry)","start":true}"#)
            node.wait(.seconds(5))
        }
        node.send("stop")
        node.send("start", "1/1")
        node.wait(.seconds(5))
        node.send("stop")
        let planned = ["2026-11-20T19:05:00Z", "2026-11-20T19:06:00Z"].map { RFC3339.date($0) }
        #expect(try RunTests.runs(node).map(\.planned) == [nil, planned[1], planned[0]])
        #expect(try RunTests.runs(node).map(\.entry) == [nil, "e2", "e1"])
        node.send("programme", #"{"entries":[{"id":"e1","title":"Next week","timer":"2","at":"20:00"}]}"#)
        #expect(try RunTests.runs(node).map(\.planned) == [nil, planned[1], planned[0]])
    }

    @Test("belongs to its entry again after undo, even in the first 2 s of a sequence's next timer")
    func undone() throws {
        var node = try ProgrammeTests.node(#"{"entries":[{"title":"Two parts","timer":"1/1"}]}"#)
        node.send("entry", #"{"entry":"next","start":true}"#)
        node.wait(.seconds(7))
        node.send("stop")
        #expect(node.send("undo")?["mode"] == "countdown")
        node.wait(.seconds(3))
        node.send("stop")
        #expect(try ProgrammeTests.message(node).entries[0].used == .seconds(10))
    }

    @Test("is not one that is started during a break, nor a one-off run of the entry's timer")
    func unrelated() throws {
        var node = try ProgrammeTests.node()
        for (entry, start) in [("break", "2/1"), ("open", #"{"duration":5}"#)] {
            node.send("entry", entry)
            node.send("start", start)
            node.wait(.seconds(3))
            node.send("stop")
        }
        #expect(try RunTests.runs(node).map(\.entry) == [nil, nil])
        #expect(try ProgrammeTests.message(node).entries.map(\.used) == [nil, nil, nil, nil])
    }
}
