import Foundation
import TimerEngine

/// What the outputs of the guest's chip did over a time: each change, looked for two thousand times a second.
///
/// In simulated time looking takes no time, so that a change is at most one look late.
struct ChipRecording {
    /// A change: when, in seconds since the recording began, and which lines are high from then on.
    struct Change: Equatable {
        var at: Double
        var high: Set<String>
    }

    /// The changes in order, the first one being what was there at the beginning.
    private(set) var changes: [Change] = []

    /// Records for a number of seconds.
    ///
    /// - Parameters:
    ///   - period: the time between two looks, in microseconds.
    ///   - look: what else is done at each look, after so many seconds.
    init(
        _ chip: SimulatedChip, seconds: Double, period: UInt32 = 500, look: (Double) throws -> Void = { _ in }
    ) throws {
        // A look is a system call for each line, since those cost far more in the guest than outside.
        let files = try SimulatedChip.lineNames.map {
            unsafe open(try chip.file("value", of: $0), O_RDONLY | O_CLOEXEC)
        }
        defer { files.forEach { close($0) } }
        let start = bootTime()
        while case let elapsed = start.duration(to: bootTime()).inSeconds, elapsed < seconds {
            let high = zip(SimulatedChip.lineNames, files).filter { Self.isHigh($0.1) }.map(\.0)
            if Set(high) != changes.last?.high { changes.append(Change(at: elapsed, high: Set(high))) }
            try look(elapsed)
            usleep(period)
        }
    }

    private static func isHigh(_ file: Int32) -> Bool {
        var value: UInt8 = 0
        return unsafe pread(file, &value, 1, 0) == 1 && value == UInt8(ascii: "1")
    }

    /// When a line went high.
    func rises(of line: String) -> [Double] {
        zip([Change(at: 0, high: [])] + changes, changes).filter { !$0.high.contains(line) && $1.high.contains(line) }
            .map(\.1.at)
    }

    /// When a line went low.
    func falls(of line: String) -> [Double] {
        zip(changes, changes.dropFirst()).filter { $0.high.contains(line) && !$1.high.contains(line) }.map(\.1.at)
    }
}
