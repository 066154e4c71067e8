internal import TimerProtocol

/// The address of a broker.
package struct Broker: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an address.
    package let host: String
    /// A TCP port.
    package let port: Int
    package let usesTLS: Bool

    /// A broker at a host; the default port is 1883, or 8883 with TLS.
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

extension Broker {
    /// The form of a broker's URL, in words.
    package static let expectedURL =
        "mqtt://HOST or mqtt://HOST:PORT, or mqtts:// for TLS, with an IPv6 address in brackets"

    /// Creates a broker from its URL: `mqtt://host`, `mqtt://host:1883`, `mqtt://[::1]:1883`, `mqtts://host`.
    ///
    /// Returns nil for any other string, including a URL with a user name, a path or a query.
    package init?(url: String) {
        let schemes = [("mqtt://", false), ("mqtts://", true)]
        guard let (scheme, usesTLS) = schemes.first(where: { url.hasPrefix($0.0) }) else { return nil }
        guard let (host, port) = HostName.withPort(url.dropFirst(scheme.count)) else { return nil }
        self.init(host: host, port: port, usesTLS: usesTLS)
    }

    /// Describes a string that is not a broker's URL, without showing one that may contain a password.
    package static func found(_ url: String) -> String {
        if url.contains("@") {
            return "a user name or a password in a URL instead of under username and password_file"
        }
        return isHarmless(url) ? url.quoted : "something else"
    }

    /// Whether a string has only a scheme, a host and a number, so it cannot contain a password.
    private static func isHarmless(_ url: String) -> Bool {
        let address = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        let mayFollow = { (part: Substring) in
            part.isEmpty || part.count <= 5 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        let isName = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._:[]".utf8.contains(byte)
        }
        return address.utf8.allSatisfy(isName) && parts.dropFirst().allSatisfy(mayFollow)
    }
}
