import BrokerLink
import FoundationEssentials
import LinuxSystem
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing

@testable import NodeTape

/// Evenings as an earlier version of the program recorded them. A change of what the node decides fails here; if it is
/// meant, `TAPES=write` records them again.
@Suite("The evenings that were recorded")
struct KeptTapeTests {
    enum Evening: String, CaseIterable {
        case calm
        case lost = "loses-its-broker"
    }

    @Test("replay without a difference", arguments: Evening.allCases)
    func evenings(evening: Evening) throws {
        let path = repositoryFile("Tests/saved/tapes/\(evening.rawValue).tape")
        if ProcessInfo.processInfo.environment["TAPES"] == "write" {
            try File.write(try record(evening).bytes, to: path)
        }
        let tape = try Tape([try File.read(path, upTo: 1 << 24)])
        let replay = try Replay(tape) { (taped) throws(ConfigurationError) in
            try load(String(decoding: taped.text, as: UTF8.self)).configuration
        }
        #expect(replay.differences.isEmpty, "\(replay.text(prefix: "timer/lectern/"))")
        #expect(replay.compared > 300)
    }

    /// Plays the beginning of an evening of Toastmasters speeches.
    private func record(_ evening: Evening) throws -> Tape {
        // Without ticks and buttons; otherwise the files would be several times as large.
        let yaml = """
            node: {id: lectern}
            mqtt: {brokers: ["mqtt://broker.test"], tick_every: 0, health_interval: 0, discovery: {style: none}}
            storage: {directory: /nowhere}

            """
        let shipped = try String(
            decoding: File.read(repositoryFile("config/toastmasters.yaml"), upTo: 1 << 20), as: UTF8.self)
        let timers = shipped.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("timers:") }.prefix {
                $0.hasPrefix("timers:") || $0.first.map { " #".contains($0) } ?? true
            }
        let text = yaml + timers.joined(separator: "\n") + "\n"
        let configuration = try load(text).configuration
        let memory = MemoryTape()
        var node = try Scenario(tape: memory) { $0 = configuration }
        for step in ToastmastersEvening.steps.prefix(16) {
            switch step {
            case .send(let verb, let payload): node.send(verb, payload)
            case .wait(let duration):
                node.wait(duration / 2)
                if evening == .lost { node.lose() }
                node.wait(duration - duration / 2)
                if !node.isConnected { node.accept() }
            }
        }
        var tape = try Tape(memory.segments)
        for place in tape.segments.indices {
            tape.segments[place].header.configuration = TapeConfiguration(file: "node.yaml", text: Array(text.utf8))
        }
        return tape
    }
}
