package import BrokerLink
package import IoTNode
internal import NodeConfiguration
import TimerEngine
package import TimerProtocol

// Queries for what an observer sees.
extension Scenario {
    /// The outputs that are on, in alphabetical order; `dark` if none are.
    package var lit: String { Self.lit(levels) }

    static func lit(_ levels: [OutputName: Bool]?) -> String {
        let on = (levels ?? [:]).filter(\.value).keys.sorted()
        return on.isEmpty ? "dark" : on.joined(separator: "+")
    }

    /// Returns the latest payload on one of the node's topics.
    package func last(_ topic: String) -> String? {
        publications.last { $0.topic == "timer/lectern/\(topic)" }?.text
    }

    /// The latest state.
    package var state: JSON? {
        last("state").flatMap { try? JSON(parsing: Array($0.utf8)) }
    }

    /// The diary without the JSON topics: lamps, modes, ticks.
    package var story: [String] {
        diary.filter { line in ["lamps", "mode", "tick"].contains { line.contains(" \($0) ") } }
    }
}

extension OutgoingMessage {
    package var text: String { String(decoding: payload, as: UTF8.self) }
}

extension NodeCore {
    /// Returns all effects of the events, immediate and deferred.
    package mutating func effects(of events: [NodeEvent], at now: Moment) -> [NodeEffect] {
        let turn = handle(events, at: now)
        let first = turn.first
        return first + deferredEffects(of: turn)
    }
}
