internal import ArgumentParser
internal import Hummingbird

/// `timer-web run`: serves the pages.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the pages.")

    func run() async throws {
        let router = Router(context: WebContext.self)
        router.get("/healthz") { _, _ in "ok" }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8080))
        ).runService()
    }
}
