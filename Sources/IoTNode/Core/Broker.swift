/// Where a broker listens.
public struct Broker: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an address.
    public let host: String
    /// A TCP port.
    public let port: Int

    /// The port of MQTT without TLS.
    public static let defaultPort = 1883

    /// A broker at a host.
    public init(host: String, port: Int = Broker.defaultPort) {
        self.host = host
        self.port = port
    }

    /// The URL form, `mqtt://host:port`.
    public var description: String {
        "mqtt://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

/// A version of the MQTT protocol.
public enum MQTTVersion: String, Hashable, Sendable, CaseIterable {
    /// MQTT 3.1.1.
    case v311 = "3.1.1"
    /// MQTT 5.
    case v5 = "5"
}

/// A user name with its password; the password never shows in a description.
public struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The user name.
    public let username: String
    /// The password, where there is one.
    public let password: String?

    /// A user name, with a password where there is one.
    public init(username: String, password: String? = nil) {
        self.username = username
        self.password = password
    }

    /// The user name alone.
    public var description: String { username }
    /// The user name alone.
    public var debugDescription: String { username }
}
