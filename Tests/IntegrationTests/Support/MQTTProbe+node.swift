import Foundation

/// Helpers for tests with the node `lectern`.
extension MQTTProbe {
    /// Returns a probe for all node topics, once the node is connected and its timer has been started.
    static func starting(_ broker: MosquittoBroker) throws -> MQTTProbe {
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try publish(broker, "timer/lectern/command/start", "")
        return probe
    }

    /// The ticks so far.
    var ticks: [Int] { messages.filter { $0.topic == "timer/lectern/tick" }.compactMap { Int($0.payload) } }

    /// Returns a number from the newest health message.
    func health(_ key: String) -> Int? {
        let health = messages.last { $0.topic == "timer/lectern/health" }?.payload ?? ""
        let rest = health.components(separatedBy: "\"\(key)\":").dropFirst().first ?? ""
        return Int(rest.prefix { $0.isNumber })
    }

    /// Requests a health message, and waits for it.
    func askHealth(_ broker: MosquittoBroker) throws {
        let before = messages.count { $0.topic == "timer/lectern/health" }
        try Self.publish(broker, "timer/lectern/command/state", "")
        try wait(for: "the health") { $0.count { $0.topic == "timer/lectern/health" } > before }
    }
}
