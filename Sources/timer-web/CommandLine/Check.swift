internal import ArgumentParser
internal import LinuxSystem
internal import NodeConfiguration

/// `timer-web check FILE`: reports all faults of a configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say all that is wrong with a configuration file.",
        discussion: """
            Prints each fault and warning with its line, the key, what was found and what was expected. \
            Environment variables (TIMER_WEB_LISTEN) count as they do when the server runs.

              timer-web check /etc/timer-web/timer-web.yaml

            Exits with 0 when the file can be used, with 78 when it has faults, with 74 when it cannot be read.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file = Settings.servicesFile

    func run() throws {
        var options = SettingsOptions()
        options.config = file
        let settings = try options.settings(for: .checking)
        var errors = StandardError()
        for note in settings.notes where note.level == .warning { print(note.text, to: &errors) }
        print("\(file): valid")
    }
}
