import Foundation
import Testing
import TimerEngine

extension InGuest {
    /// The difference between the edges of two nodes in real time, by the kernel's own timestamps.
    @Suite("Two nodes in step")
    struct FollowersOnChip {
        /// The limit for the median of all steps, in milliseconds. The guest's system calls take much longer than on a
        /// real machine, and other tests keep its processor busy, so the worst steps are not meaningful and are only
        /// printed.
        private static let bound = 80.0

        @Test("change their lamps together, idle and with a broker under load", arguments: [false, true])
        func steps(isLoaded: Bool) throws {
            let chip = try #require(SimulatedChip.current)
            for line in 0..<16 { try chip.setPull(.down, of: "\(line)") }
            let broker = try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
            let flash = "signals: {alarm: {red: {blink: [200ms, 200ms]}}}"
            let hall = try HallOfNodes(
                2, brokers: broker.url, timer: "start: 3s, warning: 2s, final: 1s", signals: flash)
            for node in hall.nodes.values { try node.waitForConnection() }
            usleep(3_000_000)
            var load: ChildProcess?
            if isLoaded {
                let lines = "while :; do printf '1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n'; sleep 0.01; done"
                load = try ChildProcess(
                    "sh", ["-c", "(\(lines)) | mosquitto_pub -l -h 127.0.0.1 -p \(broker.port) -t hall/noise"])
            }
            let recording = try ChipRecording(chip, seconds: 24) { _ in
                try MQTTProbe.publish(broker, "timer/side/command/start", "")
            }
            load?.signal(SIGTERM)
            // A machine that stalls for a moment misses edges, so each edge is compared with the nearest edge of the
            // other node.
            let red = [2, 7].map { line in recording.edges.filter { $0.line == line && $0.isHigh }.map(\.at) }
            let steps = distances(red[0].filter { $0 < 23 }, to: red[1])
            #expect(steps.count >= 35 && abs(red[0].count - red[1].count) <= 8)
            let numbers = [50, 99, 100].map { steps.percentile($0).formatted(.number.precision(.fractionLength(2))) }
            print("two nodes\(isLoaded ? ", broker under load" : ""): steps in ms, p50 p99 max: \(numbers)")
            #expect(steps.percentile(50) < Self.bound, "\(numbers)")
        }
    }
}
