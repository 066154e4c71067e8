internal import ArgumentParser
internal import BrokerSession
internal import ConfigurationFiles
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerClient
internal import TimerProtocol

/// `timer-node programme`: copies the running order of a node to a file, and back.
struct ProgrammeCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "programme", abstract: "Export and import the running order of a node.",
        subcommands: [Export.self, Import.self])
}

extension ProgrammeCommands {
    /// `timer-node programme export NODE FILE`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the running order of a node to a file.",
            discussion: """
                The ending of the file's name decides: .csv for a table, .ics for a calendar with the planned or else \
                the expected times, .json for JSON as the programme command accepts it, and anything else for YAML.

                  timer-node programme export lectern evening.csv
                  timer-node programme export lectern - | less

                Exits with 69 if the node or the broker is not available, with 74 if the file cannot be written, or with \
                1 if the node has no running order or the broker refuses.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var target: ExportTarget

        func run() throws {
            let kinds: [TopicKind] = [.availability, .programme]
            let message = try options.withSession(kinds: kinds) { session throws(ClientFailure) in
                try target.exchange.node.published("running order", session, \.programme)
            }
            let programme = message.programme
            switch FileKind(target.exchange.file) {
            case .table where !target.json: try target.write(ProgrammeTable.text(programme))
            case .calendar where !target.json: try target.write(ProgrammeCalendar.text(message, at: Date()))
            default: try target.write(json: programme.json(capacity: 4096), yaml: ProgrammeYAML.text(programme))
            }
        }
    }

    /// `timer-node programme import NODE FILE`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the running order of a node with the one in a file.",
            discussion: """
                The ending of the file's name decides: .csv, .tsv and .txt for a table, .ics for the events of one \
                day, .json for JSON as in the programme topic, and anything else for YAML as in an export. Standard \
                input may be JSON or YAML. Replaces the whole running order or nothing. Entries keep what has happened \
                by their ids.

                The first line of a table names its columns, in any order: title, speaker, timer, length, start or \
                until, warning, final, min, max, at, note and id, or the same in German. The last fifth of a length is the \
                warning and the last tenth the final time, at most 60 s and 30 s.

                  timer-node programme import lectern evening.csv
                  timer-node programme import lectern council.ics --day 2026-11-27

                Exits with 1 if the node refuses, with 69 if it does not answer, with 74 if the file cannot be read, \
                or with 78 if the file is invalid.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var exchange: ExchangeArguments

        @Option(help: "The day whose events are read from a calendar.", transform: Self.day)
        var day: CivilDate?

        func run() throws {
            let programme = try read()
            try options.withSession(kinds: [.availability, .response]) { session throws(ClientFailure) in
                try exchange.node.execute(.programme(.replace(programme)), session)
            }
        }

        private static func day(_ text: String) throws -> CivilDate {
            guard let day = CivilDate(text) else {
                throw ValidationError("found \(text.quoted), expected a date such as 2026-11-27")
            }
            return day
        }

        private func read() throws(ExitCode) -> Programme {
            let kind = FileKind(exchange.file)
            if kind != .other {
                let text = try exchange.text()
                do throws(Refusal) {
                    return kind == .table
                        ? try ProgrammeTable.read(text)
                        : try ProgrammeCalendar.read(text, day: day, local: LocalTime.dayAndSecond)
                } catch { throw exchange.fault(error.message) }
            }
            let document = try exchange.read("programme") { (yaml) throws(ConfigurationError) in
                try NodeConfiguration.loadProgramme(yaml: yaml, file: exchange.file)
            }
            switch document {
            case .yaml(let programme): return programme
            case .json(let json):
                do throws(Refusal) { return try Programme(document: json) } catch {
                    throw exchange.fault(error.message)
                }
            }
        }
    }

    /// What a file's name says about its content.
    private enum FileKind {
        case table
        case calendar
        case other

        init(_ file: String) {
            self =
                switch file.split(separator: ".").last?.lowercased() {
                case "csv", "tsv", "txt": .table
                case "ics": .calendar
                default: .other
                }
        }
    }
}

extension Programme {
    /// The other fields of the topic, which an import ignores: they follow from the running order.
    private static let derived = ["revision", "current", "at"]
    private static let derivedOfEntry = ["state", "planned", "expected", "used"]

    /// Reads a running order in the format of the topic and the command.
    fileprivate init(document: JSON) throws(Refusal) {
        guard case .object(let members) = document else {
            throw Refusal(.invalidPayload, "found \(document.found), expected an object")
        }
        let own = members.filter { !Self.derived.contains($0.key) }.map { member in
            guard member.key == "entries", case .array(let entries) = member.value else { return member }
            let stripped = entries.map { entry -> JSON in
                guard case .object(let fields) = entry else { return entry }
                return .object(fields.filter { !Self.derivedOfEntry.contains($0.key) })
            }
            return JSON.Member(key: member.key, value: .array(stripped))
        }
        self = try Programme.read(PayloadFields(own))
    }
}

/// Writes a running order as a section `programme`.
enum ProgrammeYAML {
    /// Returns the section; reading it yields the same running order.
    static func text(_ programme: Programme) -> String {
        var lines = ["programme:", programme.entries.isEmpty ? "  entries: []" : "  entries:"]
        for entry in programme.entries {
            var pairs = [("title", scalar(entry.title))]
            if let id = entry.id { pairs.insert(("id", scalar(id)), at: 0) }
            if let speaker = entry.speaker { pairs.append(("speaker", scalar(speaker))) }
            if let timer = entry.timer { pairs.append(("timer", scalar(timer))) }
            let times = [
                ("start", entry.start), ("warning", entry.warning), ("final", entry.final),
                ("minimum", entry.minimum), ("maximum", entry.maximum),
            ]
            for case (let key, let seconds?) in times { pairs.append((key, DurationText.text(seconds: seconds))) }
            if let until = entry.until { pairs.append(("until", scalar(until.description))) }
            if let at = entry.at { pairs.append(("at", scalar(at.description))) }
            if let note = entry.note { pairs.append(("note", scalar(note))) }
            for (index, pair) in pairs.enumerated() {
                lines.append("    \(index == 0 ? "- " : "  ")\(pair.0): \(pair.1)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func scalar(_ text: String) -> String { YAMLScalar.text(text) }
}
