import BrokerLink
import Foundation
import NodePorts
import Synchronization
import Testing
import TimerEngine

@testable import LinuxSystem

@Suite("A health check")
struct NotificationSocketTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "health-\(UUID().uuidString)").path

    private func socket() throws -> NotificationSocket { try NotificationSocket(path: path) }

    private func program(_ watchdog: String?) throws -> ServiceManager {
        var environment = ["NOTIFY_SOCKET": path]
        environment["WATCHDOG_USEC"] = watchdog
        return try #require(try ServiceManager(environment: environment))
    }

    @Test("passes when the program feeds its watchdog, whatever else it sends")
    func alive() throws {
        let socket = try socket()
        let program = try program("2000000")
        program.announce(.ready)
        _ = program.takeEvents(ready: [], at: Instant(sinceEpoch: .zero))
        #expect(socket.receive("WATCHDOG=1", within: .seconds(60)))
    }

    @Test("fails when the program sends something else only, or nothing")
    func dead() throws {
        let socket = try socket()
        #expect(!socket.receive("WATCHDOG=1", within: .milliseconds(1)))
        let program = try program(nil)
        program.announce(.ready)
        _ = program.takeEvents(ready: [], at: Instant(sinceEpoch: .zero))
        #expect(!socket.receive("WATCHDOG=1", within: .milliseconds(50)))
    }

    @Test("replaces the socket that a killed one left, and leaves none")
    func killed() throws {
        try Data().write(to: URL(filePath: path))
        _ = try socket()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("waits while another one is running, so that neither misses the sign of life")
    func two() throws {
        var first: NotificationSocket? = try socket()
        let isAlive = Mutex<Bool?>(nil)
        Thread.detachNewThread { [path] in
            let second = try? NotificationSocket(path: path)
            let answer = second?.receive("WATCHDOG=1", within: .seconds(60)) ?? false
            isAlive.withLock { $0 = answer }
        }
        let program = try program("2000000")
        var now = Instant(sinceEpoch: .zero)
        _ = program.takeEvents(ready: [], at: now)
        #expect(first?.receive("WATCHDOG=1", within: .seconds(60)) == true)
        first = nil
        // Ends after 60 s at the latest.
        while isAlive.withLock({ $0 }) == nil {
            now = now + .seconds(1)
            _ = program.takeEvents(ready: [], at: now)
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(isAlive.withLock { $0 } == true)
    }

    @Test(
        "says why there can be no socket",
        arguments: ["relative", "/nowhere/notify", "/" + String(repeating: "x", count: 200)])
    func impossible(path: String) {
        #expect(throws: SystemError.self) { _ = try NotificationSocket(path: path) }
    }
}
