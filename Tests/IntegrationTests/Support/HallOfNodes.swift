import Foundation
import Testing

/// A leader, `lectern`, and its followers. Each node is a separate process that uses three lines of the guest's chip,
/// and their wall clocks are hours apart.
///
/// The lamps of each node are on the lines in ``lines``. Line 4 is for the button.
final class HallOfNodes {
    /// The followers' ids.
    static let followers = ["side", "back", "desk", "door"]
    /// The lines of each node's green, yellow and red lamp.
    static let lines = [
        "lectern": [0, 1, 2], "side": [5, 6, 7], "back": [8, 9, 10], "desk": [11, 12, 13], "door": [14, 15, 3],
    ]
    /// The number of seconds by which each wall clock is ahead.
    private static let clocks = ["side": -7 * 3600, "back": 5 * 3600, "desk": 30 * 86_400, "door": -400 * 86_400]

    private(set) var nodes: [String: SpawnedNode] = [:]
    private let followers: [String]

    /// Starts the nodes.
    ///
    /// - Parameters:
    ///   - count: the number of nodes, 2 to 5.
    ///   - brokers: the brokers, as written in a configuration.
    ///   - mqtt: further settings in the section mqtt.
    ///   - timer: the times of the leader's timer.
    ///   - signals: the section signals of all nodes.
    ///   - buttonOf: the id of the node with the button that starts the leader.
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
        guard let seconds = clocks[id] else { return [:] }
        return try wallClock(ahead: seconds)
    }

    /// The environment that gives a program a separate wall clock, but leaves the clock that counts from the boot
    /// unchanged.
    static func wallClock(ahead seconds: Int) throws -> [String: String] {
        let source = #filePath.replacing("IntegrationTests/Support/HallOfNodes.swift", with: "guest/wall-clock.c")
        let library = FileManager.default.temporaryDirectory.appending(path: "timer-node-wall-clock.so").path
        let result = try Shell.run("exec cc -shared -fPIC -o \(library) \(source)")
        try #require(result.status == 0, "\(result.output)")
        return ["LD_PRELOAD": library, "WALL_CLOCK_AHEAD": "\(seconds)"]
    }

    /// The time between the leader's edges and each follower's edges, in milliseconds, lamp by lamp.
    ///
    /// - Returns: the times; nil if a follower's lamps changed differently.
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
    /// The value that a given percentage does not exceed; 0 if empty.
    func percentile(_ percent: Int) -> Double {
        let sorted = sorted()
        return sorted.isEmpty ? 0 : sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
    }
}

/// The distance in milliseconds between each time in one list and the nearest time in another, both in seconds.
func distances(_ times: [Double], to others: [Double]) -> [Double] {
    times.compactMap { time in others.map { abs($0 - time) * 1000 }.min() }
}
