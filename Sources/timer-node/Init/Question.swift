internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration

/// A question of `timer-node init`, which sets one of the answers.
struct Question {
    /// The option that sets the answer, such as `--profile`.
    let option: String
    /// The text of the question, on one line.
    let text: String
    /// The default answer; pressing Enter accepts it.
    let offer: String
    /// Stores the user's answer in the answers.
    let put: (_ answer: String, _ answers: inout Answers) throws(InvalidAnswer) -> Void
}

/// Why an answer is rejected.
struct InvalidAnswer: Error, Hashable, CustomStringConvertible {
    let description: String
    /// Whether the answer could be right later or on another machine: a line is busy, or a broker does not answer.
    let isUnavailable: Bool

    init(_ description: String, isUnavailable: Bool = false) {
        self.description = description
        self.isUnavailable = isUnavailable
    }
}

/// Why `timer-node init` fails, and its exit code.
struct InitFailure: Error, CustomStringConvertible {
    let description: String
    let code: ExitCode

    init(_ description: String, _ code: ExitCode) {
        self.description = description
        self.code = code
    }
}

/// The questions, in the order in which they are asked.
extension Question {
    static var profile: Question {
        Question(
            option: "--profile",
            text: "Profile: podium (a talk, then questions), toastmasters (speeches) or rhythm (a talk; lamps blink)",
            offer: "podium"
        ) { answer, answers throws(InvalidAnswer) in
            guard let profile = SignalProfile(rawValue: answer.lowercased()) else {
                throw InvalidAnswer("found \(answer.debugDescription), expected podium, toastmasters or rhythm")
            }
            answers.profile = profile
        }
    }

    static func chip(_ survey: LineSurvey?) -> Question {
        Question(
            option: "--chip",
            text: "Chip: auto (the one that has the named lines), a chip's name, or simulated (drawn lamps)",
            offer: survey?.offeredChip ?? "auto"
        ) { answer, answers throws(InvalidAnswer) in
            try survey?.checkChip(answer)
            answers.chip = answer
        }
    }

    /// The default lines, the same as in the files in `config/`.
    private static let offeredLines = ["green": "GPIO17", "yellow": "GPIO27", "red": "GPIO22", "buzzer": "GPIO18"]

    /// Returns the question for the line of an output.
    ///
    /// - Parameter output: one of ``Answers/outputs``; the buzzer needs no line.
    static func line(of output: OutputName, for profile: SignalProfile, _ survey: LineSurvey?) -> Question {
        let isBuzzer = output == "buzzer"
        return Question(
            option: "--\(output)", text: "Line of \(output)\(isBuzzer ? ", or none" : "")",
            offer: isBuzzer && profile == .toastmasters ? "none" : offeredLines[output] ?? "none"
        ) { answer, answers throws(InvalidAnswer) in
            guard !isBuzzer || answer != "none" else {
                answers.lines[output] = nil
                return
            }
            if let other = Answers.outputs.first(where: { $0 != output && answers.lines[$0] == answer }) {
                throw InvalidAnswer("line \(answer) is already used for \(other)")
            }
            answers.lines[output] = answer
            try survey?.checkLine(of: output, answers)
        }
    }

    static var activeLow: Question {
        Question(
            option: "--active-low",
            text: "Are the lamps on when their lines are low, as on many relay boards? yes or no",
            offer: "no"
        ) { answer, answers throws(InvalidAnswer) in
            switch answer.lowercased() {
            case "y", "yes": answers.activeLow = true
            case "n", "no": answers.activeLow = false
            default: throw InvalidAnswer("found \(answer.debugDescription), expected yes or no")
            }
        }
    }

    static var broker: Question {
        Question(option: "--broker", text: "MQTT broker, or none", offer: "mqtt://127.0.0.1:1883") { answer, answers in
            answers.broker = answer == "none" ? nil : answer
        }
    }

    static var username: Question {
        Question(option: "--username", text: "User name for the broker, or none", offer: "none") { answer, answers in
            answers.username = answer == "none" ? nil : answer
            answers.passwordFile = nil
        }
    }

