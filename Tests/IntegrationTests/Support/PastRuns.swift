import Foundation
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// The runs of a past evening, in the format in which a node saves them.
enum PastRuns {
    /// Returns the file `runs.json` with a number of runs, one per minute from 2026-11-20T18:00:00Z on, by speakers S1,
    /// S2 and so on.
    static func file(_ count: Int) throws -> String {
        let runs = try (1...count).map { number in
            let start = Date(timeIntervalSince1970: 1_795_197_600 + Double(60 * number - 60))
            return RunRecord(
                id: UUID(), timer: TimerPath(group: 0, item: 0), name: "Talk", group: "Hall", speaker: "S\(number)",
                startedAt: start, endedAt: start.addingTimeInterval(50), used: .seconds(50), paused: .zero, over: .zero,
                start: 60, qualifying: try QualifyingTime(minimum: 40, maximum: nil), qualified: true)
        }
        return String(decoding: SavedRuns(runs: runs).document, as: UTF8.self)
    }
}
