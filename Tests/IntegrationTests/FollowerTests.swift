import Foundation
import Testing
import TimerEngine

/// Runs a program with a different boot clock, as on another machine. The wall clock is changed by
/// ``HallOfNodes/wallClock(ahead:)``.
private enum OtherMachine {
    static let secondsAhead = 1_000_000
    static let wrapper = ["unshare", "--time", "--boottime", "\(secondsAhead)"]
    static let isPossible = (try? Shell.run("unshare --time --boottime 1 true").status) == 0
}

@Suite(
    "A follower on a machine with another boot clock", .enabled(if: OtherMachine.isPossible, "needs a time namespace"))
struct FollowerTests {
    @Test("measures the offset between the clocks, and follows its leader's lamps even when the broker is gone")
    func inStep() throws {
        let broker = try MosquittoBroker()
        let flash = "signals: {alarm: {red: {blink: [200ms, 200ms]}}}"
        let leader = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{timers: [{name: Talk, start: 16s, warning: 10s, final: 5s}]}]}
            \(flash)
            """)
        let follower = try SpawnedNode(
            """
            node: {id: side}
            mqtt: {brokers: [\(broker.url)]}
            follow: {node: lectern}
            \(flash)
            storage: {directory: FOLDER/state}
            """, id: "side", environment: try HallOfNodes.wallClock(ahead: -7 * 3600))
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
        try probe.wait(for: "the start") { $0.contains { $0.payload.contains(/"mode":"(countdown|warning|final)"/) } }
        try broker.kill()
        // Each change with the time at which the test saw it, until the alarm has flashed for a while.
        var seen: [String: [(lamps: String, at: Instant)]] = [:]
        try waitUntil("both alarms", pause: { usleep(200) }) {
            for (name, node) in [("leader", leader), ("follower", follower)] {
                for lamps in node.lamps.dropFirst(seen[name]?.count ?? 0) {
                    seen[name, default: []].append((lamps, bootTime()))
                }
            }
            return seen.count == 2 && seen.values.allSatisfy { $0.count > 60 }
        }
        func reds(_ name: String) -> [Double] {
            let lit = (seen[name] ?? []).drop { $0.lamps != "yellow" }.filter { $0.lamps.contains("red") }
            return lit.map { $0.at.sinceEpoch / .seconds(1) }
        }
        let steps = distances(reds("leader").dropLast(2), to: reds("follower"))
        let numbers = [50, 99, 100].map { steps.percentile($0).formatted(.number.precision(.fractionLength(2))) }
        print("two boot clocks: steps in ms, p50 p99 max: \(numbers)")
        #expect(steps.count >= 20 && steps.percentile(50) < 80, "\(numbers)")
    }
}
