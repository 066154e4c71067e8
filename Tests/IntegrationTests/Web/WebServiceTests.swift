import Foundation
import Testing

/// The log of timer-web, and its messages to the service manager.
@Suite("A timer-web as a service", .timeLimit(.minutes(5)))
struct WebServiceTests {
    @Test("feeds the watchdog, but not while the broker's thread hangs")
    func watchdog() throws {
        let (broker, manager) = (try MosquittoBroker(), try NotifySocket())
        let web = try SpawnedWeb(
            broker.url, environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000"])
        let fed = { manager.texts.count { $0 == "WATCHDOG=1" } }
        try waitUntil("ten watchdog messages") { fed() >= 10 }

        // Only the broker's thread calls poll; the server waits with epoll.
        let tracer = try ChildProcess(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-p", "\(web.process.pid)", "-e", "trace=poll", "-e",
                "inject=poll:delay_enter=600s",
            ])
        try waitUntil("the end of the watchdog messages") {
            let before = fed()
            usleep(1_000_000)
            return fed() == before
        }
        #expect(try web.request("GET", "/healthz").status == 200)
        tracer.signal(SIGKILL)
        let before = fed()
        try waitUntil("another watchdog message") { fed() > before }
        #expect(try web.process.terminate() == .exited(0))
        #expect(manager.texts.last == "STOPPING=1")
    }

    @Test("logs when it connects to the broker and loses it")
    func connection() throws {
        let broker = try MosquittoBroker()
        let web = try SpawnedWeb(broker.url)
        try web.process.waitForLine("the connection") { $0.hasSuffix("connected to \(broker.url)") }
        try broker.stop()
        try web.process.waitForLine("the loss") { $0.contains("no connection to \(broker.url): ") }
        try broker.restart()
        try waitUntil("another connection") {
            web.process.read()
            return web.process.errors.count { $0.hasSuffix("connected to \(broker.url)") } == 2
        }
    }

    @Test(
        "logs that users other than its owner may read the PINs, and warns when it prints them",
        arguments: ["644", "620"])
    func openFile(mode: String) throws {
        let broker = try MosquittoBroker()
        let web = try SpawnedWeb(broker.url)
        let text = "\(web.accessFile) is accessible to users other than its owner (mode \(mode))"
        #expect(try web.process.terminate() == .exited(0))
        #expect(try Shell.run("chmod \(mode) \(web.accessFile)").status == 0)
        let another = try web.startAnother()
        try another.waitForLine("the warning") { $0.contains(text) }
        #expect(!web.process.errors.contains { $0.contains("is accessible to users other") })
        let pins = try web.start("pins")
        #expect(try pins.waitForExit() == .exited(0))
        #expect(pins.output.count == 2 && pins.errors.count == 1)
        #expect(pins.errors.first?.contains(text) == true)
        #expect(try another.terminate() == .exited(0))
    }

    @Test("logs a subscription that the broker refuses")
    func refusal() throws {
        let broker = try MosquittoBroker(refusing: ["timer/+/state"])
        let web = try SpawnedWeb(broker.url)
        try web.process.waitForLine("the refusal") { $0.contains("refuses the subscription to timer/+/state") }
    }
}
