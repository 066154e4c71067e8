import Foundation
import Testing
import TimerClient
import TimerEngine
import TimerProtocol

extension InSimulatedTime {
    /// The client library with a real broker and a real node, accurate to the hundredth of a second.
    @Suite("A client of a spawned node")
    struct ClientInSimulatedTime {
        private let broker: MosquittoBroker
        private let node: SpawnedNode
        private let client: ClientDriver

        init() throws {
            broker = try MosquittoBroker(log: "information")
            node = try SpawnedNode("60s", warning: "40s", final: "20s", brokers: broker.url, mqtt: ", keepalive: 1h")
            try node.waitForConnection()
            client = try ClientDriver(broker)
            try client.run(until: "the state") { $0.mirror?.state != nil && $0.mirror?.isOnline == true }
        }

        /// Starts the timer; returns the time at which it will end.
        private func start() throws -> Instant {
            #expect(try client.send(.player(.start(selector: nil))).outcome == .ok(mode: .countdown, remaining: 60))
            return bootTime() + .seconds(60)
        }

        private func expectCount(to end: Instant, _ when: Comment) {
            #expect(abs(client.remaining - bootTime().duration(to: end).inSeconds) < 0.02, when)
        }

        @Test("keeps counting while the node is down, and after its restart")
        func killed() throws {
            let end = try start()
            sleep(5)
            let startedAt = client.mirror?.health?.startedAt
            node.process.signal(SIGKILL)
            try client.run(until: "offline") { $0.mirror?.isOnline == false }
            sleep(7)
            expectCount(to: end, "while the node is down")
            try node.restart()
            try client.run(until: "online") { $0.mirror?.isOnline == true }
            try client.run(until: "the health of the next process") { $0.mirror?.health?.startedAt != startedAt }
            expectCount(to: end, "after its restart")
            try client.run(until: "the alarm", timeout: .seconds(120)) { $0.mirror?.state?.mode == .alarm }
            #expect(abs(end.duration(to: bootTime()).inSeconds) < 0.05)
            sleep(4)
            let over = try #require(client.mirror?.overtime(at: bootTime()))
            #expect(abs((over - end.duration(to: bootTime())).inSeconds) < 0.05)
        }

        @Test("keeps counting when the broker is restarted; a command lost in the restart is executed at most once")
        func brokerRestarted() throws {
            let end = try start()
            sleep(5)
            node.process.signal(SIGSTOP)
            let id = client.begin(.player(.add(seconds: 10)))
            try broker.kill()
            try client.run(until: "the loss") { !$0.client.isConnected }
            node.process.signal(SIGCONT)
            try broker.restart()
            try client.connect()
            try client.run(until: "its end", timeout: .seconds(200)) {
                let isTimedOut = $0.news.contains {
                    if case .ended(let command, .timedOut(0)) = $0 { command.id == id } else { false }
                }
                return isTimedOut || $0.response(to: id) != nil
            }
            try client.run(until: "the node", timeout: .seconds(200)) { $0.mirror?.isOnline == true }
            #expect(try client.send(.state).refusal == nil)
            let added = client.remaining - bootTime().duration(to: end).inSeconds
            #expect(abs(added) < 0.02 || abs(added - 10) < 0.02, "\(added)")
            #expect(client.response(to: id) == nil || added > 1)
        }

        @Test("keeps counting when the wall clock is adjusted")
        func clockSet() throws {
            let end = try start()
            for hours in [1, -1] {
                sleep(5)
                var time = timespec()
                unsafe clock_gettime(CLOCK_REALTIME, &time)
                time.tv_sec += hours * 3600
                #expect(unsafe clock_settime(CLOCK_REALTIME, &time) == 0)
                let revision = client.mirror?.state?.revision ?? 0
                try client.run(until: "the new state") { ($0.mirror?.state?.revision ?? 0) > revision }
                expectCount(to: end, "\(hours) h")
            }
        }

        @Test("is one of two that send commands at once, and each receives only the responses to its own commands")
        func two() throws {
            let other = try ClientDriver(broker)
            try other.run(until: "the state") { $0.mirror?.state != nil }
            _ = try start()
            let first = (0..<10).map { _ in client.begin(.player(.add(seconds: 1))) }
            let second = (0..<10).map { _ in other.begin(.player(.add(seconds: -1))) }
            try client.run(until: "ten responses") { client in first.allSatisfy { client.response(to: $0) != nil } }
            try other.run(until: "ten responses") { client in second.allSatisfy { client.response(to: $0) != nil } }
            for (client, ids, others) in [(client, first, second), (other, second, first)] {
                #expect(ids.allSatisfy { client.response(to: $0)?.refusal == nil })
                #expect(others.allSatisfy { client.response(to: $0) == nil })
            }
            #expect(try client.send(.state).refusal == nil)
            #expect(try other.send(.state).refusal == nil)
            #expect(abs(client.remaining - other.remaining) < 0.02)
        }
    }
}
