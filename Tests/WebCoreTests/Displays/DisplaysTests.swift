import Testing
import TimerEngine
import TimerProtocol

@testable import WebCore

@Suite("The open displays")
struct DisplaysTests {
    private let hall = Displays.Display(node: "hall", view: "view=circular", address: "192.0.2.7")
    private let stage = Displays.Display(node: "stage", view: "", address: "192.0.2.8")
    private let everybody = Identity(role: .operator)

    private func at(_ seconds: Int) -> Instant { Instant(sinceEpoch: .seconds(seconds)) }

    @Test("are listed with the content that they show")
    func list() throws {
        var displays = Displays()
        let isDarkAtFirst = displays.add(17, hall, date: 1_700_000_000, at: at(0))
        #expect(!isDarkAtFirst)
        #expect(
            String(decoding: displays.list(for: everybody), as: UTF8.self)
                == #"{"displays":[{"id":"d17","name":"","node":"hall","view":"view=circular","address":"192.0.2.7","#
                + #""since":1700000000,"blackout":false}]}"#)
        let wasDisplay = displays.remove(17, at: at(1))
        #expect(wasDisplay)
        let wasDisplayStill = displays.remove(17, at: at(1))
        #expect(!wasDisplayStill)
    }

    @Test("are selected by one id or all, limited to the nodes that the client may see")
    func numbers() {
        var displays = Displays()
        _ = displays.add(1, hall, date: 0, at: at(0))
        _ = displays.add(2, stage, date: 0, at: at(0))
        #expect(displays.numbers(of: "all", for: everybody) == [1, 2])
        #expect(displays.numbers(of: "d2", for: everybody) == [2])
        #expect(displays.numbers(of: "d3", for: everybody) == nil)
        let some = Identity(role: .operator, nodes: ["stage"])
        #expect(displays.numbers(of: "all", for: some) == [2])
        #expect(displays.numbers(of: "d1", for: some) == nil)
    }

    @Test("are listed with the name that they report, or that they are given, unless no name can be like that")
    func naming() {
        var displays = Displays()
        let names = [1: "Rear screen", 2: "a\u{7}", 3: ""]
        for (number, name) in names {
            let display = Displays.Display(node: "hall", view: "", address: "192.0.2.7", name: name)
            _ = displays.add(number, display, date: 0, at: at(0))
        }
        displays.rename([3], "Lobby")
        let list = String(decoding: displays.list(for: everybody), as: UTF8.self)
        #expect(list.matches(of: /"name":"([^"]*)"/).map { String($0.output.1) } == ["Rear screen", "", "Lobby"])
    }

    @Test("are dark again after their stream was interrupted for a moment")
    func dark() {
        var displays = Displays()
        _ = displays.add(1, hall, date: 0, at: at(0))
        displays.darken([1], true)
        _ = displays.remove(1, at: at(10))
        let isDarkSoonAfter = displays.add(2, hall, date: 0, at: at(20))
        #expect(isDarkSoonAfter)
        _ = displays.remove(2, at: at(30))
        let isDarkLongAfter = displays.add(3, hall, date: 0, at: at(95))
        #expect(!isDarkLongAfter)
        let isOtherDark = displays.add(4, stage, date: 0, at: at(95))
        #expect(!isOtherDark)
    }

    @Test("are dark again even if another display was closed meanwhile")
    func darkBesideOthers() {
        var displays = Displays()
        _ = displays.add(1, hall, date: 0, at: at(0))
        _ = displays.add(2, stage, date: 0, at: at(0))
        displays.darken([1], true)
        _ = displays.remove(1, at: at(10))
        _ = displays.remove(2, at: at(20))
        let isDark = displays.add(3, hall, date: 0, at: at(30))
        #expect(isDark)
    }
}
