import Foundation
import Testing
import TimerEngine

extension InSimulatedTime {
    @Suite("Time")
    struct TimeInSimulatedTime {
        let broker: MosquittoBroker
        let node: SpawnedNode

        init() throws {
            broker = try MosquittoBroker(log: "information")
            node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)], keepalive: 1h}
                timers:
                  groups:
                    - timers:
                        - {name: Talk, start: 40:00, warning: 5:00, final: 1:00}
                        - {name: Questions, start: 10:00, warning: 2:00, final: 0:30}
                        - {name: Thanks, start: 5:00}
                """)
            try waitUntil("the connection") {
                node.process.read()
                return node.process.errors.contains { $0.contains("connected to") }
            }
        }

        private func send(_ verb: String, _ payload: String = "") throws {
            try MQTTProbe.publish(broker, "timer/lectern/command/\(verb)", payload)
        }

        /// One run of the sequence, followed from outside by arithmetic of its own.
        private struct Run {
            static let timers = [2400, 600, 300]
            static let length = 3300
            /// What has run when a mode begins, by the timers' thresholds.
            static let due: [String: Set<Int>] = ["warning": [2100, 2880], "final": [2340, 2970], "alarm": [3300]]

            private var began: Double
            private var held: Double?
            private var pauses = 0.0
            private(set) var ticks = 0

            init(began: Double) { self.began = began }

            /// The seconds that had run at a time, which has to be on a second to the tenth of a millisecond.
            private func seconds(at time: Double) throws -> Int {
                let elapsed = time - began - pauses
                try #require(abs(elapsed - elapsed.rounded()) < 0.000_1, "\(elapsed) s is not on a second")
                return Int(elapsed.rounded())
            }

            mutating func tick(_ shown: Int?, at time: Double) throws {
                var begin = 0
                let seconds = try seconds(at: time)
                // At a boundary the old timer's 0 and the new one's start.
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
        func day() throws {
            let log = try MessageLog(broker, node: "lectern")
            let beginning = bootTime()
            var random = SystemRandomNumberGenerator()
            var runs = 0
            while beginning.duration(to: bootTime()) < .seconds(24 * 3600) {
                try send("start", "1/1")
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    usleep(.random(in: 1_000_000...900_000_000, using: &random))
                    try send("pause")
                    usleep(.random(in: 1...300_000_000, using: &random))
                    try send("resume")
                }
                sleep(UInt32(Run.length))
                try send("stop")
                runs += 1
            }
            #expect(runs > 15)
            var run: Run?
            var endings: [String] = []
            var last = ""
            for message in try log.messages() {
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
            // Each second was ticked once.
            let ending = "alarm after \(Run.length + Run.timers.count) ticks"
            #expect(endings == Array(repeating: ending, count: runs), "\(node.process.errors)")
        }

        @Test("is not moved by a system clock that is set forwards and back; only ends_at is, and is published anew")
        func wallClock() throws {
            try send("set", "1:00")
            let probe = try MQTTProbe(broker, "timer/lectern/#")
            let began = bootTime()
            try send("resume")
            let ends = {
                probe.messages.filter { $0.topic == "timer/lectern/state" }
                    .compactMap { $0.payload.firstMatch(of: /"ends_at":"([^"]*)"/) }
                    .compactMap { try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(String($0.1)) }
            }
            try waitUntil("the state") { !ends().isEmpty }
            let before = try #require(ends().last)
            for (index, hours) in [1, -1].enumerated() {
                sleep(10)
                var time = timespec()
                unsafe clock_gettime(CLOCK_REALTIME, &time)
                time.tv_sec += hours * 3600
                #expect(unsafe clock_settime(CLOCK_REALTIME, &time) == 0)
                try waitUntil("the new state") { ends().count == index + 2 }
                #expect(abs(ends()[index + 1].timeIntervalSince(ends()[index]) - Double(hours * 3600)) < 0.002)
            }
            #expect(abs(try #require(ends().last).timeIntervalSince(before)) < 0.002)
            let ticks = probe.messages.filter { $0.topic == "timer/lectern/tick" }.compactMap { Int($0.payload) }.filter
            { $0 < 60 }
            #expect(ticks == Array((60 - ticks.count..<60).reversed()), "no tick was lost, none came twice")
            #expect((20...21).contains(ticks.count), "\(began.duration(to: bootTime()))")
        }

        @Test("asleep and connected it has one thread and is woken by nothing; counting it wakes once a second")
        func idle() throws {
            sleep(5)
            let status = {
                try String(contentsOfFile: "/proc/\(node.process.pid)/status", encoding: .utf8).split(separator: "\n")
            }
            let value = { (key: String) in
                try status().first { $0.hasPrefix(key) }.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? -1
            }
            let switches = { try value("voluntary_ctxt_switches:") + value("nonvoluntary_ctxt_switches:") }
            #expect(try value("Threads:") == 1)
            let before = try switches()
            sleep(10)
            #expect(try switches() - before <= 2)
            try send("start")
            sleep(5)
            let counting = try switches()
            sleep(100)
            #expect(try switches() - counting <= 110)
            #expect(try value("Threads:") == 1)
        }
    }
}
