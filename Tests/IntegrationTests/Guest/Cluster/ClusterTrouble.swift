import Foundation
import Testing

/// Something that goes wrong with a cluster of brokers, and recovers in the end.
///
/// The node is connected to the member that is first in its list of brokers.
enum ClusterTrouble: String, CaseIterable, CustomTestStringConvertible {
    case killed = "the node's member is killed and started again"
    case frozen = "the node's member hangs"
    case cutOff = "the node's member is cut off from the node and from the other members"
    case minority = "the node's member is cut off from the other members, and the node with it"
    case majority = "another member is cut off from the node and from the node's member"
    case killedWithNode = "the node and its member are killed and started again"

    var testDescription: String { rawValue }

    /// Whether the node must find another member.
    var movesNode: Bool { ![.minority, .majority].contains(self) }
}

/// A cluster, a node, and the trouble that affects them.
final class ClusterScene {
    let trouble: ClusterTrouble
    let cluster: any BrokerCluster
    let node: SpawnedNode
    /// The members in the order of the node's list.
    let order: [Int]

    private let machine: Machine
    private var hasBegun = false

    /// Starts a node in a cluster, with lamps and a button on the guest's chip.
    ///
    /// - Parameters:
    ///   - trouble: the kind of trouble.
    ///   - cluster: the cluster, which must be ready.
    ///   - first: the member that the node connects to.
    ///   - manager: the service manager that the node notifies.
    init(_ trouble: ClusterTrouble, _ cluster: any BrokerCluster, first: Int, manager: NotifySocket) throws {
        self.trouble = trouble
        self.cluster = cluster
        order = [first] + cluster.members.indices.filter { $0 != first }
        machine = try Machine(
            "stage", number: cluster.members.count + 1, files: ["/etc/hosts": cluster.hosts])
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt:
              brokers: [\(order.map(cluster.url).joined(separator: ", "))]
              keepalive: 5s
              username: lectern
              password_file: mqtt.password
              tls: {ca: \(cluster.authority.certificate)}
            gpio:
              chip: auto
              outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
              buttons: [{line: BUTTON, press: start}]
            timers: {groups: [{timers: [{name: Talk, start: 30s, warning: 20s, final: 10s}]}]}
            storage: {directory: FOLDER/state}
            """, files: ["mqtt.password": TestSecrets.password(of: "lectern")],
            environment: ["NOTIFY_SOCKET": manager.name], under: machine.wrapper)
        try node.waitForConnection()
    }

    // Even a failed test leaves the cluster as it found it.
    deinit { if hasBegun { try? end() } }

    /// The member that the node is connected to, according to the node's own log; nil while it is not connected.
    var connectedMember: Int? {
        node.process.read()
        let line = node.process.errors.last { $0.contains("connected to mqtts://") && !$0.contains("not connected") }
        return order.first { line?.contains("connected to \(cluster.url($0))") == true }
    }

    /// The two sides of a split network; nil if the network is not split.
    private var sides: (one: [Machine], other: [Machine])? {
        let machines = order.map { cluster.members[$0] }
        return switch trouble {
        case .cutOff: ([machines[0]], [machines[1], machines[2], machine])
        case .minority: ([machines[0], machine], [machines[1], machines[2]])
        case .majority: ([machines[1]], [machines[0], machines[2], machine])
        default: nil
        }
    }

    /// Starts the trouble while the node counts. Takes a second if the node must be restarted.
    func begin() throws {
        hasBegun = true
        switch trouble {
        case .killed: try cluster.kill(order[0])
        case .frozen: cluster.signal(SIGSTOP, to: order[0])
        case .killedWithNode:
            node.process.signal(SIGKILL)
            try cluster.kill(order[0])
            try node.process.waitForExit()
            sleep(1)
            try node.restart()
        default: break
        }
        if let (one, other) = sides { try Network.split(one, from: other) }
    }

    /// Ends the trouble.
    func end() throws {
        hasBegun = false
        switch trouble {
        case .killed, .killedWithNode: try cluster.restart(order[0])
        case .frozen: cluster.signal(SIGCONT, to: order[0])
        default: break
        }
        if let (one, other) = sides { try Network.heal(one, from: other) }
    }
}
