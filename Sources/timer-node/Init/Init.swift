internal import ArgumentParser
internal import CommandLineSupport
internal import FoundationEssentials
internal import GPIO
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts

/// `timer-node init`: from an installed package to the first light.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask what a node needs to know, and write its configuration.",
        discussion: """
            Asks in the terminal for what no option answers: the profile with its timers, the lines, the broker and the \
            id. Looks whether the lines are free and tries the broker. Writes the file with comments, checks it, offers \
            a lamp test, and says how to start the node. An existing file is replaced only after a question, or with \
            --force, and is kept as FILE.bak.

            Without a terminal give all of --profile, --chip, --green, --yellow, --red, --buzzer, --broker and --id, or \
            --yes. No password is asked for or written: put it into /etc/credstore/timer-node.mqtt-password, where \
            systemd takes it from, or into the file of --password-file.

              sudo timer-node init
              sudo timer-node init --force --yes --profile toastmasters
              timer-node init --chip simulated --profile podium --broker none --id desk desk.yaml

            Exits with 64 for a wrong or a missing answer, with 69 when a line is busy or missing or the broker does \
            not let it in, with 74 when the file cannot be written, with 78 when the file does not pass the check.
            """)

    @Argument(help: "The configuration file to write.", completion: .file(extensions: ["yaml", "yml"]))
    var file = NodeConfiguration.servicesFile

    @OptionGroup var given: GivenAnswers

    @Flag(help: "Replace an existing file without a question; it is kept as FILE.bak.")
    var force = false

    @Flag(name: .shortAndLong, help: "Ask nothing: take what is offered for all that has no option.")
    var yes = false

    @Flag(name: .customLong("try"), inversion: .prefixedNo, help: "Look at the lines, and try the broker.")
    var tries = true

    @Flag(
        inversion: .prefixedNo,
        help: "Switch on each lamp for a second in the end; without a terminal only if this asks for it.")
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
                "there is no terminal to ask in: give \(given.missing.joined(separator: ", ")), or --yes",
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
            guard try terminal.confirm(question, offer: false) else { return print("\(file) is left as it is") }
        }

        let answers = try session.ask()
        try target.write(answers.text, replaces: replaces)
        if replaces { print("the old file is \(target.backup)") }
        try Check.parse(["--", file]).run()
        let outcome = Result { try testLamps(answers, survey, asking: terminal) }
        print(NextSteps(file: file, answers: answers, isServiceInstalled: NextSteps.isServiceInstalled).text)
        try outcome.get()
    }

    /// Offers the lamp test, where there are lamps to test, or does it where an option asks for it.
    private func testLamps(_ answers: Answers, _ survey: LineSurvey?, asking terminal: Dialogue?) throws {
        guard lampTest ?? (survey != nil && answers.chip != Answers.simulatedChip) else { return }
        if let held = survey?.heldByNode(answers), !held.isEmpty {
            let lines = held.joined(separator: ", ")
            let test = "sudo systemctl stop timer-node, then timer-node lamp-test --config \(file)"
            let reason = "a node that runs holds \(lines), so there is no lamp test now; for one: \(test)"
            if lampTest == true { throw InitFailure(reason, .unavailable) }
            return print(reason)
        }
        // Nobody looks at the lamps where nobody is asked. The file is written, so the end of the input is a no.
        let isWanted = lampTest ?? (try? terminal?.confirm("Switch on each lamp for a second?", offer: true)) ?? false
        if isWanted { try LampTest.parse(["--config=\(file)"]).run() }
    }
}

/// The answers of `timer-node init` that are given as options. What they mean is up to each ``Question``.
struct GivenAnswers: ParsableArguments {
    @Option(help: "What it is for: podium or toastmasters.")
    var profile: String?

    @Option(help: "Where the lines are: auto, a chip's path, name or label, or simulated for drawn lamps.")
    var chip: String?

    @Option(help: "The green lamp's line: a name such as GPIO17, or with a chip's name an offset such as 17.")
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

    @Option(help: "The user name at the broker, or none.")
    var username: String?

    @Option(help: "A file with the password for the broker, or none.", completion: .file())
    var passwordFile: String?

    @Option(help: "The node's id, which is in its topics; no other node of the broker may have it.")
    var id: String?

    @Option(help: "The node's name for people, or none.")
    var name: String?
}

extension GivenAnswers {
    /// The options that are missing where nobody can be asked. The others have an absence that means something: lamps
    /// that are on when their lines are high, and no name, user name or password.
    var missing: [String] {
        let lines = [("--green", green), ("--yellow", yellow), ("--red", red), ("--buzzer", buzzer)]
        let needed =
            [("--profile", profile), ("--chip", chip)] + (chip == Answers.simulatedChip ? [] : lines)
            + [("--broker", broker), ("--id", id)]
        return needed.filter { $0.1 == nil }.map(\.0)
    }

    /// Options that cannot go together; nil if all can.
    var conflict: String? {
        let lines = [green, yellow, red, buzzer].contains { $0 != nil } || activeLow == true
        if chip == Answers.simulatedChip, lines { return "--chip simulated has no lines" }
        if broker == "none", [username, passwordFile].contains(where: { $0 != nil && $0 != "none" }) {
            return "--broker none has no user name and no password"
        }
        if username == "none", passwordFile != nil, passwordFile != "none" {
            return "--password-file needs a --username"
        }
        return nil
    }

    /// The line of an output.
    func line(of output: String) -> String? {
        switch output {
        case "green": green
        case "yellow": yellow
        case "red": red
        default: buzzer
        }
    }
}
