import Foundation

/// Three brokers that act as one for their clients, each on its own machine, with the files of `config/clusters`.
///
/// A member is identified by its index in ``members``, which is also its index in a node's list of brokers.
protocol BrokerCluster: AnyObject {
    /// The members' machines, in the order of a node's list.
    var members: [Machine] { get }
    /// The authority that has signed the members' certificates.
    var authority: CertificateAuthority { get }
    /// The path of the file that each machine has as `/etc/hosts`.
    var hosts: String { get }

    /// Ends a member abruptly, as a power cut does.
    func kill(_ member: Int) throws
    /// Starts a member again.
    func restart(_ member: Int) throws
    /// Sends a signal to the member's process.
    func signal(_ number: Int32, to member: Int)
    /// What a member has logged, for the report of a failure.
    func log(_ member: Int) -> [String]
}

extension BrokerCluster {
    /// The URL of a member in a node's configuration.
    func url(_ member: Int) -> String { "mqtts://\(members[member].name):8883" }

    /// The address at which a client of the test reaches a member.
    func address(_ member: Int) -> BrokerAddress { BrokerAddress(host: members[member].address, port: 8883) }

    /// A user who may read everything and send every command.
    var user: MQTTProbe.User { MQTTProbe.User(name: "homeassistant", ca: authority.certificate) }

    /// The nodes' retained messages on each member, by topic; `places` limits this to some members.
    func retained(at places: [Int]? = nil) throws -> [[String: String]] {
        let places = places ?? Array(members.indices)
        let readers = try places.map { member in
            let words = ["-h", address(member).host, "-p", "8883", "-V", "5", "-q", "1"] + user.arguments
            let filters = ["-t", "timer/#", "-t", "homeassistant/#"]
            return try ChildProcess(
                "mosquitto_sub", words + ["--retained-only", "-W", "1", "-F", "%t\\t%p"] + filters)
        }
        return try zip(places, readers).map { member, reader in
            let status = try reader.waitForExit()
            // mosquitto_sub ends at its time limit, with status 27, or at the first message that is not retained, with
            // 0.
            guard [.exited(27), .exited(0)].contains(status) else {
                throw TestFailure("nothing to read at \(members[member].name): \(status), \(reader.errors)")
            }
            return reader.output.reduce(into: [:]) { found, line in
                let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                if fields.count == 2 { found[String(fields[0])] = String(fields[1]) }
            }
        }
    }

    /// Publishes a command for the node `lectern` at a member.
    func send(_ verb: String, id: String, to member: Int) throws {
        try MQTTProbe.publish(
            at: address(member), "timer/lectern/command/\(verb)", #"{"id":"\#(id)"}"#, as: user)
    }
}

/// Helpers to create the files of the machines in any cluster.
enum ClusterFiles {
    /// Whether this is `make test-cluster`, which tries every case; `make test` tries some of them.
    static let isWhole = ProcessInfo.processInfo.environment["TEST_CLUSTER"] != nil

    /// The users of every cluster: a node, and a user who may send every command.
    static let users = ["lectern", "homeassistant"]

    /// The repository's folder `config`.
    static let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../config")
        .standardized.path

    /// Creates a folder.
    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The text of `/etc/hosts` for machines with these names, the first being number 1.
    static func hosts(_ names: [String]) -> String {
        (["127.0.0.1 localhost"] + names.enumerated().map { "\(Machine.address($0.offset + 1)) \($0.element)" })
            .joined(separator: "\n") + "\n"
    }
}
