import BrokerLink
import FoundationEssentials
import NodeConfiguration
import TestSupport
import TimerEngine
import TimerProtocol

/// Makes up stories.
package struct StoryTeller {
    var random: SeededGenerator
    private let seed: UInt64
    /// How often people use the running order, accounts and the clock, besides their usual share.
    private var evening = 0.0
    /// Whether the timers take one to three seconds, and nodes hang while several of them go by.
    var hasShortTimers: Bool { seed.isMultiple(of: 10) }

    package init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// Makes up a story of some hours.
    package mutating func story(hours: Double) -> Story {
        let duration = Duration.seconds(hours * 3600)
        let setting = setting(hours: hours)
        evening = pick([0, 0, 0.3])
        var events: [Story.Event] = []
        var time = Duration.seconds(8)
        while time < duration {
            events.append(.init(time: time, action: action(in: setting, at: time)))
            // Things break most when something has just happened.
            while chance(0.08) {
                time += .seconds(Double.random(in: 0...(chance(0.8) ? 0.06 : 1.2), using: &random))
                events.append(.init(time: time, action: fault(pick(setting.nodes).id, setting)))
            }
            // People act in bursts, and nothing happens for minutes in between.
            let pause =
                chance(0.3)
                ? Double.random(in: 0...0.5, using: &random)
                : chance(0.1)
                    ? Double.random(in: 30...200, using: &random) : Double.random(in: 0.5...25, using: &random)
            time += .seconds(pause)
        }
        if hasShortTimers {
            events += hangs(in: setting, during: duration)
            events.sort { $0.time < $1.time }
        }
        return Story(seed: seed, setting: setting, duration: duration, events: events)
    }

    /// Starts each node now and then, and lets it hang for a while.
    private func hangs(in setting: Story.Setting, during duration: Duration) -> [Story.Event] {
        var events: [Story.Event] = []
        var time = Duration.seconds(20)
        while time < duration {
            for node in setting.nodes {
                events.append(
                    .init(
                        time: time,
                        action: .publish(topic: "timer/\(node.id)/command/start", payload: "", retain: false)))
                events.append(.init(time: time + .milliseconds(500), action: .hang(node: node.id, for: .seconds(7))))
            }
            time += .seconds(100)
        }
        return events
    }

    // MARK: What happens

    private mutating func action(in setting: Story.Setting, at time: Duration) -> Story.Action {
        let node = pick(setting.nodes).id
        if chance(0.85) { return deed(node, setting, setting.start + time.inSeconds) }
        return fault(node, setting)
    }

    /// What people do.
    private mutating func deed(_ node: String, _ setting: Story.Setting, _ now: Double) -> Story.Action {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20:
            let length = pick([0.05, 0.2, 1.2])
            return .press(line: chance(0.7) ? "A" : "B", node: node, for: .seconds(length))
        case 20..<24:
            return .publish(
                topic:
                    "timer/\(node)/\(pick(["mode", "availability", "state", "timers", "runs"]))",
                payload: pick(["offline", "alarm", "{}", ""]), retain: chance(0.7))
        case 24..<26: return .publish(topic: "timer/\(node)/command/start", payload: "", retain: true)
        case 26..<28: return .publish(topic: "timer/all/command/stop", payload: "", retain: false)
        case 28..<30:
            return .reload(node: node, change(of: node, setting))
        case 30..<45:
            // A program without ids, such as mosquitto_pub.
            let (verb, fields) = command(now)
            return .publish(
                topic: "timer/\(node)/command/\(verb.rawValue)", payload: fields.isEmpty ? "" : "{\(fields)}",
                retain: false)
        default:
            let (verb, fields) = command(now)
            return .send(
                client: Int.random(in: 0..<setting.clients, using: &random), verb, fields: fields, node: node)
        }
    }

    /// A change of the configuration. The lectern has no leader.
    private mutating func change(of node: String, _ setting: Story.Setting) -> Story.Change {
        let start = Int.random(in: 1...90, using: &random)
        return pick([
            .healthInterval(.seconds(30)), .tickEvery(.seconds(pick([1, 5]))), .rename("Node"), .start(start),
            node == "lectern" ? .start(start) : .follow(pick([nil, "lectern"])),
        ])
    }

    /// A command with the members of its payload.
    private mutating func command(_ now: Double) -> (Verb, String) {
        let path = "\(Int.random(in: 1...3, using: &random))/\(Int.random(in: 1...4, using: &random))"
        let seconds = Int.random(in: -40...60, using: &random)
        if chance(evening) { return eveningCommand(path, now) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: return (.start, chance(0.5) ? "" : "\"timer\":\"\(path)\"")
        case 20..<23:
            return (.start, "\"duration\":\(Int.random(in: 1...60, using: &random)),\"name\":\"Motion\"")
        case 23..<26: return (.start, "\"ago\":\(Int.random(in: 1...50, using: &random))")
        case 26..<38: return (.stop, "")
        case 38..<46: return (.pause, "")
        case 46..<53: return (.resume, "")
        case 53..<57: return (.toggle, "")
        case 57..<60: return (.end, "")
        case 60..<63: return (.next, "")
        case 63..<65: return (.previous, "")
        case 65..<69: return (.select, "\"timer\":\"\(path)\"")
        case 69..<75: return (.add, "\"seconds\":\(seconds)")
        case 75..<78: return (.set, "\"remaining\":\(abs(seconds))")
        case 78..<80: return (.fastForward, "")
        case 80..<82: return (.rewind, "")
        case 82..<86: return (.undo, "")
        case 86..<88: return (.silence, "")
        case 88..<89: return (.identify, "")
        case 89..<90: return (.lampTest, "")
        case 90..<92: return (.message, "\"text\":\"Wrap up\",\"for\":\"20s\"")
        case 92..<93: return (.speaker, "\"name\":\"Ada\"")
        case 93..<95: return (.began, "\"ago\":\(abs(seconds))")
        case 95..<96: return (chance(0.5) ? .lock : .unlock, chance(0.5) ? "\"commands\":true" : "")
        case 96..<97: return (.edit, "\"timer\":\"\(path)\",\"start\":\(Int.random(in: 1...90, using: &random))")
        default: return eveningCommand(path, now)
        }
    }

    /// A command about the running order, accounts, the clock and the agenda.
    private mutating func eveningCommand(_ path: String, _ now: Double) -> (Verb, String) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            let entries = (1...Int.random(in: 1...5, using: &random)).map { number in
                let timer =
                    chance(0.5) ? "\"timer\":\"\(path)\"" : "\"start\":\(Int.random(in: 3...60, using: &random))"
                return "{\"title\":\"Entry \(number)\",\"speaker\":\"Speaker \(number)\",\(timer)}"
            }
            return (.programme, "\"entries\":[\(entries.joined(separator: ","))]")
        case 1, 2, 3:
            let entry = pick(["next", "next", "previous", "1", "2"])
            return (.entry, "\"entry\":\"\(entry)\"\(chance(0.6) ? ",\"start\":true" : "")")
        case 4, 5: return (.switch, chance(0.5) ? "" : "\"timer\":\"\(path)\"")
        case 6: return (.resetAccounts, "")
        case 7, 8:
            let date = Date(timeIntervalSince1970: (now + Double.random(in: 5...90, using: &random)).rounded())
            return (.start, "\"until\":\"\(Timestamp.text(date, digits: 0))\",\"trust\":true")
        case 9: return (.begin, "\"meeting\":1")
        case 10: return (.message, "\"text\":\"Louder\",\"attention\":true,\"for\":10")
        default: return (.beep, "")
        }
    }

    /// What breaks.
    private mutating func fault(_ node: String, _ setting: Story.Setting) -> Story.Action {
        let short = Duration.seconds(Double.random(in: 0.01...40, using: &random))
        let member = Int.random(in: 0..<setting.members, using: &random)
        let client = Int.random(in: 0..<setting.clients, using: &random)
        let fraction = Double.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<22, using: &random) {
        case 20: return .stopService(node: node, for: short * 3)
        case 21: return .unplug(node: node, for: .seconds(Double.random(in: 0.001...1, using: &random)))
        case 0, 1, 2: return .kill(node: node)
        case 3: return .terminate(node: node)
        case 4: return .hang(node: node, for: short)
        case 5: return .reboot(node: node, off: short)
        case 6, 7: return .unplug(node: node, for: short)
        case 8, 9: return .disk(node: node, pick(DiskCondition.allCases), for: short)
        case 10: return .setClock(node: node, by: Double.random(in: -4000...4000, using: &random))
        case 11: return .cut(node: node, fraction: fraction)
        case 12, 13: return .cutOff(node: node, for: short)
        case 14: return .slowNetwork(node: node, for: short)
        case 15: return .cutClient(client, fraction: fraction)
        case 16: return .cutOffClient(client, for: short)
        case 17: return .stopBroker(member: member, keepsRetained: chance(0.5), for: short)
        case 18: return chance(0.5) ? .freezeBroker(member: member, for: short) : .partition(for: short)
        default:
            let topic = ["timer/\(node)/command/#", "timer/\(node)/state", "timer/\(node)/#"]
            return .forbid(filter: pick(topic), for: short)
        }
    }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
}
