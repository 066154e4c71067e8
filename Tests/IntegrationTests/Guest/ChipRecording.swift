import Foundation
import NodePorts
import TimerEngine

/// A recording of the lines of the guest's chip: each change, with the kernel's own timestamp.
///
/// The guest's kernel traces each change of the chip's levels, so the test does not have to poll; see
/// `Tests/guest/gpio-sim-trace.h`.
struct ChipRecording {
    /// A change: its time, in seconds since the recording began, and the lines that are high from then on.
    struct Change: Equatable {
        var at: Double
        var high: Set<String>
    }

    /// The changes in order. The first one is the state at the beginning.
    ///
    /// Levels that lasted for less than half a millisecond, such as the gap between two lamps, are omitted.
    let changes: [Change]
    /// Each change of each line, in order. A line is identified by its offset on the chip.
    let edges: [Edge]

    /// Records for a number of seconds.
    ///
    /// - Parameters:
    ///   - chip: the chip, which must stay plugged in.
    ///   - seconds: the length of the recording.
    ///   - meanwhile: called when the recording begins; does nothing by default.
    init(
        _ chip: SimulatedChip, seconds: Double, meanwhile: (Instant) throws -> Void = { _ in }
    ) throws {
        let start = bootTime()
        // The same clock as ``bootTime()``. Setting it empties the trace.
        try Self.set("trace_clock", to: "boot")
        let before = try chip.levels()
        try meanwhile(start)
        let rest = bootTime().duration(to: start + .seconds(seconds)).inSeconds
        if rest > 0 { usleep(UInt32(rest * 1_000_000)) }
        // The kernel returns the trace page by page, and Foundation reads only one of them.
        let trace = try Shell.run("cat \(Self.folder)trace").output
        let levels = [(at: 0.0, levels: before)] + Self.levels(in: trace, since: start)
        changes = Self.settled(levels.map { Change(at: $0.at, high: Self.names($0.levels)) })
        edges = Self.edges(levels)
    }

    /// A change of one line.
    struct Edge: Equatable {
        var at: Double
        var line: Int
        var isHigh: Bool
    }

    private static let folder = "/sys/kernel/tracing/"

    private static func set(_ name: String, to value: String) throws {
        try Data(value.utf8).write(to: URL(filePath: folder + name), options: [])
    }

    /// Parses entries such as `sh-42 [000] ..... 12.345678: gpio_sim_set: levels 5`.
    private static func levels(in trace: String, since start: Instant) -> [(at: Double, levels: Int)] {
        trace.split(separator: "\n").compactMap { entry in
            guard let match = entry.firstMatch(of: #/ (\d+)\.(\d{6}): .*levels ([0-9a-f]+)$/#),
                let seconds = Int64(match.1), let microseconds = Int64(match.2), let levels = Int(match.3, radix: 16)
            else { return nil }
            let instant = Instant(sinceEpoch: .seconds(seconds) + .microseconds(microseconds))
            return (start.duration(to: instant).inSeconds, levels)
        }
    }

    /// The named lines that are high.
    private static func names(_ levels: Int) -> Set<String> {
        Set(SimulatedChip.lineNames.enumerated().filter { levels >> $0.offset & 1 == 1 }.map(\.element))
    }

    private static func edges(_ levels: [(at: Double, levels: Int)]) -> [Edge] {
        zip(levels, levels.dropFirst()).flatMap { before, after in
            (0..<16).filter { (before.levels ^ after.levels) >> $0 & 1 == 1 }.map {
                Edge(at: after.at, line: $0, isHigh: after.levels >> $0 & 1 == 1)
            }
        }
    }

    private static func settled(_ changes: [Change]) -> [Change] {
        let ends = changes.dropFirst().map(\.at) + [.infinity]
        return zip(changes, ends).filter { $1 - $0.at >= 0.000_5 }.map(\.0).reduce(into: []) { settled, change in
            if change.high != settled.last?.high { settled.append(change) }
        }
    }

    /// The times at which a line went high.
    func rises(of line: String) -> [Double] {
        zip([Change(at: 0, high: [])] + changes, changes).filter { !$0.high.contains(line) && $1.high.contains(line) }
            .map(\.1.at)
    }

    /// The times at which a line went low.
    func falls(of line: String) -> [Double] {
        zip(changes, changes.dropFirst()).filter { $0.high.contains(line) && !$1.high.contains(line) }.map(\.1.at)
    }
}
