/// Where a broker listens.
package struct Broker: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an address.
    package let host: String
    /// A TCP port.
    package let port: Int
    /// Whether it is spoken to through TLS.
    package let usesTLS: Bool

    /// A broker at a host; without a port 1883, or 8883 with TLS.
    package init(host: String, port: Int? = nil, usesTLS: Bool = false) {
        self.host = host
        self.port = port ?? (usesTLS ? 8883 : 1883)
        self.usesTLS = usesTLS
    }

    /// The URL form, `mqtt://host:port` or `mqtts://host:port`.
    package var description: String {
        "\(usesTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

/// A version of the MQTT protocol.
package enum MQTTVersion: String, Hashable, Sendable, CaseIterable {
    /// MQTT 3.1.1.
    case v311 = "3.1.1"
    /// MQTT 5.
    case v5 = "5"
}

/// The files of TLS, all in PEM form; they are read by each attempt to connect.
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
