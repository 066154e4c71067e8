import Foundation
import Testing

/// Three mosquitto brokers, the last of them the hub, set up as in `config/clusters/mosquitto`.
final class MosquittoStar: BrokerCluster {
    private static let names = ["member1", "member2", "hub"]

    let members: [Machine]
    let authority: CertificateAuthority
    var hosts: String { folder.appending(path: "hosts").path }

    private let folder: URL
    private var processes: [ChildProcess] = []

    init() throws {
        folder = try ClusterFiles.makeFolder()
        authority = try CertificateAuthority()
        try Network.begin()
        let (folder, authority) = (folder, authority)
        let bridge = try authority.issue("bridge")
        try ClusterFiles.hosts(Self.names).write(
            to: folder.appending(path: "hosts"), atomically: true, encoding: .utf8)
        let passwords = folder.appending(path: "passwords").path
        try ClusterFiles.users.map { "\($0):\(TestSecrets.password(of: $0))\n" }.joined()
            .write(toFile: passwords, atomically: true, encoding: .utf8)
        try Network.run("mosquitto_passwd -U \(passwords)")
        members = try Self.names.enumerated().map { place, name in
            let address = Machine.address(place + 1)
            let pair = try authority.issue("broker-\(name)", subject: "DNS:\(name),IP:\(address)")
            let shipped = ClusterFiles.shipped
            let role = name == "hub" ? "timer-hub.conf" : "timer-bridge.conf"
            // Apart from include_dir, Debian's own mosquitto.conf only sets where mosquitto logs and keeps its
            // state. Without `user root`, mosquitto would switch to a user who may not read the folder.
            try Network.run(
                """
                cd \(folder.path) && mkdir -p \(name)/conf.d \(name)/certs && cd \(name)
                printf 'user root\\npersistence false\\nlog_dest stderr\\ninclude_dir /etc/mosquitto/conf.d\\n' >mosquitto.conf
                cp \(shipped)/mosquitto/timer-node.conf \(shipped)/clusters/mosquitto/\(role) conf.d
                cp \(shipped)/mosquitto/timer-node.acl .
                cp \(passwords) timer-node.passwords
                cp \(authority.certificate) certs/ca.pem
                cp \(pair.certificate) certs/broker.pem
                cp \(pair.key) certs/broker.key
                cp \(bridge.certificate) certs/bridge.pem
                cp \(bridge.key) certs/bridge.key
                """)
            return try Machine(
                name, number: place + 1,
                files: ["/etc/hosts": "\(folder.path)/hosts", "/etc/mosquitto": "\(folder.path)/\(name)"])
        }
        for member in members { processes.append(try Self.start(member)) }
        for name in Self.names.dropLast() {
            try processes[2].waitForLine("the bridge of \(name)") { $0.contains(" as \(name).hub ") }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func start(_ member: Machine) throws -> ChildProcess {
        let process = try member.start(["/usr/sbin/mosquitto", "-c", "/etc/mosquitto/mosquitto.conf"])
        try process.waitForLine("mosquitto's start") { $0.hasSuffix(" running") }
        // mosquitto logs this a moment before it handles signals; a signal that arrives in between is lost.
        usleep(20_000)
        return process
    }

    func kill(_ member: Int) throws { try processes[member].terminate(by: SIGKILL) }

    func restart(_ member: Int) throws { processes[member] = try Self.start(members[member]) }

    func signal(_ number: Int32, to member: Int) { processes[member].signal(number) }

    func log(_ member: Int) -> [String] {
        processes[member].read()
        return processes[member].errors
    }
}
