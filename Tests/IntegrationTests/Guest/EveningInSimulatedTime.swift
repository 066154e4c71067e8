import Foundation
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine
import TimerProtocol

extension InSimulatedTime {
    @Suite("An evening of Toastmasters speeches")
    struct EveningInSimulatedTime {
        @Test("ends with the correct report, with the shipped timers and a node that is killed during a speech")
        func report() throws {
            let broker = try QuietBroker()
            let shipped = try String(contentsOfFile: repositoryFile("config/toastmasters.yaml"), encoding: .utf8)
            // The sections signals and timers come before the section storage.
            let profile = try #require(shipped.firstMatch(of: /(?ms)^signals:.*?(?=^storage:)/)).output
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)], protocol: 3.1.1, keepalive: 1h}
                \(profile)
                storage: {directory: FOLDER/state}
                """)
            try broker.waitForSubscription()
            for (number, step) in ToastmastersEvening.steps.enumerated() {
                switch step {
                case .send(let verb, let payload): try broker.send(verb, payload)
                case .wait(let duration):
                    let end = bootTime() + duration
                    if number == 13 {
                        try broker.serve(until: bootTime() + duration / 2)
                        try #require(try node.process.terminate(by: SIGKILL) == .signalled(SIGKILL))
                        try node.restart()
                        try broker.waitForSubscription()
                    }
                    try broker.serve(until: end)
                }
            }
            try broker.serve(until: bootTime() + .seconds(1))
            let answers = broker.messages.filter { $0.topic == "response" }
            #expect(answers.count == ToastmastersEvening.steps.count { if case .send = $0 { true } else { false } })
            #expect(answers.allSatisfy { $0.payload.contains(#""status":"ok""#) })
            let runs = try #require(broker.messages.last { $0.topic == "runs" }).payload
            let report = try RunsMessage(Array(runs.utf8)).runs.reversed().map { ToastmastersEvening.Row($0) }
            #expect(ToastmastersEvening.rounded(report) == ToastmastersEvening.report)
        }
    }
}
