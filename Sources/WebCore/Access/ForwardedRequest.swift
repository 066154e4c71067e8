package import BrokerLink

/// Where a request comes from, and by which address the browser knows the site, if proxies are in between.
package struct ForwardedRequest: Hashable, Sendable {
    /// The client, as far as trusted proxies know it.
    package let client: IPAddress?
    /// `http` or `https`.
    package let scheme: String
    /// The site's host and port, in lower case.
    package let host: String

    /// Works out where a request comes from.
    ///
    /// What a trusted proxy wrote is believed, and it writes at the end of the list. So the client is the last of the
    /// list that is no trusted proxy; everything in front of it may be made up.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - host: the field `Host`.
    ///   - forwarded: the values of a field by its name in lower case, in their order.
    package init(
        from peer: IPAddress?, host: String, trusting proxies: [IPNetwork], _ forwarded: (String) -> [String]
    ) {
        let isTrusted = { (address: IPAddress) in proxies.contains { $0.contains(address) } }
        guard let peer, isTrusted(peer) else {
            self.init(client: peer, scheme: "http", host: host.lowercased())
            return
        }
        func list(_ name: String) -> [String] {
            forwarded(name).joined(separator: ",").split(separator: ",").map {
                String($0.filter { !" \t".contains($0) })
            }
        }
        // A proxy writes one of the two. Of both, the client may have sent the other.
        let older = list("x-forwarded-for")
        let hops = older.isEmpty ? list("forwarded").map(Self.hop) : older
        var client = peer
        for hop in hops.reversed() {
            guard let address = Self.address(hop) else { break }
            client = address
            if !isTrusted(address) { break }
        }
        let scheme = list("x-forwarded-proto").last?.lowercased()
        let name = list("x-forwarded-host").last ?? host
        self.init(
            client: client, scheme: scheme == "https" ? "https" : "http", host: name.lowercased())
    }

    private init(client: IPAddress?, scheme: String, host: String) {
        self.client = client
        self.scheme = scheme
        self.host = host
    }

    /// What an element of `Forwarded` names as the client: `for="[2001:db8::1]:4711";proto=https`.
    private static func hop(_ element: String) -> String {
        for pair in element.split(separator: ";") where pair.lowercased().hasPrefix("for=") {
            return pair.dropFirst(4).filter { $0 != "\"" }
        }
        return ""
    }

    /// An address, which may have a port behind it.
    private static func address(_ text: String) -> IPAddress? {
        if let address = IPAddress(text) { return address }
        guard let host = withoutPort(text) else { return nil }
        return host.hasPrefix("[") ? IPAddress(host.dropFirst().dropLast()) : IPAddress(host)
    }

    /// The host of `lectern:8080` or `[::1]:8080`; nil where something else than a port is behind it.
    private static func withoutPort(_ text: String) -> Substring? {
        let closing = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : nil
        let end = closing ?? text.firstIndex(of: ":") ?? text.endIndex
        let port = text[end...]
        guard port.isEmpty || port.first == ":" && port.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return text[..<end]
    }
}

extension ForwardedRequest {
    /// Names below these are of a local network; nobody can have them lead here from the internet.
    private static let localDomains = ["localhost", "local", "lan", "internal", "home.arpa"]

    /// Whether the request was sent to an address or to a name that only this site can have: the public one, or one of the
    /// local network. Any other name may belong to a foreign site, whose pages a browser then takes for ours (DNS
    /// rebinding).
    ///
    /// - Parameter publicHost: host and port of the site's public URL, where it has one.
    package func hasOwnName(publicHost: String?) -> Bool {
        if host == publicHost { return true }
        // The zone of an address, behind a %, could be any name.
        guard !host.contains("%"), let name = Self.withoutPort(host) else { return false }
        if Self.address(host) != nil { return true }
        // Browsers disagree where a name ends that has other characters: evil.example/.local leads to evil.example.
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else { return false }
        return !name.contains(".") || Self.localDomains.contains { name.hasSuffix(".\($0)") }
    }

    /// Whether a host's name may have a byte. It is in lower case.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether a browser's page may have sent a request that changes something.
    ///
    /// - Parameters:
    ///   - origin: the field `Origin`; nil where there is none.
    ///   - site: the field `Sec-Fetch-Site`; nil where there is none.
    ///   - publicOrigin: the origin of the site's public URL, where it has one.
    ///   - hasCookie: whether the request rests on a cookie, which a browser adds to whatever any page sends.
    package func isOwn(origin: String?, site: String?, publicOrigin: String?, hasCookie: Bool) -> Bool {
        if let site, site.lowercased() != "same-origin" { return false }
        guard let origin else { return !hasCookie }
        return origin.lowercased() == publicOrigin ?? "\(scheme)://\(host)"
    }
}
