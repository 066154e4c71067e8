internal import BrokerLink
internal import BrokerSession
internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerEngine

/// Asks the questions in order, and tries the lines and the broker that the answers name.
struct InitSession {
    /// Where the configuration will be written.
    let file: String
    let given: AnswerOptions
    /// Nil if neither the lines nor the broker should be tried.
    let survey: LineSurvey?
    /// Where to ask the user; nil to ask nothing.
    let terminal: Dialogue?

    private var environment: [String: String] { ProcessInfo.processInfo.environment }

    private var interview: Interview {
        Interview(terminal: terminal) { [file] answers throws(InvalidAnswer) in
            _ = try answers.load(file: file, readFile: File.read)
        }
    }

    /// Gets all answers.
    func ask() throws(InitFailure) -> Answers {
        var answers = Answers()
        try interview.ask(.profile, given: given.profile, &answers)
        try askLines(&answers)
        try askBroker(&answers)
        try interview.ask(.id(hostName: Host.name), given: given.id, &answers)
        try interview.ask(.name, given: given.name, &answers)
        return answers
    }

    private func askLines(_ answers: inout Answers) throws(InitFailure) {
        if given.chip == nil { terminal?.say(survey?.summary ?? "") }
        try interview.ask(.chip(survey), given: given.chip, &answers)
        guard answers.chip != Answers.simulatedChip else { return }
        for output in Answers.outputs {
            let question = Question.line(of: output, for: answers.profile, survey)
            try interview.ask(question, given: given.line(of: output), &answers)
        }
        let activeLow = given.activeLow.map { $0 ? "yes" : "no" }
        try interview.ask(.activeLow, given: activeLow, &answers)
        if let held = survey?.heldByNode(answers), !held.isEmpty {
            print("  a running node holds \(held.joined(separator: ", ")) now, which is fine")
        }
    }

    /// Asks for the broker until one accepts the connection, or the user wants to use it anyway.
    private func askBroker(_ answers: inout Answers) throws(InitFailure) {
        var given = given
        while true {
            try interview.ask(.broker, given: given.broker, &answers)
            guard answers.broker != nil else { return }
            try interview.ask(.username, given: given.username, &answers)
            if answers.username != nil { try askPassword(given.passwordFile, &answers) }
            guard survey != nil, let problem = problemWithBroker(answers) else { return }
            guard let terminal else {
                throw InitFailure("--broker: \(problem) (--no-try writes the file anyway)", .unavailable)
            }
            terminal.say("  \(problem)\n")
            if try terminal.confirm("Use this broker anyway?", offer: false) { return }
            (given.broker, given.username, given.passwordFile) = (nil, nil, nil)
        }
    }

    private func askPassword(_ given: String?, _ answers: inout Answers) throws(InitFailure) {
        let hasPassword = environment[Answers.passwordVariable] != nil
        if given == nil, !hasPassword {
            terminal?.say(
                """
                  The password is not written into the configuration. If its file does not exist yet, run this in
                  another terminal, and type the password, Enter and Ctrl-D:
                    sudo install -D -m 600 /dev/stdin \(Answers.passwordFile)

                """)
        }
        try interview.ask(.passwordFile(hasPassword: hasPassword), given: given, &answers)
    }

    /// Why the broker cannot be used; nil if it can.
    private func problemWithBroker(_ answers: Answers) -> InvalidAnswer? {
        do throws(InvalidAnswer) {
            let configuration = try answers.load(file: file, environment: environment, readFile: File.read)
            guard let mqtt = configuration.mqtt, let broker = mqtt.link.brokers.first else { return nil }
            print("  trying \(broker) …")
            fflush(nil)
            try BrokerTrial.run(mqtt)
            print("  the broker answered")
            return nil
        } catch {
            return error
        }
    }
}

extension Dialogue {
    /// The terminal of this process; nil if standard input or standard output is not a terminal.
    static var terminal: Dialogue? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        return Dialogue(
            say: {
                print($0, terminator: "")
                // A question does not end with a newline, which would flush it.
                fflush(nil)
            }, readLine: { Swift.readLine() })
    }
}

/// Tries a broker with a real connection, like the node's except for the client id.
enum BrokerTrial {
    /// How long a broker may take to answer.
    static let timeout: Duration = .seconds(10)

    /// Connects and disconnects.
    ///
    /// - Throws: the reason for the failure, and what may help.
    static func run(_ mqtt: NodeConfiguration.MQTT) throws(InvalidAnswer) {
        let session = ClientSession(mqtt, kinds: [])
        defer { session.leave() }
        if (try? session.connect(within: timeout)) != nil { return }
        let reason = session.fault ?? "\(session.broker) did not answer within \(timeout.components.seconds) s"
        let hint = hint(for: reason, from: session.broker, hasUsername: mqtt.link.credentials != nil)
        throw InvalidAnswer(reason + (hint.map { "; \($0)" } ?? ""), isUnavailable: true)
    }

    /// Returns advice about a failure; nil if there is nothing to advise.
    static func hint(for reason: String, from broker: Broker, hasUsername: Bool) -> String? {
        if reason.contains("refused the connection") {
            return hasUsername ? "are the user name and the password right?" : "it may need a user name and a password"
        }
        let isHere = broker.host == "localhost" || broker.host.hasPrefix("127.") || broker.host == "::1"
        if isHere, reason.contains(": cannot connect") {
            return "if no broker is installed here: sudo apt install mosquitto"
        }
        return reason.contains(": cannot resolve") ? "is the host name right?" : nil
    }
}

/// What the user does after the configuration has been written.
struct NextSteps {
    let file: String
    let answers: Answers
    /// Whether the systemd unit is installed.
    let isServiceInstalled: Bool

    /// Whether systemd runs, which it does not in a container, and the unit is where a package, `make install` or an
    /// administrator puts it.
    static var isServiceInstalled: Bool {
        guard FileManager.default.fileExists(atPath: "/run/systemd/system") else { return false }
        return ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].contains { folder in
            FileManager.default.fileExists(atPath: "\(folder)/systemd/system/timer-node.service")
        }
    }

    var text: String {
        let start =
            isServiceInstalled && file == NodeConfiguration.serviceFile
            ? "sudo systemctl enable timer-node      # at each boot\n  sudo systemctl restart timer-node     # and now"
            : "timer-node run --config \(file)"
        guard answers.broker != nil else { return "To start it:\n  \(start)" }
        return """
            To start it:
              \(start)
            Then, to see it and to start the timer:
              timer-node watch \(answers.id)
              timer-node send \(answers.id) start
            """
    }
}
