extension NodeConfiguration {
    /// `mqtt`: the brokers and how to speak with them.
    package struct MQTT: Hashable, Sendable {
        /// The brokers, tried in turn.
        package var brokers: [Broker]
        /// The version to begin with.
        package var version: MQTTVersion = .v5
        /// The first level, or levels, of each topic.
        package var prefix = "timer"
        package var clientID: String
        package var keepAlive: Duration = .seconds(15)
        package var credentials: Credentials?
        /// The files for brokers with TLS.
        package var tls = TLSFiles()
        /// How often the remaining time is published while the timer runs; zero for never.
        package var tickEvery: Duration = .seconds(1)
        /// How often the node's own condition is published; zero for only when a fault comes or goes.
        package var healthInterval: Duration = .seconds(60)
        /// Commands a second on average, with bursts of twice that; 0 for no limit.
        package var commandRate = 50
        package var discovery = Discovery()

        package init(brokers: [Broker], clientID: String) {
            self.brokers = brokers
            self.clientID = clientID
        }
    }
}

extension NodeConfiguration {
    /// `mqtt.discovery`: how the node is announced to Home Assistant.
    package struct Discovery: Hashable, Sendable {
        /// How many messages announce the node.
        package enum Style: String, CaseIterable, Hashable, Sendable {
            /// One, with the whole device. Home Assistant 2024.11 and later take it.
            case device
            /// One for each entity. Every Home Assistant takes them, and others that know its discovery.
            case component
            /// None.
            case none
        }

        package var style = Style.device
        /// The first level, or levels, of the topics.
        package var prefix = "homeassistant"

        package init() {}
    }
}

/// Where a broker listens.
package struct Broker: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an address.
    package let host: String
    /// A TCP port.
    package let port: Int
    package let usesTLS: Bool

    /// A broker at a host; without a port 1883, or 8883 with TLS.
    package init(host: String, port: Int? = nil, usesTLS: Bool = false) {
        self.host = host
        self.port = port ?? (usesTLS ? 8883 : 1883)
        self.usesTLS = usesTLS
    }

    /// The URL: `mqtt://host:port` or `mqtts://host:port`.
    package var description: String {
        "\(usesTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

/// A version of the MQTT protocol.
package enum MQTTVersion: String, Hashable, Sendable, CaseIterable {
    case v311 = "3.1.1"
    case v5 = "5"
}

/// The files of TLS, all as PEM. Each attempt to connect reads them anew.
package struct TLSFiles: Hashable, Sendable {
    /// The certificates of the authorities that are trusted; nil for the system's.
    package var ca: String?
    /// The node's own certificate, where the broker asks for one.
    package var certificate: String?
    /// The key of ``certificate``, without a passphrase.
    package var key: String?

    /// Names the files; a certificate and its key go together.
    package init(ca: String? = nil, certificate: String? = nil, key: String? = nil) {
        self.ca = ca
        self.certificate = certificate
        self.key = key
    }
}
