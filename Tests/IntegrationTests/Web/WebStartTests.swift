import Foundation
import TestSupport
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

/// A network with IPv4 addresses only, such as that of a container.
private enum NetworkWithoutIPv6 {
    static let isPossible = (try? Shell.run("unshare --net true").status) == 0
    static let setup = "ip link set lo up && ip address add 192.0.2.1/32 dev lo && exec \"$0\" \"$@\""
}

@Suite("A timer-web without IPv6", .enabled(if: NetworkWithoutIPv6.isPossible, "needs a network namespace"))
struct WebWithoutIPv6Tests {
    @Test("serves on every address that there is", .timeLimit(.minutes(5)))
    func everyAddress() throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: state) }
        let web = try ChildProcess(
            "unshare",
            [
                "--net", "sh", "-c", NetworkWithoutIPv6.setup, try SpawnedNode.builtProgram("timer-web"), "run",
                "--www", repositoryFile("www"),
            ],
            environment: ["TIMER_WEB_LISTEN": "[::]:8080", "TIMER_WEB_STORAGE_DIRECTORY": state])
        try web.waitForLine("the start of timer-web") { $0.contains("listening on 0.0.0.0:8080") }
        #expect(try web.terminate() == .exited(0))
    }
}
