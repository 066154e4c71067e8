import Foundation
import Testing

/// Something that goes wrong between a node and its brokers, and recovers in the end.
final class Trouble {
    /// The kind of trouble.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case noBroker = "no broker at the start"
        case killed = "a broker that is killed and started again"
        case killedWithPersistence = "a broker that is killed and started again with its saved state"
        case frozen = "a broker that hangs"
        case unknownName = "a name that does not resolve"
        case silentResolver = "a resolver that never answers"
        case hangingConnect = "a connect that never completes"
        case silentServer = "a server that accepts everything and answers nothing"
        case hangingEverywhere = "a resolver that never answers, and a connect that never completes"
        case wrongPassword = "a password that is wrong and then corrected"
        case expired = "a certificate that has expired"
        case foreign = "a certificate from an untrusted authority"
        case selfSigned = "a self-signed certificate"
        case sameClientID = "another client with the same client id"
        case refusedSubscription = "a subscription that is refused"
        case payloads = "payloads that are not valid commands"
        case flood = "1,000 commands a second"
        case repeats = "each message delivered twice"

        var testDescription: String { rawValue }
    }

    let kind: Kind
    /// The broker that finally serves the node.
    let broker: MosquittoBroker
    /// A substring of the line that the node must log exactly once; nil if there is no such line.
    private(set) var reason: String?
    /// Settings for the mqtt section of the configuration, in addition to the brokers.
    private(set) var settings = ""
    /// The user who may use ``broker``; nil if any client may.
    private(set) var user: MQTTProbe.User?

    /// A broker before ``broker`` in the list, which never works.
    private var bad: String?
    private var resources: [Any] = []
    private var process: ChildProcess?

    /// Prepares the trouble that exists from the beginning.
    init(_ kind: Kind) throws {
        self.kind = kind
        broker = try Self.broker(kind)
        if kind == .noBroker { reason = "no connection to \(broker.url): cannot connect: " }
        if kind == .frozen { reason = "is not responding: nothing arrived within the keep-alive" }
        try prepareNames()
        try prepareServers()
        try prepareCredentials()
        if kind == .refusedSubscription { reason = "refuses the subscription to timer/all/command: Not authorized" }
        if isLate { try broker.stop() }
    }

    deinit { if badName != nil { _ = try? Shell.run("umount /etc/resolv.conf") } }

    private static func broker(_ kind: Kind) throws -> MosquittoBroker {
        switch kind {
        case .killedWithPersistence:
            try MosquittoBroker(settings: ["persistence true", "persistence_location FOLDER/", "autosave_interval 1"])
        case .refusedSubscription: try MosquittoBroker(refusing: ["timer/all/command"])
        case .wrongPassword: try MosquittoBroker(users: ["lectern"])
        case .flood: try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
        default: try MosquittoBroker()
        }
    }

    /// The node's brokers, as written in its configuration.
    var brokers: String { ([bad].compactMap(\.self) + [broker.url]).joined(separator: ", ") }

    /// Whether ``broker`` is started only at the end.
    private var isLate: Bool { bad != nil || kind == .noBroker }

    /// Whether the node is connected before the trouble starts.
    var isConnectedAtStart: Bool { !isLate && kind != .wrongPassword }

    /// Whether each message is certain to be either received or counted as dropped.
    var isExact: Bool { ![.frozen, .sameClientID].contains(kind) }

    /// Whether the connection is unaffected.
    var isHarmless: Bool { [.refusedSubscription, .payloads, .flood, .repeats].contains(kind) }
}

// MARK: - What is wrong from the beginning

extension Trouble {
    /// A broker's name that does not resolve.
    private var badName: String? {
        switch kind {
        case .unknownName: "no-such-host.invalid"
        case .silentResolver, .hangingEverywhere: "silent.test"
        default: nil
        }
    }

    private func prepareNames() throws {
        guard let badName else { return }
        bad = "mqtt://\(badName)"
        reason = "no connection to mqtt://\(badName):1883: "
        try "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n".write(
            toFile: "/run/resolv.conf", atomically: true, encoding: .utf8)
        try #require(Shell.run("mount --bind /run/resolv.conf /etc/resolv.conf").status == 0)
        // The kernel reports a port without a listener as an error, so a silent resolver must listen.
        if kind != .unknownName { resources.append(try SilentResolver()) }
    }

    private func prepareServers() throws {
        guard [.hangingConnect, .hangingEverywhere, .silentServer].contains(kind) else { return }
        let server = try TCPListener(isFull: kind != .silentServer)
        resources.append(server)
        let url = "mqtt://127.0.0.1:\(server.port)"
        bad = [bad, url].compactMap(\.self).joined(separator: ", ")
        reason = "no connection to \(url): no CONNACK within 10 s"
    }

    private func prepareCredentials() throws {
        switch kind {
        case .wrongPassword:
            user = MQTTProbe.User(name: "lectern")
            settings = ", username: lectern, password_file: mqtt.password"
            reason = "refused the connection: Not authorized"
        case .expired, .foreign, .selfSigned:
            let authority = try CertificateAuthority()
            let issuer = kind == .foreign ? try CertificateAuthority() : authority
            let validities: [Kind: CertificateAuthority.Validity] = [.expired: .expired, .selfSigned: .selfSigned]
            let server = try MosquittoBroker(try issuer.issue("broker", validity: validities[kind] ?? .good))
            resources += [authority, issuer, server]
            bad = "mqtts://localhost:\(server.port)"
            settings = ", tls: {ca: \(authority.certificate)}"
            reason = "the broker's certificate was refused: "
        default: break
        }
    }
}

// MARK: - What happens

extension Trouble {
    /// Starts the trouble while the node counts.
    func begin() throws {
        switch kind {
        case .killed: try broker.kill()
        case .killedWithPersistence:
            try waitUntil("the state on its disk") { broker.file("mosquitto.db")?.contains("countdown") == true }
            try broker.kill()
        case .frozen: broker.freeze()
        case .sameClientID:
            process = try ChildProcess(
                "mosquitto_sub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-i", "timer-node-lectern", "-t", "nothing"])
        case .payloads:
            let all = NodeFaultTests.payloads.map { $0.publishing(to: broker) }.joined(separator: "; ")
            process = try ChildProcess("sh", ["-c", all])
        case .flood:
            let ten = (1...10).map { "\($0)\\n" }.joined()
            let flood = "for i in $(seq 1000); do printf '\(ten)'; sleep 0.01; done"
            let words = "mosquitto_pub -l -h 127.0.0.1 -p \(broker.port) -t timer/lectern/command/beep"
            process = try ChildProcess("sh", ["-c", "(\(flood)) | \(words)"])
        case .repeats:
            let edit = #"{"id":"twice","location":"Hall A"}"#
            for _ in 0..<2 { try MQTTProbe.publish(broker, "timer/lectern/command/edit", edit) }
        default: break
        }
    }

    /// Ends the trouble.
    func end(_ node: SpawnedNode) throws {
        switch kind {
        case .killed, .killedWithPersistence: try broker.restart()
        case .frozen: broker.thaw()
        case .wrongPassword: try node.write(TestSecrets.password(of: "lectern"), to: "mqtt.password")
        case .sameClientID: process = nil
        default: if isLate { try broker.restart() }
        }
    }
}

/// A resolver that receives each query but never responds.
private final class SilentResolver {
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try bindToLoopback(descriptor, port: 53)
    }

    deinit { close(descriptor) }
}
