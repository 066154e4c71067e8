import Foundation
import TestSupport
import Testing
import TimerEngine
import TimerProtocol

extension InSimulatedTime {
    /// The cases that the unit tests cover in virtual time, but with a real clock that the test sets and a node that
    /// it kills.
    @Suite("A meeting of the agenda")
    struct AgendaInSimulatedTime {
        let broker: MosquittoBroker
        let node: SpawnedNode
        let probe: MQTTProbe

        init() throws {
            // No meeting begins in the first ten minutes after a boot unless the clock is known to be synchronised.
            let rest = 601 - Instant(sinceEpoch: .zero).duration(to: bootTime()).inSeconds
            if rest > 0 { sleep(UInt32(rest.rounded(.up))) }
            broker = try MosquittoBroker()
            // A Tuesday.
            try Self.setClock(to: "2027-05-04T18:58:00Z")
            node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)]}
                timers:
                  groups:
                    - timers: [{name: Talk, start: 40:00}]
                    - timers: [{name: Speech, start: 10:00}]
                agenda:
                  zone: UTC
                  meetings: [{name: Evening, day: tue, at: "19:00", for: 2h, group: 2, begin: start}]
                storage: {directory: FOLDER/state}
                """)
            probe = try MQTTProbe(broker, "timer/lectern/#")
            try probe.wait(for: "online", on: "timer/lectern/availability")
        }

        private static func setClock(to date: String) throws {
            var time = timespec()
            time.tv_sec = Int(try Date(date, strategy: .iso8601).timeIntervalSince1970)
            #expect(unsafe clock_settime(CLOCK_REALTIME, &time) == 0)
        }

        /// The events of meetings and runs that begin, each with its time of day.
        private var story: [String] {
            probe.messages.filter { $0.topic == "timer/lectern/event" }.compactMap { message in
                guard let event = try? EventMessage(Array(message.payload.utf8)) else { return nil }
                let time = event.date.formatted(.iso8601).dropFirst(5).prefix(11)
                return switch event.kind {
                case .meetingBegan: "\(time) began"
                case .meetingEnded: "\(time) ended"
                case .modeChanged(from: .stopped, to: .countdown): "\(time) runs"
                default: nil
                }
            }
        }

        /// The contents of the newest state: the mode, the selected group, and when the current meeting began, without
        /// seconds.
        private func state() throws -> [String?] {
            let payload = try #require(probe.messages.last { $0.topic == "timer/lectern/state" }).payload
            let state = try StateMessage(Array(payload.utf8))
            let began = state.meeting.map { String($0.beganAt.formatted(.iso8601).dropFirst(5).prefix(11)) }
            return [state.mode.rawValue, "\(state.timer.path.group + 1)", began]
        }

        @Test("begins once, even if the clock is moved by an hour or a day")
        func clockSet() throws {
            sleep(180)
            #expect(story == ["05-04T19:00 began", "05-04T19:00 runs"])
            try MQTTProbe.publish(broker, "timer/lectern/command/stop", "")
            for date in [
                "2027-05-04T18:01:10Z", "2027-05-03T18:59:50Z", "2027-05-04T18:59:50Z", "2027-05-04T20:00:00Z",
            ] {
                try Self.setClock(to: date)
                sleep(60)
                #expect(story.count == 2, "\(date)")
            }
            // A week later, the clock is in the middle of another meeting, and it is too late to start it.
            try Self.setClock(to: "2027-05-11T19:10:00Z")
            sleep(60)
            // Debian 13's mosquitto closes its connections when the clock is set far ahead. Events from that
            // moment are lost, but the retained state contains the same information.
            let connections = probe.messages.filter { $0.topic.hasSuffix("availability") && $0.payload == "online" }
            #expect(
                connections.count > 1 || story.count == 4 && story.last == "05-11T19:10 began", "\(story)")
            #expect(!story.dropFirst(2).contains { $0.hasSuffix("runs") })
            #expect(try state() == ["stopped", "2", "05-11T19:10"])
        }

        @Test(
            "missed while the node was down starts up to a minute late, then only selects, and is ignored after its end"
        )
        func down() throws {
            let kill = { _ = try #require(try node.process.terminate(by: SIGKILL) == .signalled(SIGKILL)) }
            try kill()
            sleep(150)
            try node.restart()
            sleep(5)
            #expect(try state() == ["countdown", "2", "05-04T19:00"])
            try MQTTProbe.publish(broker, "timer/lectern/command/select", "1/1")
            sleep(1)
            try kill()
            try Self.setClock(to: "2027-05-11T18:59:00Z")
            sleep(150)
            try node.restart()
            sleep(5)
            #expect(try state() == ["stopped", "2", "05-11T19:01"])
            try MQTTProbe.publish(broker, "timer/lectern/command/select", "1/1")
            sleep(1)
            try kill()
            try Self.setClock(to: "2027-05-18T21:00:01Z")
            try node.restart()
            sleep(120)
            #expect(try state() == ["stopped", "1", nil])
        }
    }
}
