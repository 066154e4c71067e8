import NodeConfiguration
import NodePorts
import Testing
import TimerEngine

@testable import GPIO

@Suite("A line with endless edges")
struct EdgeStormTests {
    private let now = Instant(sinceEpoch: .seconds(10))

    private func edge(_ line: InputName, _ isActive: Bool, _ milliseconds: Int) -> Edge {
        Edge(line: line, isActive: isActive, at: Instant(sinceEpoch: .milliseconds(milliseconds)))
    }

    @Test("is read for at most one portion more than the kernel's buffer holds")
    func endless() {
        let storm = BoundedReading(upTo: 48) { () throws(Never) in Array(repeating: 1, count: 16) }
        #expect(storm.elements.count == 64)
        #expect(!storm.isAll)
        var full = Array(repeating: Array(repeating: 1, count: 16), count: 3)
        let burst = BoundedReading(upTo: 48) { () throws(Never) in full.isEmpty ? nil : full.removeFirst() }
        #expect(burst.elements.count == 48)
        #expect(burst.isAll, "a full buffer and no further edges: the next edge may be far away")
        var portions = [[1, 2], [3]]
        let calm = BoundedReading(upTo: 48) { () throws(Never) in portions.isEmpty ? nil : portions.removeFirst() }
        #expect(calm.elements == [1, 2, 3])
        #expect(calm.isAll)
    }

    @Test("leaves no button stuck: edges that the kernel dropped are replaced using the level, on all lines")
    func dropped() {
        var repair = EdgeRepair()
        var looks: [InputName] = []
        let levels = ["A": false, "B": true]
        let level = { (line: InputName) throws(Never) in
            looks.append(line)
            return levels[line] == true
        }
        // During the storm, no level is read.
        let storm = (0..<32).map { edge("A", $0 % 2 == 0, $0) }
        let during = repair.repaired(storm, of: ["A", "B"], isFull: true, isAll: false, at: now, level: level)
        #expect(during == storm)
        #expect(looks.isEmpty)
        // After the storm, the last edge of A is missing, and so is an edge of B, which has none among the remaining
        // edges.
        let last = [edge("A", true, 40)]
        let repaired = repair.repaired(last, of: ["A", "B"], isFull: false, isAll: true, at: now, level: level)
        #expect(
            repaired == last + [Edge(line: "A", isActive: false, at: now), Edge(line: "B", isActive: true, at: now)])
        // Then the storm is over: only the level of the line that has edges is read.
        looks = []
        let press = [edge("B", true, 50)]
        let after = repair.repaired(press, of: ["A", "B"], isFull: false, isAll: true, at: now, level: level)
        #expect(after == press)
        #expect(looks == ["B"])
    }
}
