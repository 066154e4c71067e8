internal import BrokerLink
internal import TimerProtocol

extension Schema<WebConfiguration.ListenAddress> {
    /// Where a server listens.
    static var listenAddress: Schema {
        scalar(
            "ADDRESS:PORT such as 127.0.0.1:8080, an IPv6 address in brackets, the port from 1 to 65535",
            format: { $0.description }
        ) { text in
            guard let (host, port) = HostName.withPort(text[...]), let port else { return nil }
            return .init(host: host, port: port)
        }
    }
}

extension Schema<IPNetwork> {
    /// An address or a network.
    static var network: Schema {
        scalar("an address or a network such as 127.0.0.1, ::1 or 10.0.0.0/8", format: { $0.description }) {
            $0.contains("%") ? nil : IPNetwork($0)
        }
    }
}

extension Schema<[IPNetwork]> {
    /// Proxies that this server relies on.
    static var proxies: Schema {
        .list(of: Schema<IPNetwork>.network, count: 0...32, "a list of at most 32 addresses or networks")
    }
}

extension Schema<WebConfiguration.PublicURL> {
    /// The address that browsers use for a site.
    static var publicURL: Schema {
        scalar("a URL such as https://example.org or https://example.org/timer/", format: { $0.description }) { text in
            let pattern =
                /(?<scheme>https?):\/\/(?<host>[^:\/\[\]@?#]+|\[[^\]\/]+\])(:(?<port>[0-9]{1,5}))?(?<path>\/[^?#]*)?/
            guard let url = text.wholeMatch(of: pattern) else { return nil }
            let isHost =
                url.host.hasPrefix("[")
                ? HostName.isIPv6(url.host.dropFirst().dropLast()) : HostName.isValid(url.host)
            guard isHost, let path = SitePath.normal(url.path ?? "/") else { return nil }
            let usesTLS = url.scheme == "https"
            let port = url.port.map { Int($0) ?? 0 }
            if let port, !(1...65_535).contains(port) { return nil }
            let shownPort = port.flatMap { $0 == (usesTLS ? 443 : 80) ? nil : ":\($0)" } ?? ""
            return .init(usesTLS: usesTLS, authority: url.host.lowercased() + shownPort, path: path)
        }
    }
}

extension Schema<[WebConfiguration.View]> {
    /// Settings of a display by their names.
    static var views: Schema {
        let expected = "a mapping of names, each with a query such as display=circular&digits=off"
        let query = Schema<String>.scalar("a query such as display=circular&digits=off, of at most 1000 bytes") {
            text in
            let query = text.hasPrefix("?") ? text.dropFirst() : text[...]
            let isPlain = query.utf8.allSatisfy {
                Character(Unicode.Scalar($0)).isLetter && $0 < 128 || ($0 >= 0x30 && $0 <= 0x39)
                    || "-._~,:;%&=+@!$*()/".utf8.contains($0)
            }
            return isPlain && query.utf8.count <= 1000 ? String(query) : nil
        }
        let named = Schema<[(name: String, value: String)]>.named(query, expected)
        return Schema(expected: expected, shape: named.shape) { node in
            named.read(node)?.map { .init(name: $0.name, query: $0.value) }
        }
    }
}

/// The path of a site.
private enum SitePath {
    /// The first components of the pages' own paths, which would make the site's path ambiguous.
    private static let taken: Set<Substring> = [
        "n", "api", "assets", "agenda", "displays", "settings", "about", "login", "styleguide", "healthz", "metrics",
    ]

    /// Returns the path with a slash at both ends; nil if it is invalid.
    static func normal(_ path: some StringProtocol) -> String? {
        guard path.hasPrefix("/"), path.utf8.count <= 256 else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).map { Substring($0) }
        let isPlain = parts.allSatisfy { part in
            part != "." && part != ".." && part.wholeMatch(of: /[A-Za-z0-9._~-]+/) != nil
        }
        guard isPlain, !(parts.first.map { taken.contains($0) } ?? false) else { return nil }
        return parts.isEmpty ? "/" : "/\(parts.joined(separator: "/"))/"
    }
}

extension Schema where Value == String {
    /// The path of a site.
    static var basePath: Schema {
        scalar(
            "a path such as /timer/ of letters, digits and -._~, which does not begin like the site's own paths",
            format: { $0 }, parse: { SitePath.normal($0) })
    }

    /// A source of `frame-ancestors` in Content-Security-Policy.
    static var frameSource: Schema {
        scalar("a source such as https://example.org, https://*.example.org:8443, https: or *", format: { $0 }) {
            text in
            let pattern = /\*|https?:|(https?:\/\/)?(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(:([0-9]{1,5}|\*))?/
            return text.utf8.count <= 253 && text.wholeMatch(of: pattern) != nil ? text : nil
        }
    }
}
