import BrokerLink
import NodeConfiguration
import TimerEngine
import TimerProtocol

/// The machines, their configurations and the broker.
extension StoryTeller {
    mutating func setting(hours: Double) -> Story.Setting {
        var setting = Story.Setting()
        setting.members = chance(0.3) ? 3 : 1
        setting.isOldBroker = chance(0.15)
        setting.clients = Int.random(in: 1...2, using: &random)
        // An evening in November 2026, or a night in which Berlin's clocks go back or forward at 1:00 UTC.
        setting.start = pick([1_795_800_000, 1_795_800_000, 1_792_888_200, 1_806_193_800])
        let leaders: [String?] = pick([
            [nil], [nil], [nil, nil], [nil, "lectern"], [nil, "lectern", "lectern"], [nil, "lectern", "side"],
        ])
        for (id, leader) in zip(["lectern", "side", "foyer"], leaders) {
            var configuration = configuration(id, setting, hours)
            configuration.follow = leader.map { NodeConfiguration.Follow(node: $0, prefix: "timer") }
            setting.nodes.append(
                Story.Node(
                    id: id, configuration: configuration,
                    uptime: .seconds(Double.random(in: 20...2_000_000, using: &random)),
                    // The nodes allow two clocks to drift apart by 100 ppm.
                    partsPerMillion: Double.random(in: -50...50, using: &random),
                    secondsAhead: chance(0.7)
                        ? Double.random(in: -1...1, using: &random)
                        : Double.random(in: -20_000...20_000, using: &random)))
        }
        return setting
    }

    private mutating func configuration(
        _ id: String, _ setting: Story.Setting, _ hours: Double
    ) -> NodeConfiguration {
        var configuration = Story.Node.configuration(id, members: setting.members)
        configuration.mqtt?.discovery.style = chance(0.2) ? .device : .none
        configuration.storage?.afterReboot = pick([.pause, .resume, .stop])
        configuration.gpio = .init(chip: .auto, buttons: buttons())
        let carries = chance(0.3)
        var groups: [TimerGroup] = []
        for place in 0..<Int.random(in: 1...3, using: &random) {
            let timers = (0..<Int.random(in: 1...4, using: &random)).map { number in
                var timer = timer(number)
                timer.carry = carries
                return timer
            }
            var group = TimerGroup(name: "Group \(place + 1)", timers: timers)
            if chance(0.3) { group.atZero = .alarm }
            if chance(0.2) { group.budget = Int.random(in: 20...200, using: &random) }
            groups.append(group)
        }
        if let timers = try? NodeConfiguration.Timers(
            groups: groups, settings: .init(startTimerImmediately: chance(0.5)))
        {
            configuration.timers = timers
        }
        if chance(0.4) { configuration.agenda = agenda(setting, hours, groups: groups.count) }
        if !id.hasPrefix("f") { configuration.mirrors = Story.Node.mirrors(of: id) }
        return configuration
    }

    /// Meetings during the story.
    private mutating func agenda(_ setting: Story.Setting, _ hours: Double, groups: Int) -> Agenda {
        var meetings: [Agenda.Meeting] = []
        for number in 0..<Int.random(in: 1...6, using: &random) {
            // Berlin is one or two hours ahead of UTC.
            let ahead = Double(pick([3600, 7200]))
            let second = setting.start + ahead + Double.random(in: 0..<hours * 3600, using: &random)
            let minute = Int(second) / 60 * 60 % 86_400
            meetings.append(
                Agenda.Meeting(
                    name: "Meeting \(number + 1)", days: Weekday.allCases.map { .weekday($0) },
                    at: TimeOfDay(secondOfDay: minute), duration: Int.random(in: 1...20, using: &random) * 60,
                    group: chance(0.7) ? Int.random(in: 1...groups, using: &random) : nil,
                    attend: chance(0.9), lead: chance(0.3) ? 120 : nil,
                    zone: chance(0.2) ? pick(["UTC", "America/New_York"]) : nil))
            if meetings[number].group != nil { meetings[number].begin = pick([.select, .start, .none]) }
        }
        return Agenda(zone: "Europe/Berlin", remindAfter: pick([0, 60]), meetings: meetings)
    }

    private mutating func buttons() -> [NodeConfiguration.Button] {
        guard chance(0.7) else { return [] }
        return [("A", ["toggle", "next", "stop"]), ("B", ["add 10", "undo", "rewind"])].map { line, commands in
            var button = NodeConfiguration.Button(line: line)
            for (gesture, command) in zip([Gesture.press, .double, .hold], commands) {
                button.commands[gesture] = try? BoundCommand(command)
            }
            return button
        }
    }

    private mutating func timer(_ place: Int) -> TimerItem {
        let usual = chance(0.1) ? 0 : chance(0.2) ? 1200 : Int.random(in: 1...90, using: &random)
        let start = hasShortTimers ? usual % 3 + 1 : usual
        let warning = start > 2 && chance(0.8) ? Int.random(in: 0..<start, using: &random) : 0
        let final = warning > 1 && chance(0.8) ? Int.random(in: 0..<warning, using: &random) : 0
        return TimerItem(
            name: "Timer \(place + 1)",
            thresholds: (try? TimerEngine.Thresholds(start: start, warning: warning, final: final)) ?? .zero)
    }
}
