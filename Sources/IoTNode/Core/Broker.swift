/// Where a broker listens.
public struct Broker: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an address.
    public let host: String
    /// A TCP port.
    public let port: Int
    /// Whether it is spoken to through TLS.
    public let usesTLS: Bool

    /// A broker at a host; without a port 1883, or 8883 with TLS.
    public init(host: String, port: Int? = nil, usesTLS: Bool = false) {
        self.host = host
        self.port = port ?? (usesTLS ? 8883 : 1883)
        self.usesTLS = usesTLS
    }

    /// The URL form, `mqtt://host:port` or `mqtts://host:port`.
    public var description: String {
        "\(usesTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

/// A version of the MQTT protocol.
public enum MQTTVersion: String, Hashable, Sendable, CaseIterable {
    /// MQTT 3.1.1.
    case v311 = "3.1.1"
    /// MQTT 5.
    case v5 = "5"
}
