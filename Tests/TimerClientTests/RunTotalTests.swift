import FoundationEssentials
import Testing
import TimerProtocol

@testable import TimerClient

@Suite("The totals of a report")
struct RunTotalTests {
    private func run(_ minute: Int, _ speaker: String?, _ timer: String, used: Int, over: Int = 0) -> RunRecord {
        var run = RunRecord()
        (run.speaker, run.name, run.used, run.over) = (speaker, timer, .seconds(used), .seconds(over))
        run.startedAt = Date(timeIntervalSince1970: Double(minute) * 60)
        return run
    }

    @Test("sum up the runs of each speaker and of each timer, in the order in which they first ran")
    func sums() {
        let runs = [
            run(3, "Ada", "Contra", used: 30), run(1, "Grace", "Contra", used: 100, over: 5),
            run(2, "Ada", "Pro", used: 60),
            run(4, nil, "Pro", used: 7),
        ]
        let totals = RunTotal.totals(of: runs)
        #expect(totals.map(\.name) == ["Grace", "Ada", "", "Contra", "Pro"])
        #expect(totals.map(\.count) == [1, 2, 1, 2, 2])
        #expect(totals.map(\.used) == [100, 90, 7, 130, 67].map { .seconds($0) })
        let lines = RunsText.csv(totals).split(separator: "\r\n")
        #expect(lines.first == "By,Name,Runs,Used,Over")
        #expect(lines[1] == #"speaker,"Grace",1,0:01:40,0:00:05"# && lines[5] == #"timer,"Pro",2,0:01:07,0:00:00"#)
        #expect(RunTotal.totals(of: []).isEmpty)
    }
}
