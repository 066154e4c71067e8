internal import ArgumentParser
internal import Hummingbird
internal import LinuxSystem

/// `timer-web run`: serves the pages.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the pages.")

    @Option(help: "The folder of the pages.", completion: .directory)
    var www = Site.installedFolder

    func run() async throws {
        let site = try Site(folder: www)
        let router = Router(context: WebContext.self)
        router.add(middleware: AnswerHeaders(frameAncestors: []))
        router.get("/healthz") { _, _ in "ok" }
        router.addSite(site)
        try await Application(
            responder: PathResponder(basePath: "/", next: router.buildResponder()),
            configuration: .init(address: .hostname("127.0.0.1", port: 8080))
        ).runService()
    }
}
