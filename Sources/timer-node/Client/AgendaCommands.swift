internal import ArgumentParser
internal import BrokerSession
internal import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerClient
internal import TimerProtocol

/// `timer-node agenda`: copies the agenda of a node to a file, and back.
struct AgendaCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agenda", abstract: "Export and import the agenda of a node.",
        subcommands: [Export.self, Import.self])
}

extension AgendaCommands {
    /// `timer-node agenda export NODE FILE`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the agenda of a node to a file.",
            discussion: """
                Writes JSON, as the agenda command accepts it, if the file's name ends with .json. Otherwise writes \
                YAML: the agenda section of a configuration.

                  timer-node agenda export lectern meetings.yaml
                  timer-node agenda export lectern - | less

                Exits with 69 if the node or the broker is not available, with 74 if the file cannot be written, or with \
                1 if the node has no agenda or the broker refuses.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var target: ExportTarget

        func run() throws {
            let agenda = try options.withSession(kinds: [.availability, .agenda]) { session throws(ClientFailure) in
                try target.exchange.node.published("agenda", session, \.agenda).agenda
            }
            try target.write(json: agenda.bytes, yaml: AgendaYAML.text(agenda))
        }
    }

    /// `timer-node agenda import NODE FILE`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the agenda of a node with the agenda in a file.",
            discussion: """
                Reads JSON, as in the agenda topic and in an export, if the file's name ends with .json. Otherwise \
                reads YAML: the agenda section of a configuration, or a whole configuration. Standard input may be \
                either. Replaces the whole agenda or nothing. Meetings that have begun do not begin again.

                  timer-node agenda import lectern meetings.yaml
                  timer-node agenda import lectern - < meetings.json

                Exits with 1 if the node refuses, with 69 if it does not answer, with 74 if the file cannot be read, \
                or with 78 if the file is invalid.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var exchange: ExchangeArguments

        func run() throws {
            let document = try exchange.read("agenda") { (yaml) throws(ConfigurationError) in
                try NodeConfiguration.loadAgenda(yaml: yaml, file: exchange.file)
            }
            let agenda =
                switch document {
                case .json(let json): try agenda(of: json)
                case .yaml(let agenda): agenda
                }
            try options.withSession(kinds: [.availability, .response]) { session throws(ClientFailure) in
                try exchange.node.execute(.agenda(.replace(agenda)), session)
            }
        }

        private func agenda(of json: JSON) throws(ExitCode) -> Agenda {
            do throws(Refusal) { return try Agenda(document: json) } catch { throw exchange.fault(error.message) }
        }
    }
}

extension Agenda {
    /// The other fields of the topic, which an import ignores: they follow from the agenda or count its changes.
    private static let derived = ["revision", "in_progress", "next", "slots"]

    /// Reads an agenda in the format of the topic and the command.
    fileprivate init(document: JSON) throws(Refusal) {
        guard case .object(let members) = document else {
            throw Refusal(.invalidPayload, "found \(document.found), expected an object")
        }
        var fields = PayloadFields(members.filter { !Self.derived.contains($0.key) })
        self.init()
        try self.fields(&fields)
        try fields.finish()
    }

    /// The agenda in the format of the command.
    fileprivate var bytes: [UInt8] { json(capacity: 4096) }
}

/// Writes an agenda as the section `agenda` of a configuration.
enum AgendaYAML {
    /// Returns the section; reading it yields the same agenda.
    static func text(_ agenda: Agenda) -> String {
        var lines = ["agenda:"]
        if let zone = agenda.zone { lines.append("  zone: \(scalar(zone))") }
        // Only zero may be written without a unit.
        let reminder = agenda.remindAfter == 0 ? "0" : DurationText.text(seconds: agenda.remindAfter)
        lines.append("  remind_after: \(reminder)")
        lines.append(agenda.meetings.isEmpty ? "  meetings: []" : "  meetings:")
        for meeting in agenda.meetings { lines += self.lines(meeting).map { "    \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ meeting: Agenda.Meeting) -> [String] {
        let days = meeting.days.map(\.description)
        var lines = [
            "- name: \(scalar(meeting.name))",
            "  day: \(days.count == 1 ? days[0] : "[\(days.joined(separator: ", "))]")",
            "  at: \(scalar(meeting.at.description))",
            "  for: \(DurationText.text(seconds: meeting.duration))",
        ]
        if let group = meeting.group { lines.append("  group: \(group)") }
        lines.append("  begin: \(meeting.begin.rawValue)")
        if let lead = meeting.lead { lines.append("  lead: \(DurationText.text(seconds: lead))") }
        if !meeting.attend { lines.append("  attend: false") }
        if let zone = meeting.zone { lines.append("  zone: \(scalar(zone))") }
        if let location = meeting.location { lines.append("  location: \(scalar(location))") }
        if let note = meeting.note { lines.append("  note: \(scalar(note))") }
        return lines
    }

    private static func scalar(_ text: String) -> String { YAMLScalar.text(text) }
}
