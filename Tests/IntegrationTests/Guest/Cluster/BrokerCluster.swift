import Foundation

/// Three brokers that act as one for their clients, each on its own machine, with the files from `config/clusters`.
///
/// A member is identified by its index in ``members``, which is also its index in a node's list of brokers.
protocol BrokerCluster: AnyObject {
    /// The members' machines, in the order of a node's list.
    var members: [Machine] { get }
    /// The authority that has signed the members' certificates.
    var authority: CertificateAuthority { get }
    /// The path of the file that each machine has as `/etc/hosts`.
    var hosts: String { get }

    /// Kills a member, as a power cut does.
    func kill(_ member: Int) throws
    /// Restarts a member.
    func restart(_ member: Int) throws
    /// Sends a signal to the member's process.
    func signal(_ number: Int32, to member: Int)
    /// Returns a member's log, for failure reports.
    func log(_ member: Int) -> [String]
}

extension BrokerCluster {
    /// Returns the URL of a member for a node's configuration.
    func url(_ member: Int) -> String { "mqtts://\(members[member].name):8883" }

    /// Returns the address at which a test client reaches a member.
    func address(_ member: Int) -> BrokerAddress { BrokerAddress(host: members[member].address, port: 8883) }

    /// The user who may read everything and send every command.
    var user: MQTTProbe.User { MQTTProbe.User(name: "homeassistant", ca: authority.certificate) }

    /// The nodes' retained messages on each member, by topic; `places` limits the result to some members.
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
            // mosquitto_sub exits with 27 at its time limit, or with 0 at the first message that is not retained.
            guard [.exited(27), .exited(0)].contains(status) else {
                throw TestFailure("nothing to read at \(members[member].name): \(status), \(reader.errors)")
            }
            return reader.output.reduce(into: [:]) { found, line in
                let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                if fields.count == 2 { found[String(fields[0])] = String(fields[1]) }
            }
        }
    }

    /// Publishes a command for the node `lectern` on a member.
    func send(_ verb: String, id: String, to member: Int) throws {
        try MQTTProbe.publish(
            at: address(member), "timer/lectern/command/\(verb)", #"{"id":"\#(id)"}"#, as: user)
    }
}

/// Helpers to create the files of the machines in any cluster.
enum ClusterFiles {
    /// Whether this is `make test-cluster`, which runs every case; `make test` runs only some cases.
    static let isWhole = ProcessInfo.processInfo.environment["TEST_CLUSTER"] != nil

    /// The users in every cluster: a node, and a user who may send every command.
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

    /// Returns the text of `/etc/hosts` for machines with these names, numbered from 1.
    static func hosts(_ names: [String]) -> String {
        (["127.0.0.1 localhost"] + names.enumerated().map { "\(Machine.address($0.offset + 1)) \($0.element)" })
            .joined(separator: "\n") + "\n"
    }
}
