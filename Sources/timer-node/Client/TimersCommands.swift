internal import ArgumentParser
internal import BrokerSession
internal import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node timers`: copies the timers of a node to a file, and back.
struct Timers: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Export and import the timers of a node.", subcommands: [Export.self, Import.self])
}

extension Timers {
    /// `timer-node timers export NODE FILE`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the timers of a node to a file.",
            discussion: """
                Writes JSON if the file's name ends with .json. Otherwise writes YAML: the timers section of a \
                configuration.

                  timer-node timers export lectern meeting.yaml
                  timer-node timers export lectern - | less

                Exits with 69 if the node or the broker is not available, with 74 if the file cannot be written, or with \
                1 if the broker refuses.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var target: ExportTarget

        func run() throws {
            let timers = try options.withSession(kinds: [.availability, .timers]) { session throws(ClientFailure) in
                try target.exchange.node.published("own timers", session, \.timers)
            }
            try target.write(json: TimersMessage(timers.model).bytes, yaml: TimersYAML.text(timers.model))
        }
    }

    /// `timer-node timers import NODE FILE`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the timers of a node with the timers in a file.",
            discussion: """
                Reads JSON, as in the timers topic and in an export, if the file's name ends with .json. Otherwise \
                reads YAML: the timers section of a configuration, or a whole configuration. Standard input may be \
                either. Replaces all timers or none. A run continues if its timer still exists: with the same id in \
                JSON, with the same position and name in YAML.

                  timer-node timers import lectern meeting.yaml
                  timer-node timers import lectern - < meeting.json

                Exits with 1 if the node refuses, with 69 if it does not answer, with 74 if the file cannot be read, \
                or with 78 if the file is invalid.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var exchange: ExchangeArguments

        func run() throws {
            let document = try exchange.read("timers") { (yaml) throws(ConfigurationError) in
                try NodeConfiguration.loadTimers(yaml: yaml, file: exchange.file)
            }
            let kinds: [TopicKind] = [.availability, .timers, .response]
            try options.withSession(kinds: kinds) { session throws(ClientFailure) in
                let new =
                    switch document {
                    case .json(let json): ModelDocument(json)
                    case .yaml(let model):
                        // A run continues only if its timer keeps its id, and YAML has no ids.
                        ModelDocument(
                            model.keepingIDs(
                                of: try exchange.node.published("own timers", session, \.timers).model))
                    }
                try exchange.node.execute(.model(.timers(new)), session)
            }
        }
    }
}

extension TimerModel {
    /// Returns the model with the ids of another model for the timers that have the same position and name there.
    func keepingIDs(of other: TimerModel) -> TimerModel {
        var kept = groups
        for (group, place) in zip(other.groups, kept.indices) {
            for (timer, item) in zip(group.timers, kept[place].timers.indices)
            where kept[place].timers[item].name == timer.name {
                kept[place].timers[item] = kept[place].timers[item].identified(by: timer.id)
            }
        }
        return (try? TimerModel(groups: kept, settings: settings)) ?? self
    }
}

/// `timer-node reset-timers NODE`: goes back to the timers in the node's configuration.
struct ResetTimers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-timers",
        abstract: "Go back to the timers in the node's configuration.",
        discussion: """
            A node with storage keeps the edits in a file, whose name is in its log.

              timer-node reset-timers lectern

            Exits with 1 if the node refuses, or with 69 if it does not answer.
            """)

    @OptionGroup var options: BrokerOptions

    @OptionGroup var target: TargetNode

    func run() throws {
        try options.withSession(kinds: [.availability, .response]) { session throws(ClientFailure) in
            try target.execute(.model(.reset), session)
        }
    }
}

/// Writes a model as the section `timers` of a configuration.
enum TimersYAML {
    /// Returns the section. Reading it yields the same model except for the ids, which the configuration generates.
    static func text(_ model: TimerModel) -> String {
        var lines = [
            "timers:", "  settings: {start_timer_immediately: \(model.settings.startTimerImmediately)}", "  groups:",
        ]
        for group in model.groups {
            lines.append("    - name: \(scalar(group.name))")
            lines.append("      display: \(group.display.rawValue)")
            // `alarm: none` would mean silence; `sound` is written if silence is meant.
            if group.alarm != .none { lines.append("      alarm: \(group.alarm.rawValue)") }
            if let sound = group.sound { lines.append("      sound: \(scalar(sound))") }
            if let transition = group.transition { lines.append("      transition: \(scalar(transition))") }
            lines.append("      at_zero: \(group.atZero.rawValue)")
            if let budget = group.budget { lines.append("      budget: \(time(budget))") }
            lines.append("      timers:")
            for timer in group.timers { lines += self.lines(timer).map { "        \($0)" } }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ timer: TimerItem) -> [String] {
        let times = timer.thresholds
        var lines = ["- name: \(scalar(timer.name))", "  start: \(time(times.start))"]
        if times.warning > 0 { lines.append("  warning: \(time(times.warning))") }
        if times.final > 0 { lines.append("  final: \(time(times.final))") }
        if let minimum = timer.qualifying.minimum { lines.append("  minimum: \(time(minimum))") }
        if let maximum = timer.qualifying.maximum { lines.append("  maximum: \(time(maximum))") }
        if let event = timer.event { lines.append("  event: \(scalar(event))") }
        if timer.carry { lines.append("  carry: true") }
        if let location = timer.location { lines.append("  location: \(scalar(location))") }
        return lines
    }

    private static func time(_ seconds: Int) -> String { "\"\(TimeDisplay.time(seconds))\"" }

    private static func scalar(_ text: String) -> String { YAMLScalar.text(text) }
}

/// Formats strings as YAML.
enum YAMLScalar {
    /// Returns a string in double quotes; JSON escapes are also valid in YAML.
    static func text(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
