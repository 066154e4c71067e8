internal import BrokerLink
internal import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration

/// The questions in the order in which they are asked.
extension Question {
    static var profile: Question {
        Question(
            option: "--profile", text: "Profile: podium (a talk, then questions) or toastmasters (speeches)",
            offer: "podium"
        ) { answer, answers throws(WrongAnswer) in
            guard let profile = SignalProfile(rawValue: answer.lowercased()) else {
                throw WrongAnswer("found \(answer.debugDescription), expected podium or toastmasters")
            }
            answers.profile = profile
        }
    }

    static func chip(_ survey: LineSurvey?) -> Question {
        Question(
            option: "--chip",
            text: "Chip: auto (the one that has the lines, by their names), a chip's name, or simulated (drawn lamps)",
            offer: survey?.offeredChip ?? "auto"
        ) { answer, answers throws(WrongAnswer) in
            try survey?.checkChip(answer)
            answers.chip = answer
        }
    }

    /// The lines that `config/` has.
    private static let offeredLines = ["green": "GPIO17", "yellow": "GPIO27", "red": "GPIO22", "buzzer": "GPIO18"]

    /// - Parameter output: one of ``Answers/outputs``; the buzzer may do without a line.
    static func line(of output: OutputName, for profile: SignalProfile, _ survey: LineSurvey?) -> Question {
        let isBuzzer = output == "buzzer"
        return Question(
            option: "--\(output)", text: "Line of \(output)\(isBuzzer ? ", or none" : "")",
            offer: isBuzzer && profile == .toastmasters ? "none" : offeredLines[output] ?? "none"
        ) { answer, answers throws(WrongAnswer) in
            guard !isBuzzer || answer != "none" else {
                answers.lines[output] = nil
                return
            }
            if let other = Answers.outputs.first(where: { $0 != output && answers.lines[$0] == answer }) {
                throw WrongAnswer("line \(answer) is the line of \(other) already")
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
        ) { answer, answers throws(WrongAnswer) in
            switch answer.lowercased() {
            case "y", "yes": answers.activeLow = true
            case "n", "no": answers.activeLow = false
            default: throw WrongAnswer("found \(answer.debugDescription), expected yes or no")
            }
        }
    }

    static var broker: Question {
        Question(option: "--broker", text: "MQTT broker, or none", offer: "mqtt://127.0.0.1:1883") { answer, answers in
            answers.broker = answer == "none" ? nil : answer
        }
    }

    static var username: Question {
        Question(option: "--username", text: "User name at the broker, or none", offer: "none") { answer, answers in
            answers.username = answer == "none" ? nil : answer
            answers.passwordFile = nil
        }
    }

    /// - Parameter hasPassword: whether the environment has the password.
    static func passwordFile(hasPassword: Bool) -> Question {
        Question(
            option: "--password-file", text: "File with the password, or none",
            offer: hasPassword ? "none" : Answers.passwordFile
        ) { answer, answers throws(WrongAnswer) in
            // The check does not show a name that no file has, because it may be the password. This one is not.
            do throws(FileError) { if answer == Answers.passwordFile { _ = try File.read(answer, upTo: 1) } } catch {
                if error.kind == .missing { throw WrongAnswer("\(error)") }
            }
            answers.passwordFile = answer == "none" ? nil : answer
        }
    }

    static func id(hostName: String) -> Question {
        Question(
            option: "--id", text: "Id, which is in the node's topics: timer/ID/…", offer: Self.offeredID(hostName)
        ) { answer, answers in
            answers.id = answer
        }
    }

    /// The id of a node without one, which is made from the host's name.
    private static func offeredID(_ hostName: String) -> String {
        let loaded = try? NodeConfiguration.load(
            yaml: Array("node: {}".utf8), file: "", hostName: hostName, readFile: File.read)
        return loaded?.configuration.node.id ?? Answers().id
    }

    static var name: Question {
        Question(option: "--name", text: "Name for people, or none", offer: "none") { answer, answers in
            answers.name = answer == "none" ? nil : answer
        }
    }
}
