internal import FoundationEssentials
internal import NodeConfiguration

/// What a person does after the configuration is written.
struct NextSteps {
    let file: String
    let answers: Answers
    /// Whether the systemd unit is installed.
    let isServiceInstalled: Bool

    /// Whether the unit is where a package, `make install` or an administrator puts it.
    static var isServiceInstalled: Bool {
        ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].contains { folder in
            FileManager.default.fileExists(atPath: "\(folder)/systemd/system/timer-node.service")
        }
    }

    var text: String {
        let start =
            isServiceInstalled && file == NodeConfiguration.servicesFile
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
