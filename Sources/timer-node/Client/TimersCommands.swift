internal import ArgumentParser
internal import Glibc
internal import IoTNode
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
        @OptionGroup var exchange: TimersExchange

        @Flag(help: "Write JSON, whatever the file is called.")
        var json = false

        func run() throws {
            let timers = try options.withSession(kinds: [.timers]) { session throws(ClientFailure) in
                try exchange.timers(session)
            }
            let isJSON = json || exchange.file.hasSuffix(".json")
            let text = isJSON ? String(decoding: TimersMessage(timers.model).bytes, as: UTF8.self) + "\n" : TimersYAML.text(timers.model)
            if exchange.file == "-" {
                print(text, terminator: "")
                guard fflush(nil) == 0 else {
                    StandardError.say("cannot write to standard output: \(SystemError.text(errno))")
                    throw ExitCode.io
                }
                return
            }
            do throws(SystemError) { try File.write(Array(text.utf8), to: exchange.file) } catch {
                StandardError.say("cannot write \(exchange.file): \(SystemError.text(error.code))")
                throw ExitCode.io
            }
        }
    }

    /// `timer-node timers import NODE FILE`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the timers of a node by those of a file.",
            discussion: """
                A file whose name ends with .json has JSON, as the topic timers and the export have it; any other the \
                section timers of a configuration, and a whole configuration will do. A pipe may have either. All timers are replaced, or none. A run goes on if its timer \
                is still there: in JSON by its id, in YAML by its place and name.

                  timer-node timers import lectern meeting.yaml
                  timer-node timers import lectern - < meeting.json

                Exits with 1 when the node refuses, with 69 when it does not answer, with 74 when the file cannot be \
                read, with 78 when it has faults.
                """)

        @OptionGroup var options: BrokerOptions
        @OptionGroup var exchange: TimersExchange

        func run() throws {
            let bytes = try orExit(.io) { () throws(FileError) in
                try File.read(exchange.path, upTo: NodeConfiguration.maximumFileSize + 1)
            }
            let beginsAsJSON = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
            let isJSON = exchange.file == "-" ? beginsAsJSON : exchange.file.hasSuffix(".json")
            let document = try isJSON ? json(bytes) : nil
            let model = try isJSON ? nil : yaml(bytes)
            let kinds: [TopicKind] = [.availability, .timers, .response]
            try options.withSession(kinds: kinds) { session throws(ClientFailure) in
                // What is known of the node's timers keeps a run going on.
                let present = model == nil ? nil : try exchange.timers(session).model
                let new = model.map { model in ModelDocument(present.map(model.keepingIDs) ?? model) }
                guard let new = new ?? document else { return }
                try exchange.target.execute(.model(.timers(new)), session)
            }
        }

        private func json(_ bytes: [UInt8]) throws -> ModelDocument {
            try orExit(.configuration) { () throws(ClientFailure) in
                do throws(JSON.ParseError) { return ModelDocument(try JSON(parsing: bytes)) } catch {
                    throw ClientFailure(code: .configuration, description: "\(exchange.file): \(error)")
                }
            }
        }

        private func yaml(_ bytes: [UInt8]) throws -> TimerModel {
            let model = try orExit(.configuration) { () throws(ConfigurationError) in
                try NodeConfiguration.loadTimers(yaml: bytes, file: exchange.file)
            }
            if let model { return model }
            StandardError.say("\(exchange.file): found no section timers")
            throw ExitCode.configuration
        }
    }
}

/// The node that a command is for, and how long it is waited for.
struct TargetNode: ParsableArguments {
    @Option(help: "How long to wait for the connection, and then for the node.")
    var timeout = TimeArgument(.seconds(5))

    @Argument(help: "The node's id.", completion: NodeID.completion)
    var node: NodeID

    /// Sends a command to the node, and fails where that refuses it.
    func execute(_ command: Command, _ session: ClientSession) throws(ClientFailure) {
        var refusal: Refusal?
        let command = session.command(command, to: .node(node.id), timeout: timeout.duration)
        try session.execute(command) { _, response, _ in refusal = response.refusal }
        if let refusal { throw .refused("\(node.id): \(refusal.message) (\(refusal.code.rawValue))") }
    }
}

/// The arguments of export and import.
struct TimersExchange: ParsableArguments {
    @OptionGroup var target: TargetNode

    @Argument(help: "The file; - for a pipe.", completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String

    /// The file as the system names it.
    var path: String { file == "-" ? "/dev/stdin" : file }

    /// The timers that the node has.
    func timers(_ session: ClientSession) throws(ClientFailure) -> TimersMessage {
        let (node, timeout) = (target.node, target.timeout.duration)
        try session.connect(within: timeout)
        session.gather(within: timeout) { $0.nodes[node.id]?.timers != nil }
        guard let timers = session.client.nodes[node.id]?.timers else {
            if let rejection = session.rejection { throw .refused(rejection) }
            throw .unavailable(session.unknown(node.id))
        }
        return timers
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
