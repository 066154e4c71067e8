import Foundation
import Testing
import TimerEngine

/// What runs a program on a machine of its own, as far as its clocks go: the one that counts from the boot and, by
/// libfaketime, the wall clock.
private enum OtherMachine {
    static let secondsAhead = 1_000_000
    static let wrapper = ["unshare", "--time", "--boottime", "\(secondsAhead)"]
    static let isPossible = (try? Shell.run("unshare --time --boottime 1 true").status) == 0
}

@Suite("A follower on a machine with another boot clock", .enabled(if: OtherMachine.isPossible, "needs a time namespace"))
struct FollowerTests {
    @Test("knows how far the clocks are apart, and changes its lamps with its leader's, the broker gone in between")
    func inStep() throws {
        let broker = try MosquittoBroker()
        let leader = try SpawnedNode("4s", warning: "3s", final: "2s", brokers: broker.url)
        let follower = try SpawnedNode(
            """
            node: {id: side}
            mqtt: {brokers: [\(broker.url)]}
            follow: {node: lectern}
            storage: {directory: FOLDER/state}
            """, id: "side")
        try follower.process.terminate()
        try follower.restart(under: OtherMachine.wrapper)
        let probe = try MQTTProbe(broker, "timer/side/health", "timer/side/state")
        try probe.wait(for: "in step") {
            $0.contains { $0.topic == "timer/side/health" && $0.payload.contains(#""in_step":true"#) }
        }
        let health = try #require(probe.messages.last { $0.payload.contains(#""in_step":true"#) }).payload
        let offset = try #require(health.firstMatch(of: #/"offset_us":(-?\d+)/#).flatMap { Int($0.1) })
        #expect(abs(offset + OtherMachine.secondsAhead * 1_000_000) < 100_000, "\(offset) µs")

        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try probe.wait(for: "the start") { $0.contains { $0.payload.contains(#""mode":"countdown""#) } }
        try broker.kill()
        // Each change with the time at which it was seen.
        var seen: [String: [(lamps: String, at: TimerEngine.Instant)]] = [:]
        try waitUntil("both alarms", pause: { usleep(500) }) {
            for (name, node) in [("leader", leader), ("follower", follower)] {
                for lamps in node.lamps.dropFirst(seen[name]?.count ?? 0) {
                    seen[name, default: []].append((lamps, bootTime()))
                }
            }
            return seen.values.count { $0.contains { $0.lamps.contains("alarm") } } == 2
        }
        func times(_ name: String) -> [TimerEngine.Instant] {
            ["warning", "final", "alarm"].compactMap { mode in seen[name]?.first { $0.lamps.contains(mode) }?.at }
        }
        let steps = zip(times("leader"), times("follower")).map { abs($0.duration(to: $1).inSeconds) }
        print("two boot clocks: steps in ms: \(steps.map { ($0 * 1000).rounded() })")
        #expect(steps.count == 3 && steps.allSatisfy { $0 < 0.25 }, "\(seen)")
    }
}
