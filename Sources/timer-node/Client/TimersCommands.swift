internal import ArgumentParser
internal import BrokerSession
internal import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node timers`: gets the timers of a node into a file, and back.
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
                A file whose name ends with .json gets JSON, any other the section timers as the configuration has it.

                  timer-node timers export lectern meeting.yaml
                  timer-node timers export lectern - | less

                Exits with 69 when there is no such node or no broker, with 74 when the file cannot be written, with 1 \
                when the broker refuses.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var target: ExportTarget

        func run() throws {
            let timers = try options.withSession(kinds: [.availability, .timers]) { session throws(ClientFailure) in
                try target.exchange.node.published("timers of its own", session, \.timers)
            }
            try target.write(json: TimersMessage(timers.model).bytes, yaml: TimersYAML.text(timers.model))
        }
    }

    /// `timer-node timers import NODE FILE`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the timers of a node by those of a file.",
            discussion: """
                A file whose name ends with .json has JSON, as the topic timers and the export have it; any other the \
                section timers of a configuration, and a whole configuration will do. A pipe may have either. All \
                timers are replaced, or none. A run goes on if its timer is still there: in JSON by its id, in YAML by \
                its place and name.

                  timer-node timers import lectern meeting.yaml
                  timer-node timers import lectern - < meeting.json

                Exits with 1 when the node refuses, with 69 when it does not answer, with 74 when the file cannot be \
                read, with 78 when it has faults.
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
                        // What is known of the node's timers keeps a run going on.
                        ModelDocument(
                            model.keepingIDs(
                                of: try exchange.node.published("timers of its own", session, \.timers).model))
                    }
                try exchange.node.execute(.model(.timers(new)), session)
            }
        }
    }
}

extension TimerModel {
    /// The model with the ids of another one's timers, where these have the same place and name.
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

/// `timer-node reset-timers NODE`: goes back to the timers of the node's configuration.
struct ResetTimers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-timers",
        abstract: "Go back to the timers of the node's configuration.",
        discussion: """
            A node with storage sets the edits aside in a file, whose name its log tells.

              timer-node reset-timers lectern

            Exits with 1 when the node refuses, with 69 when it does not answer.
            """)

    @OptionGroup var options: BrokerOptions

    @OptionGroup var target: TargetNode

    func run() throws {
        try options.withSession(kinds: [.availability, .response]) { session throws(ClientFailure) in
            try target.execute(.model(.reset), session)
        }
    }
}

/// A model as the section `timers` of a configuration.
enum TimersYAML {
    /// The section, which reads as the same model but for the ids, which a configuration makes itself.
    static func text(_ model: TimerModel) -> String {
        var lines = [
            "timers:", "  settings: {start_timer_immediately: \(model.settings.startTimerImmediately)}", "  groups:",
        ]
        for group in model.groups {
            lines.append("    - name: \(scalar(group.name))")
            lines.append("      display: \(group.display.rawValue)")
            // Written as none it would mean silence, which `sound` says where it is meant.
            if group.alarm != .none { lines.append("      alarm: \(group.alarm.rawValue)") }
            if let sound = group.sound { lines.append("      sound: \(scalar(sound))") }
            if let transition = group.transition { lines.append("      transition: \(scalar(transition))") }
            lines.append("      at_zero: \(group.atZero.rawValue)")
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
        if let location = timer.location { lines.append("  location: \(scalar(location))") }
        return lines
    }

    private static func time(_ seconds: Int) -> String { "\"\(TimeDisplay.time(seconds))\"" }

    private static func scalar(_ text: String) -> String { YAMLScalar.text(text) }
}

/// Texts in YAML.
enum YAMLScalar {
    /// A text in double quotes, whose escapes in JSON are those of YAML too.
    static func text(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
