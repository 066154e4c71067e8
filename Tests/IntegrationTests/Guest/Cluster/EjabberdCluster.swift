import Foundation
import Testing

/// Three ejabberd servers, set up as in `config/clusters/ejabberd`.
final class EjabberdCluster: BrokerCluster {
    private static let names = ["member1", "member2", "member3"]

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
        let shipped = "\(ClusterFiles.shipped)/clusters/ejabberd"
        try Network.run(
            """
            # Files that the guest's users write on this machine's own disk would belong to root.
            mount -t tmpfs cluster \(folder.path)
            cd \(folder.path)
            erlc -I "$(dirname "$(dpkg -L ejabberd | grep '/mqtt.hrl$')")" \(shipped)/mod_mqtt_members.erl
            """)
        try ClusterFiles.hosts(Self.names).write(
            to: folder.appending(path: "hosts"), atomically: true, encoding: .utf8)
        members = try Self.names.enumerated().map { place, name in
            let address = Machine.address(place + 1)
            let pair = try authority.issue("broker-\(name)", subject: "DNS:\(name),IP:\(address)")
            try Network.run(
                """
                cd \(folder.path) && mkdir -p \(name)/etc/certs \(name)/etc/modules \(name)/state \(name)/log \(name)/run
                # systemd would create it.
                mkdir -p /run/ejabberd
                cp \(shipped)/ejabberd.yml \(shipped)/ejabberdctl.cfg /etc/ejabberd/inetrc \(name)/etc
                cp mod_mqtt_members.beam \(name)/etc/modules
                cp \(pair.certificate) \(name)/etc/certs/broker.pem
                cp \(pair.key) \(name)/etc/certs/broker.key
                printf MEMBERS >\(name)/state/.erlang.cookie
                chmod 400 \(name)/state/.erlang.cookie
                chmod 755 . \(name)
                chown -R ejabberd: \(name)
                """)
            let own = "\(folder.path)/\(name)"
            return try Machine(
                name, number: place + 1,
                files: [
                    "/etc/hosts": "\(folder.path)/hosts", "/etc/ejabberd": "\(own)/etc",
                    "/var/lib/ejabberd": "\(own)/state", "/var/log/ejabberd": "\(own)/log",
                    "/run/ejabberd": "\(own)/run",
                ])
        }
        for member in members { processes.append(try Self.start(member)) }
        for member in members.dropFirst() {
            try member.run(["ejabberdctl", "--no-timeout", "join_cluster", "ejabberd@member1"])
        }
        for user in ClusterFiles.users {
            try members[0].run(["ejabberdctl", "register", user, "timer", TestSecrets.password(of: user)])
        }
        try waitUntil("the users on all members", timeout: .seconds(120)) { (try? retained()) != nil }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func start(_ member: Machine) throws -> ChildProcess {
        let process = try member.start(["ejabberdctl", "foreground"])
        try process.waitForLine("ejabberd's start", timeout: .seconds(300)) { $0.contains("Start accepting") }
        return process
    }

    func kill(_ member: Int) throws {
        signal(SIGKILL, to: member)
        try processes[member].waitForExit()
    }

    func restart(_ member: Int) throws { processes[member] = try Self.start(members[member]) }

    func signal(_ number: Int32, to member: Int) {
        // ejabberdctl only waits for the process, which belongs to another user.
        for pid in members[member].processes("beam.smp") { Foundation.kill(pid, number) }
    }

    func log(_ member: Int) -> [String] {
        processes[member].read()
        return processes[member].output
    }
}
