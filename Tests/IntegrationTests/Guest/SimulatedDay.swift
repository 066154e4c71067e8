import Foundation
import TestSupport
import Testing
import TimerEngine

/// A separate group in `Tests/guest/tests`.
@Suite("a simulated day", .enabled(if: SimulatedChip.isTimeSimulated, "needs the guest's clocks"))
struct SimulatedDay {
    /// One run of the sequence, checked against independent arithmetic.
    private struct Run {
        static let timers = [2400, 600, 300]
        static let length = 3300
        /// The elapsed seconds at which each mode begins, according to the timers' thresholds.
        static let due: [String: Set<Int>] = ["warning": [2100, 2880], "final": [2340, 2970], "alarm": [3300]]

        private var began: Double
        private var held: Double?
        private var pauses = 0.0
        private(set) var ticks = 0

        init(began: Double) { self.began = began }

        /// Returns the elapsed seconds at a time, which must be a whole number to within a tenth of a millisecond.
        private func seconds(at time: Double) throws -> Int {
            let elapsed = time - began - pauses
            try #require(abs(elapsed - elapsed.rounded()) < 0.000_1, "\(elapsed) s is not on a second")
            return Int(elapsed.rounded())
        }

        mutating func tick(_ shown: Int?, at time: Double) throws {
            var begin = 0
            let seconds = try seconds(at: time)
            // At a boundary, both the old timer's 0 and the new timer's start are due.
            let due = Self.timers.compactMap { length -> Int? in
                defer { begin += length }
                return (begin...begin + length).contains(seconds) ? begin + length - seconds : nil
            }
            try #require(shown.map(due.contains) == true, "tick \(shown ?? -1) after \(seconds) s")
            ticks += 1
        }

        mutating func enter(_ mode: String, at time: Double) throws {
            if mode == "paused" {
                held = time
            } else if let since = held {
                pauses += time - since
                held = nil
            } else if let due = Self.due[mode] {
                let seconds = try seconds(at: time)
                try #require(due.contains(seconds), "\(mode) after \(seconds) s")
            }
        }
    }

    @Test("does not drift over a day of talks, pauses and sequences: each tick and transition on its second")
    func drift() throws {
        let broker = try QuietBroker()
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], protocol: 3.1.1, keepalive: 1h}
            timers:
              groups:
                - timers:
                    - {name: Talk, start: 40:00, warning: 5:00, final: 1:00}
                    - {name: Questions, start: 10:00, warning: 2:00, final: 0:30}
                    - {name: Thanks, start: 5:00}
            """)
        try broker.waitForSubscription()
        let wait = { (time: Duration) in try broker.serve(until: bootTime() + time) }
        let beginning = bootTime()
        var random = SeededGenerator(printedFor: "SimulatedDay.drift")
        var runs = 0
        var early: (descriptors: Int, memory: Double)?
        let size = { (try node.process.descriptors.count, try node.process.residentMebibytes) }
        while beginning.duration(to: bootTime()) < .seconds(24 * 3600) {
            try broker.send("start", "1/1")
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                try wait(.microseconds(Int.random(in: 1_000_000...900_000_000, using: &random)))
                try broker.send("pause")
                try wait(.microseconds(Int.random(in: 1...300_000_000, using: &random)))
                try broker.send("resume")
            }
            try wait(.seconds(Run.length))
            try broker.send("stop")
            runs += 1
            if runs == 3 { early = try size() }
        }
        try wait(.seconds(1))
        #expect(runs > 15)
        // What a process keeps for the first runs, it uses again.
        let (before, late) = (try #require(early), try size())
        #expect(late.0 == before.descriptors && late.1 < before.memory + 1, "\(late), at first \(before)")
        var run: Run?
        var endings: [String] = []
        var last = ""
        for message in broker.messages {
            switch (message.topic, message.payload) {
            case ("tick", let shown): try run?.tick(Int(shown), at: message.time)
            case ("mode", "stopped"):
                if run != nil { endings.append("\(last) after \(run?.ticks ?? 0) ticks") }
                run = nil
            case ("mode", let mode):
                last = mode
                if run == nil { run = Run(began: message.time) } else { try run?.enter(mode, at: message.time) }
            default: break
            }
        }
        // Each second had exactly one tick.
        let ending = "alarm after \(Run.length + Run.timers.count) ticks"
        #expect(endings == Array(repeating: ending, count: runs), "\(node.process.errors)")
    }
}