    /// Returns the question for the password file.
    ///
    /// - Parameter hasPassword: whether the environment contains the password.
    static func passwordFile(hasPassword: Bool) -> Question {
        Question(
            option: "--password-file", text: "File with the password, or none",
            offer: hasPassword ? "none" : Answers.passwordFile
        ) { answer, answers throws(InvalidAnswer) in
            // The check does not show the name of a missing file, because it may be the password itself. The default
            // name is not secret, so this error may show it.
            do throws(FileError) { if answer == Answers.passwordFile { _ = try File.read(answer, upTo: 1) } } catch {
                if error.kind == .missing { throw InvalidAnswer("\(error)") }
            }
            answers.passwordFile = answer == "none" ? nil : answer
        }
    }

    static func id(hostName: String) -> Question {
        Question(
            option: "--id", text: "Id, used in the node's topics: timer/ID/…", offer: Self.offeredID(hostName)
        ) { answer, answers in
            answers.id = answer
        }
    }

    /// Returns the default id of a node, which is derived from the host name.
    private static func offeredID(_ hostName: String) -> String {
        let loaded = try? NodeConfiguration.load(
            yaml: Array("node: {}".utf8), file: "", hostName: hostName, readFile: File.read)
        return loaded?.configuration.node.id ?? Answers().id
    }

    static var name: Question {
        Question(option: "--name", text: "Display name, or none", offer: "none") { answer, answers in
            answers.name = answer == "none" ? nil : answer
        }
    }
}

/// Gets answers: from the options, otherwise in the terminal, otherwise the defaults.
struct Interview {
    /// Where to ask the user; nil to ask nothing, and to use the defaults.
    let terminal: Dialogue?
    /// Checks the answers as a whole, after each one.
    let check: (Answers) throws(InvalidAnswer) -> Void

    /// Gets one answer. After a wrong one, shows the reason in the terminal and asks again.
    ///
    /// - Parameter given: the value of the question's option, if it is set.
    /// - Throws: ``InitFailure`` for a wrong answer if there is no terminal to ask in, or at the end of the input.
    func ask(_ question: Question, given: String?, _ answers: inout Answers) throws(InitFailure) {
        guard given == nil, let terminal else {
            do throws(InvalidAnswer) { try put(given ?? question.offer, for: question, &answers) } catch {
                let code: ExitCode = error.isUnavailable ? .unavailable : .validationFailure
                throw InitFailure("\(question.option): \(error)", code)
            }
            return
        }
        while true {
            let typed = try terminal.ask("\(question.text) [\(question.offer)]: ")
            do throws(InvalidAnswer) {
                try put(typed.isEmpty ? question.offer : typed, for: question, &answers)
                return
            } catch {
                terminal.say("  \(error)\n")
            }
        }
    }

    private func put(_ answer: String, for question: Question, _ answers: inout Answers) throws(InvalidAnswer) {
        var next = answers
        try question.put(answer, &next)
        try check(next)
        answers = next
    }
}

/// A dialogue with the user in a terminal.
struct Dialogue {
    /// Shows a string, without adding a newline.
    let say: (String) -> Void
    /// Waits for a line; nil at the end of the input.
    let readLine: () -> String?

    /// Asks for a line, and returns it without leading and trailing spaces.
    func ask(_ prompt: String) throws(InitFailure) -> String {
        say(prompt)
        guard let line = readLine() else {
            say("\n")
            throw InitFailure("unexpected end of input", .io)
        }
        let start = line.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Asks for a yes or a no; Enter accepts the default.
    func confirm(_ question: String, offer: Bool) throws(InitFailure) -> Bool {
        while true {
            switch try ask("\(question) [\(offer ? "Y/n" : "y/N")]: ").lowercased() {
            case "": return offer
            case "y", "yes": return true
            case "n", "no": return false
            default: say("  answer y or n\n")
            }
        }
    }
}
