import Foundation

/// Helpers for tests with the node `lectern`.
extension MQTTProbe {
    /// A probe for all topics of the nodes, once the node is connected and its timer has been started.
    static func starting(_ broker: MosquittoBroker) throws -> MQTTProbe {
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try publish(broker, "timer/lectern/command/start", "")
        return probe
    }

    /// The ticks so far.
    var ticks: [Int] { messages.filter { $0.topic == "timer/lectern/tick" }.compactMap { Int($0.payload) } }

    /// A number in the newest health.
    func health(_ key: String) -> Int? {
        let health = messages.last { $0.topic == "timer/lectern/health" }?.payload ?? ""
        let rest = health.components(separatedBy: "\"\(key)\":").dropFirst().first ?? ""
        return Int(rest.prefix { $0.isNumber })
    }

    /// Requests the health, and waits for the next one.
    func askHealth(_ broker: MosquittoBroker) throws {
        let before = messages.count { $0.topic == "timer/lectern/health" }
        try Self.publish(broker, "timer/lectern/command/state", "")
        try wait(for: "the health") { $0.count { $0.topic == "timer/lectern/health" } > before }
    }
}
