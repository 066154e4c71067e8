import Testing

/// Failed starts of timer-web.
@Suite("A timer-web that cannot serve")
struct WebStartTests {
    @Test("exits with 70 if the port is taken, even under systemd", .timeLimit(.minutes(5)))
    func taken() throws {
        let broker = try MosquittoBroker()
        let web = try SpawnedWeb(broker.url)
        #expect(try web.startAnother().waitForExit() == .exited(70))
    }
}
