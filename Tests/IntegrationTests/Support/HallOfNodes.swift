import Foundation
import Testing

/// A leader, `lectern`, and its followers, each a process of its own on three lines of the guest's chip, with wall clocks
/// that are hours apart.
///
/// The leader's lamps are on the lines 0 to 2, those of the followers on the three lines after 4 (a button's), 7, 10 and 12.
final class HallOfNodes {
    /// The followers' ids.
    static let followers = ["side", "back", "desk", "door"]
    /// The lines of each node's green, yellow and red lamp.
    static let lines = [
        "lectern": [0, 1, 2], "side": [5, 6, 7], "back": [8, 9, 10], "desk": [11, 12, 13], "door": [14, 15, 3],
    ]
    /// How far each wall clock is ahead, as libfaketime has it.
    private static let clocks = ["side": "-7h", "back": "+5h", "desk": "+30d", "door": "-400d"]

    private(set) var nodes: [String: SpawnedNode] = [:]
    private let followers: [String]

    /// Starts the nodes.
    ///
    /// - Parameters:
    ///   - count: how many nodes there are, 2 to 5.
    ///   - brokers: as a configuration has them.
    ///   - mqtt: what else is in that section.
    ///   - settings: the leader's timers, and the signals of all.
    ///   - buttonOf: whose button it is that starts the leader.
    init(
        _ count: Int, brokers: String, mqtt: String = "", timer: String = "start: 30s, warning: 20s, final: 10s",
        signals: String = "", buttonOf owner: String = "side", files: [String: String] = [:]
    ) throws {
        followers = Array(Self.followers.prefix(count - 1))
        for id in ["lectern"] + followers {
            let lines = Self.lines[id] ?? []
            let button = id == owner ? "\n  buttons: [{line: 4, press: start}]" : ""
            let section =
                id == "lectern" ? "timers: {groups: [{timers: [{name: Talk, \(timer)}]}]}" : "follow: {node: lectern}"
            nodes[id] = try SpawnedNode(
                """
                node: {id: \(id)}
                mqtt: {brokers: [\(brokers)]\(mqtt)}
                gpio:
                  chip: stoplight
                  outputs: {green: {line: \(lines[0])}, yellow: {line: \(lines[1])}, red: {line: \(lines[2])}}\(button)
                \(section)
                storage: {directory: FOLDER/state}
                \(signals)
                """, id: id, files: files, environment: Self.environment(id))
        }
    }

    /// The leader.
    var leader: SpawnedNode {
        get throws { try #require(nodes["lectern"]) }
    }

    private static func environment(_ id: String) throws -> [String: String] {
        guard let clock = clocks[id] else { return [:] }
        let libraries = try Shell.run("ls /usr/lib/*/faketime/libfaketime.so.1")
        try #require(libraries.status == 0, "needs libfaketime: apt-get install faketime")
        // The clock that counts from the boot stays as it is.
        return [
            "LD_PRELOAD": libraries.output.replacing("\n", with: ""), "FAKETIME": clock,
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    /// How far apart the edges of the leader and of each follower were, in milliseconds, lamp by lamp.
    ///
    /// - Returns: nil where a follower's lamps did something else.
    func steps(_ recording: ChipRecording) -> [Double]? {
        func edges(_ id: String, _ lamp: Int) -> [ChipRecording.Edge] {
            recording.edges.filter { $0.line == Self.lines[id]?[lamp] }
        }
        var steps: [Double] = []
        for id in followers {
            for lamp in 0..<3 {
                let (leader, follower) = (edges("lectern", lamp), edges(id, lamp))
                guard leader.map(\.isHigh) == follower.map(\.isHigh) else { return nil }
                steps += zip(leader, follower).map { abs($0.at - $1.at) * 1000 }
            }
        }
        return steps
    }
}

extension [Double] {
    /// The value that so many of a hundred do not exceed; 0 of none.
    func percentile(_ percent: Int) -> Double {
        let sorted = sorted()
        return sorted.isEmpty ? 0 : sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }
}
