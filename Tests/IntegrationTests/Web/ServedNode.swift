import Foundation
import TimerProtocol

/// A broker, a node `lectern`, and a timer-web that shows the node.
struct ServedNode {
    let broker: MosquittoBroker
    let node: SpawnedNode
    let web: SpawnedWeb

    /// Starts the three processes, and waits until timer-web has received the node's state.
    ///
    /// - Parameters:
    ///   - yaml: the node's configuration, in which `BROKER` is the broker's URL; nil for a timer of 20 minutes.
    ///   - files: further files in the node's folder, by name.
    ///   - settings: further settings for the section `web`.
    init(node yaml: String? = nil, files: [String: String] = [:], web settings: String = "") throws {
        broker = try MosquittoBroker()
        if let yaml {
            node = try SpawnedNode(yaml.replacing("BROKER", with: broker.url), files: files)
        } else {
            node = try SpawnedNode("20:00", warning: "5:00", brokers: broker.url)
        }
        try node.waitForConnection()
        web = try SpawnedWeb(broker.url, web: settings)
        try waitUntilKnown()
    }

    private func waitUntilKnown() throws {
        try waitUntil("the node in timer-web") {
            try web.request("GET", "/api/nodes/lectern", as: "operator").json["state"] != nil
        }
    }
}
