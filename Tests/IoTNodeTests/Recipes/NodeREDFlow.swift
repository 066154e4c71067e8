import FoundationEssentials
import TestSupport

@testable import IoTNode
@testable import TimerProtocol

/// The nodes of a Node-RED flow.
struct NodeREDFlow {
    struct Node {
        let json: JSON

        /// The string value of a property; empty if the property is not set.
        func text(_ key: String) -> String {
            guard case .string(let text)? = json[key] else { return "" }
            return text
        }
        /// The objects in a list.
        func list(_ key: String) -> [Node] {
            guard case .array(let values)? = json[key] else { return [] }
            return values.map(Node.init)
        }

        var id: String { text("id") }
        var type: String { text("type") }
        /// Whether the node is on a tab; the other nodes hold shared configuration.
        var isInFlow: Bool { json["z"] != nil }
        /// The ids of the nodes that each output is wired to.
        var wires: [[String]] {
            list("wires").map { output in
                guard case .array(let ids) = output.json else { return [] }
                return ids.map { if case .string(let id) = $0 { id } else { "" } }
            }
        }
    }

    let nodes: [Node]

    init(_ path: String) throws {
        let text = try String(contentsOfFile: repositoryFile(path), encoding: .utf8)
        guard case .array(let values) = try JSON(parsing: Array(text.utf8)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        nodes = values.map(Node.init)
    }

    subscript(id: String) -> Node? { nodes.first { $0.id == id } }

    func nodes(_ type: String) -> [Node] { nodes.filter { $0.type == type } }

    /// The nodes that a node is wired to.
    func next(_ node: Node) -> [Node] { node.wires.joined().compactMap { self[$0] } }
}
