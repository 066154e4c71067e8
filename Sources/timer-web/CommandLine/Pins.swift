internal import ArgumentParser
internal import CommandLineSupport
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import TimerProtocol
internal import WebCore

/// `timer-web pins`: prints the PINs, or makes new ones.
struct Pins: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the PINs.",
        discussion: """
            A line for each role that needs a PIN: the role and the PIN. There are PINs from the first start on; if the \
            server has not been started yet, they are made now. Those of the service only root can see:

              sudo timer-web pins
              sudo timer-web pins --new

            New PINs log everybody out at once, while the server runs.
            """)

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Make new PINs, which logs everybody out.")
    var new = false

    func run() throws {
        let settings = try options.settings(for: .checking)
        let file = try options.accessFile(settings)
        let document = try orExit(.io) { () throws(StoreError) in
            new ? try file.renewPINs() : try file.load()
        }
        if let warning = file.warning { StandardError.say(warning) }
        for role in Role.allCases where settings.configuration.web.needsPIN(role) {
            // In a column, however long the role's name is.
            let name = role.rawValue + String(repeating: " ", count: 10 - role.rawValue.count)
            print(name + (document.pins[role] ?? ""))
        }
    }
}
