import Foundation
import Testing
import TimerEngine

/// A talk of 30 s on the chip while the node's cluster has a fault from the 6th second until the 23rd, and the messages
/// that all members retain about the node afterwards.
struct ClusterTalk {
    private let chip: SimulatedChip
    private let manager: NotifySocket
    private let scene: ClusterScene
    private var cluster: any BrokerCluster { scene.cluster }

    /// - Parameters:
    ///   - trouble: the kind of trouble.
    ///   - cluster: the cluster, which must be ready.
    ///   - first: the member that the node connects to.
    init(_ trouble: ClusterTrouble, in cluster: any BrokerCluster, first: Int) throws {
        chip = try #require(SimulatedChip.current)
        for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
        manager = try NotifySocket()
        scene = try ClusterScene(trouble, cluster, first: first, manager: manager)
    }

    /// Runs the talk through the trouble, and checks everything.
    func play() throws {
        try count()
        do {
            try compareWithNode(try waitUntilRight())
            try obeyOnce()
        } catch {
            scene.node.process.read()
            let logs = cluster.members.indices.map { member in
                "\(cluster.members[member].name):\n" + cluster.log(member).suffix(30).joined(separator: "\n")
            }
            let words = ["\(error)", "node:"] + scene.node.process.errors + logs
            Issue.record("\(words.joined(separator: "\n"))")
        }
    }

    /// Runs the talk: each lamp must light and each second must be counted when it is due.
    private func count() throws {
        let before = statuses.count
        var seconds: [(at: Double, text: String)] = []
        let steps: [(at: Double, do: () throws -> Void)] = [
            (0.5, { try chip.setPull(.up, of: "BUTTON") }), (0.7, { try chip.setPull(.down, of: "BUTTON") }),
            (6, { try scene.begin() }), (23, { try scene.end() }),
        ]
        let recording = try ChipRecording(chip, seconds: 32) { start in
            for step in steps {
                manager.listen(until: start + .seconds(step.at))
                try step.do()
            }
            manager.listen(until: start + .seconds(32))
            seconds = statuses.dropFirst(before).map { (start.duration(to: $0.at).inSeconds, $0.text) }
        }

        // A killed node briefly releases its lines, and its lamps come back on to within 20 ms.
        let isKilled = scene.trouble == .killedWithNode
        let lamps = recording.changes.map { $0.high.subtracting(["BUTTON"]) }
        let rises = ["GREEN", "YELLOW", "RED", "BUZZER"].map { recording.rises(of: $0) }
        let began = try #require(rises[0].first, "\(lamps)")
        for (rises, due) in zip(rises, [0.0, 10, 20, 30]) {
            let first = try #require(rises.first, "\(lamps)")
            #expect(abs(first - began - due) < (isKilled ? 0.02 : 0.004), "\(lamps)")
        }
        guard !isKilled else { return }
        let modes = ["countdown", "warning", "final"]
        let due = (1...30).reversed().map { "\(modes[(30 - $0) / 10]), \($0) left of Talk" }
        #expect(seconds.map(\.text) == due + ["alarm, 0 left of Talk"], "each second exactly once")
        for (place, second) in seconds.enumerated() {
            #expect(abs(second.at - began - Double(place)) < 0.004, "\(second)")
        }
    }

    /// The statuses that the node has sent to its manager, in order, such as `warning, 20 left of Talk`.
    private var statuses: [(at: Instant, text: String)] {
        manager.read()
        return manager.messages.filter { $0.text.hasPrefix("STATUS=") }.map {
            ($0.at, String($0.text.dropFirst(7)))
        }
    }
}

// MARK: - Afterwards

extension ClusterTalk {
    /// Waits until every member has the correct state of the node, and checks again once late messages have arrived.
    ///
    /// - Returns: the retained messages of one member.
    private func waitUntilRight() throws -> [String: String] {
        var faults: [String] = []
        var all: [[String: String]] = []
        do {
            try waitUntil("the correct state on every member", timeout: .seconds(60), pause: { usleep(500_000) }) {
                do {
                    all = try cluster.retained()
                    faults = wrong(all)
                } catch {
                    // A member may still be starting.
                    faults = ["\(error)"]
                }
                return faults.isEmpty
            }
        } catch { throw TestFailure("\(error): \(faults.joined(separator: "\n"))") }
        sleep(10)
        all = try cluster.retained()
        faults = wrong(all)
        if !faults.isEmpty { throw TestFailure("no longer correct: \(faults.joined(separator: "\n"))") }
        return all[0]
    }

