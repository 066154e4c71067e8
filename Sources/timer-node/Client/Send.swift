internal import ArgumentParser
internal import BrokerLink
internal import BrokerSession
internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node send NODE VERB [ARGUMENT]`: sends a command and waits for its response.
struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a command to a node, and print its response.",
        discussion: """
            Prints the mode and the time left after the command, or why it was refused. For time, it prints the node's \
            clocks; for runs, a page of the report.

              timer-node send lectern start
              timer-node send lectern add +1:00
              timer-node send lectern start '{"duration": "3:00", "warning": 60}'
              timer-node send lectern message Please wrap up
              timer-node send all stop

            The verbs are \(Verb.allCases.map(\.rawValue).joined(separator: ", ")). The topics.md page of the \
            documentation describes their arguments.

            With all or @GROUP, it waits for the whole --timeout, and prints a line for each node that answers.

            Exits with 0 if every node that answered carried out the command, with 1 if it was refused, with 69 if no \
            node answered or the broker is not available, or with 64 if the command line is wrong.
            """)

    @OptionGroup var options: BrokerOptions

    @Option(help: "How long to wait for the connection, and then for responses.")
    var timeout = TimeArgument(.seconds(5))

    @Flag(help: "Print each response as JSON.")
    var json = false

    @Argument(help: "The node's id, all, or @GROUP.", completion: Recipient.completion)
    var node: Recipient

    @Argument(help: "The command's verb.", completion: .list(Verb.allCases.map(\.rawValue)))
    var verb: String

    @Argument(
        parsing: .allUnrecognized,
        help: "The verb's argument, as text (+30, 1:30, 2/1 Questions) or as a JSON object.")
    var argument: [String] = []

    func validate() throws { _ = try request() }

    func run() throws {
        let request = try request()
        let id = request.id ?? UUID().uuidString.lowercased()
        let command = OutgoingCommand(id: id, to: node.recipient, request.command, timeout: timeout.duration)
        var isRefused = false
        try options.withSession(kinds: [.availability, .response]) { session throws(ClientFailure) in
            try session.execute(command) { node, response, payload in
                isRefused = isRefused || response.refusal != nil
                print(node, response, payload)
            }
        }
        if isRefused { throw ExitCode.failure }
    }

    /// Returns the command for the verb and the argument.
    ///
    /// - Throws: `ValidationError` if they are invalid.
    private func request() throws -> Request {
        var parser = RequestParser()
        let payload = argument.joined(separator: " ")
        do throws(Refusal) {
            return try parser.request(
                verb: verb, scope: node.recipient.scope, payload: Array(payload.utf8))
        } catch {
            let near = nearest(to: verb, in: Verb.allCases.map(\.rawValue))
            let hint = error.code == .unknownCommand ? near.map { "; did you mean \($0)?" } ?? "" : ""
            throw ValidationError(error.message + hint)
        }
    }

    private func print(_ node: String, _ response: Response, _ payload: [UInt8]) {
        // Parsed and written again: a payload from the network may contain control characters for the terminal.
        if json { return Swift.print((try? JSON(parsing: payload))?.text ?? "") }
        let name = if case .node = self.node.recipient { "" } else { "\(node): " }
        switch response.outcome {
        case .ok(let mode, let remaining):
            let result = response.details?.text ?? "\(mode.rawValue), \(TimeDisplay.left(remaining))"
            let leader = (response.forwardedTo ?? response.follows).map { " (follows \($0))" } ?? ""
            Swift.print("\(name)\(result)\(leader)")
        case .error(let refusal): StandardError.say("\(name)\(refusal.message) (\(refusal.code.rawValue))")
        }
    }
}

extension Response.Details {
    /// The details as text for people.
    fileprivate var text: String {
        switch self {
        case .time(let date, let clock):
            let (seconds, attoseconds) = clock.now.components
            let microseconds = "\(attoseconds / 1_000_000_000_000)"
            let fraction = String(repeating: "0", count: max(0, 6 - microseconds.count)) + microseconds
            return "\(Timestamp.text(date, digits: 6)), \(seconds).\(fraction) s since boot"
        case .runs(let page):
            if page.runs.isEmpty { return "no runs" }
            return "\(ReportText.table(page.runs))\npage \(page.page) of \(page.pages)"
        }
    }
}

/// The arguments of an import: a node, and a file with the new content, as YAML or JSON.
struct ExchangeArguments: ParsableArguments {
    @OptionGroup var node: TargetNode

    @Argument(help: "The file; - is standard input or output.", completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String

    /// The content of a file.
    enum Document<Section> {
        case json(JSON)
        case yaml(Section)
    }

    /// Reads the file. On failure, prints the error on standard error and exits.
    ///
    /// - Parameters:
    ///   - name: the section of a configuration that a YAML file contains.
    ///   - section: reads that section; returns nil if there is none.
    func read<Section>(
        _ name: String, _ section: (_ yaml: [UInt8]) throws(ConfigurationError) -> Section?
    ) throws(ExitCode) -> Document<Section> {
        let bytes = try orExit(.io) { () throws(FileError) in
            try File.read(file == "-" ? "/dev/stdin" : file, upTo: NodeConfiguration.maximumFileSize + 1)
        }
        let beginsAsJSON = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
        guard file == "-" ? beginsAsJSON : file.hasSuffix(".json") else {
            let found = try orExit(.configuration) { () throws(ConfigurationError) in try section(bytes) }
            if let found { return .yaml(found) }
            throw fault("found no \(name) section")
        }
        do throws(JSON.ParseError) { return .json(try JSON(parsing: bytes)) } catch { throw fault("\(error)") }
    }

    /// Reads the file as text in UTF-8. On failure, prints the error on standard error and exits.
    func text() throws(ExitCode) -> String {
        let bytes = try orExit(.io) { () throws(FileError) in
            try File.read(file == "-" ? "/dev/stdin" : file, upTo: NodeConfiguration.maximumFileSize + 1)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("is not valid UTF-8") }
        return text
    }

    /// Prints what is wrong with the file, and returns the exit code.
    func fault(_ text: String) -> ExitCode {
        StandardError.say("\(file): \(text)")
        return .configuration
    }
}

/// The arguments of an export: a node, and the file to write.
struct ExportTarget: ParsableArguments {
    @OptionGroup var exchange: ExchangeArguments

    @Flag(help: "Write JSON, whatever the name of the file.")
    var json = false

    /// Writes the file, as JSON if its name ends with `.json` or `--json` is set. On failure, prints the error on
    /// standard error and exits.
    func write(json bytes: @autoclosure () -> [UInt8], yaml: @autoclosure () -> String) throws(ExitCode) {
        let isJSON = json || exchange.file.hasSuffix(".json")
        try write(isJSON ? String(decoding: bytes(), as: UTF8.self) + "\n" : yaml())
    }

    /// Writes the file. On failure, prints the error on standard error and exits.
    func write(_ text: String) throws(ExitCode) {
        guard exchange.file != "-" else { return try StandardOutput.write(text) }
        do throws(SystemError) { try File.write(Array(text.utf8), to: exchange.file) } catch {
            StandardError.say("cannot write \(exchange.file): \(SystemError.text(error.code))")
            throw .io
        }
    }
}

/// Standard output, for output that may be long.
enum StandardOutput {
    /// Writes a string; if that fails, prints the reason on standard error and exits.
    static func write(_ text: String) throws(ExitCode) {
        print(text, terminator: "")
        guard fflush(nil) == 0 else {
            StandardError.say("cannot write to standard output: \(SystemError.text(errno))")
            throw .io
        }
    }
}
