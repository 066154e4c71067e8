import Foundation
import NodePorts
import Testing
import TimerEngine

@testable import IoTNode
@testable import LinuxSystem

@Suite("A service manager that is busy")
struct ServiceManagerTests {
    @Test("eventually receives the ready message and the newest status, in order")
    func busy() throws {
        let socket = try NotifySocket()
        let manager = try #require(try ServiceManager(environment: ["NOTIFY_SOCKET": socket.name]))
        let filler = try #require(try ServiceManager(environment: ["NOTIFY_SOCKET": socket.name]))
        // More messages than any queue holds. Those that do not get through wait for room.
        for _ in 0..<5000 { filler.announce(.stopping) }
        let now = Instant(sinceEpoch: .seconds(5))

        manager.announce(.ready)
        for remaining in [3, 2, 1] {
            manager.show(NodeStatus(mode: .final, remaining: remaining, outputs: [:], timer: "Talk"))
        }
        #expect(try #require(manager.nextInstant) <= now, "at once")
        _ = manager.takeEvents(ready: [], at: now)
        #expect(manager.nextInstant == now + .milliseconds(100))
        #expect(!socket.texts.contains("READY=1"))
        _ = manager.takeEvents(ready: [], at: now + .milliseconds(100))
        #expect(socket.texts.filter { $0 != "STOPPING=1" } == ["READY=1", "STATUS=final, 1 left of Talk"])
        #expect(manager.nextInstant == nil)
    }

    @Test("receives a remark with the status, and only the status as soon as the remark no longer applies")
    func remark() throws {
        let socket = try NotifySocket()
        let manager = try #require(try ServiceManager(environment: ["NOTIFY_SOCKET": socket.name]))
        manager.remark = "lamps simulated"
        #expect(socket.texts.isEmpty, "there is no status yet")
        manager.show(NodeStatus(mode: .stopped, remaining: 90, outputs: [:], timer: "Talk"))
        manager.remark = nil
        #expect(
            socket.texts == ["STATUS=stopped, 1:30 left of Talk; lamps simulated", "STATUS=stopped, 1:30 left of Talk"])
    }
}