    /// Compares the messages that were correct on all members with those that the node now publishes on request.
    private func compareWithNode(_ before: [String: String]) throws {
        try cluster.send("state", id: "asked", to: 0)
        sleep(1)
        let after = try cluster.retained(at: [0])[0]
        for topic in after.keys where !topic.hasSuffix("/health") {
            let (old, new) = (before[topic] ?? "", after[topic] ?? "")
            if topic.hasSuffix("/state") {
                // The other keys vary with time.
                for key in ["mode", "started_at", "zero", "boot"] {
                    #expect(value(key, in: old) == value(key, in: new), "\(key) in \(old)\n\(new)")
                }
            } else {
                #expect(old == new, "\(topic)")
            }
        }
    }

    /// The errors in the members' retained messages; empty if all messages are correct.
    private func wrong(_ all: [[String: String]]) -> [String] {
        guard let connected = scene.connectedMember else { return ["the node is not connected"] }
        var faults: [String] = []
        func check(_ member: Int, _ topic: String, _ isRight: (String) -> Bool) {
            let payload = all[member][topic]
            if payload.map(isRight) != true {
                faults.append("\(topic) at \(cluster.members[member].name) is \(payload ?? "missing")")
            }
        }
        let topics = ["availability", "mode", "state", "timers", "runs", "health"].map { "timer/lectern/\($0)" }
        let discovery = "homeassistant/device/lectern/config"
        for member in all.indices {
            check(member, topics[0]) { $0 == "online" }
            check(member, topics[1]) { $0 == "alarm" }
            check(member, topics[2]) { value("mode", in: $0) == #""alarm""# }
            check(member, topics[3]) { $0.contains(#""name":"Talk""#) }
            check(member, topics[5]) { value("broker", in: $0) == "\"\(cluster.url(connected))\"" }
            check(member, discovery) { $0.contains("cmps") }
            for topic in topics + [discovery] { check(member, topic) { $0 == all[connected][topic] } }
            for topic in all[member].keys where !(topics + [discovery]).contains(topic) {
                faults.append("\(topic) at \(cluster.members[member].name)")
            }
        }
        return faults
    }

    /// Checks that a command published on any member is executed exactly once.
    private func obeyOnce() throws {
        let probe = try MQTTProbe(
            at: cluster.address(scene.connectedMember ?? 0), ["timer/lectern/response", "timer/lectern/event"],
            as: cluster.user)
        for (place, member) in cluster.members.enumerated() {
            try cluster.send("start", id: "at \(member.name)", to: place)
            try probe.wait(for: "a response to the command on \(member.name)") {
                $0.contains { $0.payload.contains("\"id\":\"at \(member.name)\"") }
            }
            #expect(try chip.highLines() == ["GREEN"])
        }
        // Allow time for duplicates to arrive.
        sleep(3)
        let answers = probe.messages.filter { $0.topic.hasSuffix("/response") }.map(\.payload)
        #expect(answers.map { value("id", in: $0) } == cluster.members.map { "\"at \($0.name)\"" })
        #expect(answers.allSatisfy { $0.contains(#""status":"ok""#) && !$0.contains("duplicate") }, "\(answers)")
        // Each start ends the run before it.
        let ends = probe.messages.count { $0.payload.contains(#""event_type":"run_ended""#) }
        #expect(ends == cluster.members.count, "\(probe.messages)")
    }

    /// Returns the value of a key in JSON, exactly as written; nil if the key does not exist.
    private func value(_ key: String, in json: String) -> Substring? {
        json.components(separatedBy: "\"\(key)\":").dropFirst().first.map {
            $0.prefix { !",}".contains($0) }
        }
    }
}
