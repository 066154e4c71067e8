internal import ArgumentParser

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
