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
            node = try SpawnedNode("40:00", brokers: broker.url, mqtt: ", keepalive: 1h")
            try node.waitForConnection()
        }

        private func send(_ verb: String, _ payload: String = "") throws {
            try MQTTProbe.publish(broker, "timer/lectern/command/\(verb)", payload)
        }

        @Test("is not affected by a system clock set forwards and back; only ends_at changes and is published again")
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
            #expect(ticks == Array((60 - ticks.count..<60).reversed()), "no tick was lost or repeated")
            #expect((20...21).contains(ticks.count), "\(began.duration(to: bootTime()))")
        }

        @Test(
            "wakes no thread while connected and asleep, and wakes once a second while counting"
        )
        func idle() throws {
            sleep(5)
            let tasks = "/proc/\(node.process.pid)/task"
            let threads = { try FileManager.default.contentsOfDirectory(atPath: tasks) }
            let switches = {
                try threads().map { try String(contentsOfFile: "\(tasks)/\($0)/status", encoding: .utf8) }
                    .flatMap { $0.matches(of: /voluntary_ctxt_switches:\t(\d+)/).compactMap { Int($0.1) } }
                    .reduce(0, +)
            }
            #expect(try threads().count == 2, "the main thread and the one that saves the state")
            let before = try switches()
            sleep(10)
            #expect(try switches() - before <= 2)
            try send("start")
            sleep(5)
            let counting = try switches()
            sleep(100)
            #expect(try switches() - counting <= 110)
            #expect(try threads().count == 2)
        }
    }
}
