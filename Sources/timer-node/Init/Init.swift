internal import ArgumentParser
internal import CommandLineSupport
internal import FoundationEssentials
internal import GPIO
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts

/// `timer-node init`: asks for the settings of a node, and writes its configuration.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask for the settings of a node, and write its configuration.",
        discussion: """
            Asks in the terminal for everything that no option sets: the profile with its timers, the lines, the \
            broker and the id. Checks that the lines are free, and tries the broker. Writes the file with comments, \
            checks it, offers a lamp test, and shows how to start the node. Replaces an existing file only after \
            asking, or with --force, and keeps it as FILE.bak.

            Without a terminal, use all of --profile, --chip, --green, --yellow, --red, --buzzer, --broker and --id, \
            or --yes. Passwords are neither asked for nor written: put the password into \
            /etc/credstore/timer-node.mqtt-password, where systemd finds it, or into the --password-file file.

              sudo timer-node init
              sudo timer-node init --force --yes --profile toastmasters
              timer-node init --chip simulated --profile podium --broker none --id desk desk.yaml

            Exits with 64 if an answer is wrong or missing, with 69 if a line is busy or missing or the broker cannot \
            be used, with 74 if the file cannot be written, or with 78 if the file does not pass the check.
            """)

    @Argument(help: "The configuration file to write.", completion: .file(extensions: ["yaml", "yml"]))
    var file = NodeConfiguration.serviceFile

    @OptionGroup var given: AnswerOptions

    @Flag(help: "Replace an existing file without asking; it is kept as FILE.bak.")
    var force = false

    @Flag(name: .shortAndLong, help: "Do not ask: use the defaults for everything that no option sets.")
    var yes = false

    @Flag(name: .customLong("try"), inversion: .prefixedNo, help: "Check the lines, and try the broker.")
    var tries = true

    @Flag(
        inversion: .prefixedNo,
        help: "At the end, switch on each lamp for a second; without a terminal, only with this option.")
    var lampTest: Bool?

    func validate() throws {
        if let conflict = given.conflict { throw ValidationError(conflict) }
    }

    func run() throws {
        do {
            try writeConfiguration()
        } catch let failure as InitFailure {
            StandardError.say(failure)
            throw failure.code
        }
    }

    private func writeConfiguration() throws {
        let terminal = yes ? nil : Dialogue.terminal
        if terminal == nil, !yes, !given.missing.isEmpty {
            throw InitFailure(
                "cannot ask questions without a terminal: give \(given.missing.joined(separator: ", ")), or --yes",
                .validationFailure)
        }
        let target = NewConfigurationFile(path: file)
        try target.checkPermission()
        let survey = tries ? LineSurvey { chip throws(LinesFault) in try GPIOChipListing.find(chip: chip) } : nil
        let session = InitSession(file: file, given: given, survey: survey, terminal: terminal)
        let replaces = target.exists
        if replaces, !force {
            let question = "\(file) exists. Replace it, and keep the old one as \(target.backup)?"
            guard let terminal else { throw InitFailure("\(file) exists: --force replaces it", .validationFailure) }
            guard try terminal.confirm(question, offer: false) else { return print("\(file) is unchanged") }
        }

        let answers = try session.ask()
        try target.write(answers.text, replaces: replaces)
        if replaces { print("the old file is kept as \(target.backup)") }
        try Check.parse(["--", file]).run()
        // A dialogue has shown it already.
        if terminal == nil, given.chip == nil, answers.chip == Answers.simulatedChip {
            print("the lamps are simulated: no GPIO chip here has the usual lines")
        }
        let outcome = Result { try testLamps(answers, survey, asking: terminal) }
        print(NextSteps(file: file, answers: answers, isServiceInstalled: NextSteps.isServiceInstalled).text)
        try outcome.get()
    }

    /// Offers the lamp test if there are lamps to test; runs it without asking if an option requests it.
    private func testLamps(_ answers: Answers, _ survey: LineSurvey?, asking terminal: Dialogue?) throws {
        guard lampTest ?? (survey != nil && answers.chip != Answers.simulatedChip) else { return }
        if let held = survey?.heldByNode(answers), !held.isEmpty {
            let lines = held.joined(separator: ", ")
            let test = "sudo systemctl stop timer-node, then timer-node lamp-test --config \(file)"
            let reason = "a running node holds \(lines), so the lamp test was skipped; to run it: \(test)"
            if lampTest == true { throw InitFailure(reason, .unavailable) }
            return print(reason)
        }
        // Without a terminal, no person is watching the lamps. The file is written, so the end of the input means no.
        let isWanted = lampTest ?? (try? terminal?.confirm("Switch on each lamp for a second?", offer: true)) ?? false
        if isWanted { try LampTest.parse(["--config=\(file)"]).run() }
    }
}

/// The answers that are given to `timer-node init` as options. Each ``Question`` interprets its own.
struct AnswerOptions: ParsableArguments {
    @Option(help: "What the node is for: podium, toastmasters or rhythm.")
    var profile: String?

    @Option(help: "The GPIO chip: its path, name or label, auto to find it, or simulated to draw the lamps.")
    var chip: String?

    @Option(help: "The green lamp's line: a name such as GPIO17 or, if --chip names a chip, an offset such as 17.")
    var green: String?

    @Option(help: "The yellow lamp's line.")
    var yellow: String?

    @Option(help: "The red lamp's line.")
    var red: String?

    @Option(help: "The buzzer's line, or none.")
    var buzzer: String?

    @Flag(inversion: .prefixedNo, help: "Whether the lamps are on when their lines are low.")
    var activeLow: Bool?

    @Option(help: "The broker's URL, such as mqtt://127.0.0.1:1883, or none.")
    var broker: String?

    @Option(help: "The user name for the broker, or none.")
    var username: String?

    @Option(help: "A file with the password for the broker, or none.", completion: .file())
    var passwordFile: String?

    @Option(help: "The node's id, used in its topics; it must be unique on the broker.")
    var id: String?

    @Option(help: "The node's display name, or none.")
    var name: String?
}

extension AnswerOptions {
    /// The required options that were not given, an error if there is no terminal to prompt on. The other options have defaults: lamps
    /// that are on when their lines are high, and no name, user name or password.
    var missing: [String] {
        let lines = [("--green", green), ("--yellow", yellow), ("--red", red), ("--buzzer", buzzer)]
        let needed =
            [("--profile", profile), ("--chip", chip)] + (chip == Answers.simulatedChip ? [] : lines)
            + [("--broker", broker), ("--id", id)]
        return needed.filter { $0.1 == nil }.map(\.0)
    }

    /// Why the options cannot be used together; nil if they can.
    var conflict: String? {
        let lines = [green, yellow, red, buzzer].contains { $0 != nil } || activeLow == true
        if chip == Answers.simulatedChip, lines { return "--chip simulated has no lines" }
        if broker == "none", [username, passwordFile].contains(where: { $0 != nil && $0 != "none" }) {
            return "--broker none takes no user name or password"
        }
        if username == "none", passwordFile != nil, passwordFile != "none" {
            return "--password-file needs a --username"
        }
        return nil
    }

    /// Returns the line of an output.
    func line(of output: String) -> String? {
        switch output {
        case "green": green
        case "yellow": yellow
        case "red": red
        default: buzzer
        }
    }
}
