package import ArgumentParser
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration

/// `timer-node health` and `timer-web health`: whether the program that runs beside this command is alive.
package struct Health: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Wait for a sign of life from a program that runs in the same container.",
        discussion: """
            For containers, which have no systemd to watch the program. The program sends its signs of life to \
            NOTIFY_SOCKET, twice in the time that WATCHDOG_USEC sets. This command needs the same NOTIFY_SOCKET. Waits \
            for at most ten seconds. The images run this as their health check.

              timer-node health
              timer-web health

            Exits with 69 if no sign of life came, with 64 if NOTIFY_SOCKET is not a path, or with 74 if no socket can \
            be made there.
            """)

    package init() {}

    package func run() throws {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], path.hasPrefix("/") else {
            throw ValidationError("found no NOTIFY_SOCKET in the environment, expected a path such as /tmp/notify")
        }
        let socket = try orExit(.io) { () throws(SystemError) in try NotificationSocket(path: path) }
        guard socket.receive("WATCHDOG=1", within: .seconds(10)) else {
            StandardError.say("no sign of life at \(path) in 10 s")
            throw ExitCode.unavailable
        }
    }
}
