import BrokerLink
import Foundation
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("An evening of Toastmasters speeches")
struct EveningTests {
    /// A node with the shipped configuration's timers and lamps, which resumes from another node's saved state.
    private func node(number: Int = 0, after other: Scenario? = nil) throws -> Scenario {
        let yaml = try String(contentsOfFile: repositoryFile("config/toastmasters.yaml"), encoding: .utf8)
        let shipped = try load(yaml).configuration
        let passed = other.map { Instant(sinceEpoch: .seconds(1000)).duration(to: $0.now.instant) }
        // Each process chooses different ids for its runs.
        return try Scenario(
            saved: other?.saved.last, savedRuns: other?.savedRuns, after: passed ?? .zero, seed: UInt64(number)
        ) {
            $0.timers = shipped.timers
            $0.signals = shipped.signals
            $0.storage = .init(directory: "/nowhere")
        }
    }

    @Test(
        "ends with the correct report: with one process, after losing the broker, and with restarts",
        arguments: ["goes on", "loses its broker", "is started anew"])
    func report(trouble: String) throws {
        var node = try node()
        for (number, step) in ToastmastersEvening.steps.enumerated() {
            switch step {
            case .send(let verb, let payload):
                #expect(node.send(verb, payload)?["status"] == "ok", "\(verb) \(payload)")
            case .wait(let duration):
                node.wait(duration / 2)
                if trouble == "loses its broker" { node.lose() }
                if trouble == "is started anew" { node = try self.node(number: number, after: node) }
                node.wait(duration - duration / 2)
                if !node.isConnected { node.accept() }
            }
        }
        let report = try RunTests.runs(node).reversed().map(ToastmastersEvening.Row.init)
        #expect(report == ToastmastersEvening.report)
    }
}
