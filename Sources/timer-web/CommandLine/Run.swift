internal import ArgumentParser
internal import CommandLineSupport
internal import FoundationEssentials
internal import Hummingbird
internal import LinuxSystem
internal import Logging
internal import NodeConfiguration
internal import NodePorts
internal import WebCore

/// `timer-web run`: serves the pages.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the pages.",
        discussion: """
            Without a file, uses the broker of \(Settings.nodeFile), or 127.0.0.1, and listens on port 8080.

              timer-web run
              timer-web run --config timer-web.yaml

            Exits with 78 if the configuration has errors (see check), with 74 if a file cannot be read or the PINs \
            cannot be saved, or with 70 if the system refuses a resource, such as the port.
            """)

    @OptionGroup var options: SettingsOptions

    @Option(help: "The folder with the pages.", completion: .directory)
    var www = Site.installedFolder

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try options.settings()
        DescriptorLimit.raise()
        let file = try options.accessFile(settings, isServer: true)
        let site = try orExit(.io) { () throws(Site.Fault) in try Site(folder: www) }
        let access = try orExit(.io) { () throws(StoreError) in
            try AccessControl(settings.configuration.web, file: file)
        }
        let logger = ServerLog.logger(settings.configuration.log, environment)
        for note in settings.notes { logger.log(level: note.level == .warning ? .warning : .info, "\(note.text)") }
        let live = try orExit(.internal) { () throws(SystemError) in
            try Live(
                settings.mqtt, nodes: settings.configuration.web.nodes, site: SiteReport(settings),
                clientName: "timer-web-\(Host.name)", logger: logger)
        }
        let server = WebServer(
            settings: settings, access: access, site: site, live: live, logger: logger, environment: environment,
            directory: file.directory)
        do {
            try await server.run()
        } catch {
            StandardError.say("cannot serve on \(settings.configuration.web.listen): \(error)")
            throw ExitCode.internal
        }
    }
}

extension SiteReport {
    /// The settings that concern the site.
    init(_ settings: Settings) {
        let web = settings.configuration.web
        self.init(boot: BootClock().boot, version: NodeVersion.current, prefix: settings.mqtt.prefix)
        (publicURL, messages) = (web.publicURL?.description, web.messages)
        views = Dictionary(web.views.map { ($0.name, $0.query) }) { first, _ in first }
    }
}
