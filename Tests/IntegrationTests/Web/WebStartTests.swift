import Testing

/// The start of timer-web where it fails.
@Suite("A timer-web that cannot serve")
struct WebStartTests {
    @Test("ends with 70 where the port is taken, under systemd too", .timeLimit(.minutes(5)))
    func taken() throws {
        let broker = try MosquittoBroker()
        let web = try SpawnedWeb(broker.url)
        #expect(try web.startAnother().waitForExit() == .exited(70))
    }
}
