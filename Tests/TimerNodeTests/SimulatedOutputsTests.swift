import Foundation
import NodeConfiguration
import NodePorts
import Synchronization
import Testing
import TimerEngine

@testable import IoTNode
@testable import timer_node

@Suite("A simulated stoplight")
struct SimulatedOutputsTests {
    private func status(_ mode: Mode, _ remaining: Int, _ lit: OutputName...) -> NodeStatus {
        NodeStatus(
            mode: mode, remaining: remaining,
            outputs: Dictionary(
                uniqueKeysWithValues: ["green", "yellow", "red", "buzzer"].map { ($0, lit.contains($0)) }),
            timer: "Talk")
    }

    @Test("without a terminal, prints a line for each change, but not for each second")
    func lines() throws {
        var text = ""
        let stoplight = SimulatedOutputs(isTerminal: false) {
            text += $0
            return true
        }
        try stoplight.acquire([:])
        stoplight.show(status(.stopped, 90))
        stoplight.show(status(.countdown, 90, "green"))
        stoplight.show(status(.countdown, 89, "green"))
        stoplight.show(status(.alarm, 0, "red", "buzzer"))
        stoplight.release()
        #expect(
            text == """
                dark  (stopped, 1:30 left)
                green  (countdown, 1:30 left)
                red + buzzer  (alarm, 0 left)
                dark

                """)
    }

    @Test("on a terminal, draws three lamps in place, with the time beside them")
    func picture() throws {
        var frames: [String] = []
        let stoplight = SimulatedOutputs(isTerminal: true) {
            frames.append($0)
            return true
        }
        stoplight.show(status(.warning, 65, "yellow"))
        stoplight.show(status(.final, 9, "red", "buzzer"))
        let plain = frames.map { $0.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").replacing("\r", with: "") }
        #expect(
            plain == [
                "  ╭───╮\n  │ ○ │  Talk\n  │ ● │  1:05  warning\n  │ ○ │  \n  ╰───╯\n",
                "  ╭───╮\n  │ ● │  Talk\n  │ ○ │  9  final\n  │ ○ │  ♪ buzzer\n  ╰───╯\n",
            ])
        #expect(frames[0].contains("\u{1B}[93m●") && frames[1].contains("\u{1B}[91m●"))
        #expect(frames[1].hasPrefix("\u{1B}[5A"), "drawn over the previous one")
    }

    @Test("makes up for a dropped drawing with the next one, and does not move over rows that it has not drawn")
    func leftOut() {
        for isTerminal in [false, true] {
            var hasRoom = false
            var drawn: [String] = []
            let stoplight = SimulatedOutputs(isTerminal: isTerminal) {
                if hasRoom { drawn.append($0) }
                return hasRoom
            }
            stoplight.show(status(.countdown, 90, "green"))
            hasRoom = true
            stoplight.show(status(.countdown, 89, "green"))
            #expect(drawn.count == 1 && !drawn[0].contains("\u{1B}[5A"), "terminal: \(isTerminal)")
        }
    }

    @Test("is not blocked by an output that is not read")
    func stuckOutput() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let output = ends[1]
        // On a separate thread, because the test itself must not hang.
        let isDone = Mutex(false)
        Thread.detachNewThread {
            let stoplight = SimulatedOutputs(descriptor: output)
            for second in 0..<20_000 { stoplight.show(status(second % 2 == 0 ? .countdown : .warning, second)) }
            isDone.withLock { $0 = true }
        }
        let end = ContinuousClock.now + .seconds(30)
        while !isDone.withLock({ $0 }), ContinuousClock.now < end { usleep(10_000) }
        #expect(isDone.withLock { $0 })
        ends.forEach { close($0) }
    }
}
