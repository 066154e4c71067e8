import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// The node for the pages and files about other programs. It has three timers in two groups, and the default signals.
enum RecipeNode {
    static let modes = ["stopped", "countdown", "warning", "final", "alarm", "paused"]

    /// A node in a mode, with the second timer selected.
    static func node(in mode: String) throws -> Scenario {
        let timers = try [("Talk", 300, 120, 60), ("Questions", 120, 60, 30), ("Thanks", 90, 60, 30)].map {
            TimerItem(name: $0.0, thresholds: try Thresholds(start: $0.1, warning: $0.2, final: $0.3))
        }
        let model = try NodeConfiguration.Timers(groups: [
            TimerGroup(name: "Talk 1", timers: Array(timers.prefix(2))),
            TimerGroup(name: "Talk 2", timers: [timers[2]]),
        ])
        var node = try Scenario { $0.timers = model }
        node.send("select", "1/2")
        if mode != "stopped" { node.send("start") }
        switch mode {
        case "warning": node.send("set", "50")
        case "final": node.send("set", "20")
        case "alarm": node.send("end")
        case "paused": node.send("pause")
        default: break
        }
        node.wait(.milliseconds(500))
        try #require(node.last("mode") == mode)
        return node
    }

    /// Returns the modes in which the node executes a message; in other modes the message must still be a valid
    /// command.
    static func modesThatTake(_ payload: String, on topic: String) throws -> [String] {
        try modes.filter { mode in
            var node = try node(in: mode)
            guard let response = node.send(topic: topic, Array(payload.utf8)) else {
                Issue.record("\(topic) is no command topic")
                return false
            }
            let isOK = response["status"] == "ok"
            #expect(isOK || response["code"] == "not_allowed", "\(payload) on \(topic): \(response.text)")
            return isOK
        }
    }

    /// A node that has been in each mode, had a speaker and a fault, refused a command and completed a run.
    static func story() throws -> Scenario {
        var node = try node(in: "stopped")
        node.send("speaker", "Ada Lovelace")
        node.send("start")
        node.send("set", "61")
        node.wait(.seconds(40))
        node.send("pause")
        node.send("resume")
        node.send("resume")
        node.send("end")
        node.wait(.seconds(2))
        node.linesFault = LinesFault("busy")
        node.send("start")
        node.send("state")
        node.linesFault = nil
        node.wait(.seconds(3))
        node.send("stop")
        node.send("state")
        return node
    }
}

extension Scenario {
    /// All payloads on a topic of this node, in order.
    func payloads(on topic: String) -> [String] { publications.filter { $0.topic == topic }.map(\.text) }

    /// The values at a path into the payloads on a topic.
    func values(at path: String, on topic: String) -> [JSON] {
        guard let path = ValuePath(path) else { return [] }
        return payloads(on: topic).compactMap { try? JSON(parsing: Array($0.utf8)) }.compactMap { path.value(in: $0) }
    }
}
