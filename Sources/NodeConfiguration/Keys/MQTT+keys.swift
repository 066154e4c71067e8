internal import IoTNode

extension NodeConfiguration.MQTT {
    /// The keys of `mqtt`.
    enum Keys {
        static let brokers = Key(
            "brokers", .brokers,
            "The brokers, tried in turn. A user name and a password have keys of their own, and no place in a URL.")
        static let version = Key(
            "protocol", Schema<MQTTVersion>.oneOf, default: "5", "The version of MQTT to begin with.")
        static let prefix = Key(
            "prefix", .topicPrefix, default: "timer", "The first level, or levels, of each topic: `timer/ID/state`.")
        static let clientID = Key(
            "client_id", .text, absent: "`timer-node-ID`",
            "The client identifier. Another client with the same one would throw the node out.")
        static let keepAlive = Key(
            "keepalive", .seconds(in: 5...64_800), default: "15s",
            "The longest silence on the connection. The broker notices a lost node after one and a half of it.")
        static let username = Key("username", .text, absent: "none", "The user name at the broker.")
        static let passwordFile = Key(
            "password_file", .passwordFile, absent: "no password",
            "The file with the password, from the folder of this one, read at each connection. A line end after it does "
                + "not count. Systemd's credential `mqtt-password` goes before it.")
        static let password = Key(
            "password", .environmentPassword, absent: "no password",
            "The password, before `password_file`. In the environment only: a configuration is not secret.")
        static let tls = Key(
            "tls", TLSFiles.schema, absent: "the system's certificates", "TLS, for `mqtts://` brokers.")
        static let commandRate = Key(
            "command_rate", .integer(in: 0...10_000), default: "50",
            "The commands a second that are obeyed, with bursts of twice that; 0 for no limit.")
        static let tickEvery = Key(
            "tick_every", .seconds(in: 1...3600, zero: "never"), default: "1s",
            "How often the remaining time is published while the timer runs; 0 for never.")
        static let healthInterval = Key(
            "health_interval", .seconds(in: 1...86_400, zero: "at changes of a fault alone"), default: "60s",
            "How often the node's own condition is published, besides at each connection and change of a fault.")
        static let discovery = Key(
            "discovery", Discovery.schema, absent: "nothing is announced",
            "How the node is announced to Home Assistant.")

        static let all: [any DeclaredKey] = [
            brokers, version, prefix, clientID, keepAlive, username, passwordFile, password, tls, commandRate,
            tickEvery, healthInterval, discovery,
        ]
    }

    /// How `mqtt` is written; the client identifier is empty where it is missing.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            var mqtt = Self(
                brokers: section.read(Keys.brokers) ?? [], clientID: section.read(Keys.clientID) ?? "")
            section.read(Keys.version, into: &mqtt.version)
            section.read(Keys.prefix, into: &mqtt.prefix)
            section.read(Keys.keepAlive, into: &mqtt.keepAlive)
            section.read(Keys.tls, into: &mqtt.tls)
            section.read(Keys.commandRate, into: &mqtt.commandRate)
            section.read(Keys.tickEvery, into: &mqtt.tickEvery)
            section.read(Keys.healthInterval, into: &mqtt.healthInterval)
            if section.node(Keys.tls) != nil, !mqtt.brokers.contains(where: \.usesTLS) {
                section.report(.other("not used: no broker is mqtts://"), at: Keys.tls, severity: .warning)
            }
            _ = section.read(Keys.discovery)
            mqtt.credentials = credentials(section)
            return mqtt
        }
    }

    private static func credentials(_ section: Section) -> Credentials? {
        let username = section.read(Keys.username)
        // The environment's password wins, so the file is not even read: it may not exist where the variable does.
        let password =
            if section.node(Keys.password) != nil {
                section.read(Keys.password)
            } else if let credential = section.systemdPassword() {
                credential
            } else {
                section.read(Keys.passwordFile)
            }
        if let username { return Credentials(username: username, password: password) }
        if password != nil, section.node(Keys.username) == nil {
            section.report(
                .unexpected(found: "nothing", expected: "the user name that the password belongs to"),
                at: Keys.username)
        }
        return nil
    }
}

extension Schema where Value == String {
    /// The levels that topics begin with.
    static var topicPrefix: Schema {
        scalar("topic levels such as timer or hall/timer: no empty one, no + or #, no $ in front, up to 128 bytes") {
            let levels = $0.split(separator: "/", omittingEmptySubsequences: false)
            let fits = $0.utf8.count <= 128 && !$0.hasPrefix("$") && levels.allSatisfy { !$0.isEmpty }
            let refused = $0.unicodeScalars.contains {
                $0 == "+" || $0 == "#" || $0.properties.generalCategory == .control
            }
            return fits && !refused ? $0 : nil
        }
    }
}
