package import BrokerLink

/// The origin of a request, and the address under which the browser knows the site, taking proxies into account.
package struct ForwardedRequest: Hashable, Sendable {
    /// The client, as far as trusted proxies report it.
    package let client: IPAddress?
    /// `http` or `https`.
    package let scheme: String
    /// The site's host and port, in lower case.
    package let host: String

    /// Works out where a request comes from. A trusted proxy appends its client to the list. So the client is the last
    /// entry that is not a trusted proxy; everything before that entry may be forged.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - host: the value of the `Host` field.
    ///   - forwarded: returns the values of a field in order; the name that it receives is in lower case.
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
        // A proxy writes one of the two fields. If both are present, the client may have sent the other one.
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

    /// The client named in an element of `Forwarded`: `for="[2001:db8::1]:4711";proto=https`.
    private static func hop(_ element: String) -> String {
        for pair in element.split(separator: ";") where pair.lowercased().hasPrefix("for=") {
            return pair.dropFirst(4).filter { $0 != "\"" }
        }
        return ""
    }

    /// Parses an address, which may be followed by a port.
    private static func address(_ text: String) -> IPAddress? {
        if let address = IPAddress(text) { return address }
        guard let host = withoutPort(text) else { return nil }
        return host.hasPrefix("[") ? IPAddress(host.dropFirst().dropLast()) : IPAddress(host)
    }

    /// The host of `lectern:8080` or `[::1]:8080`; nil if it is followed by anything other than a port.
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
    /// The domains of local networks. Nobody on the internet can make a name in them point here.
    private static let localDomains = ["localhost", "local", "lan", "internal", "home.arpa"]

    /// Whether the request was sent to an address, or to a name that only this site can have: the public one, or one on
    /// the local network. Any other name may belong to a foreign site whose pages a browser would then treat as ours
    /// (DNS rebinding).
    ///
    /// - Parameter publicHost: host and port of the site's public URL, if it has one.
    package func hasOwnName(publicHost: String?) -> Bool {
        if host == publicHost { return true }
        // The zone of an address, after a %, could be any name.
        guard !host.contains("%"), let name = Self.withoutPort(host) else { return false }
        if Self.address(host) != nil { return true }
        // Browsers disagree on where a name with other characters ends: evil.example/.local leads to evil.example.
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else { return false }
        return !name.contains(".") || Self.localDomains.contains { name.hasSuffix(".\($0)") }
    }

    /// Whether a byte may occur in a host name, which is in lower case.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether a request that changes something comes from a page of this site, or from a program.
    ///
    /// - Parameters:
    ///   - origin: the value of the `Origin` field; nil if it is missing.
    ///   - site: the value of the `Sec-Fetch-Site` field; nil if it is missing.
    ///   - publicOrigin: the origin of the site's public URL, if it has one.
    ///   - hasCookie: whether the request relies on a cookie, which a browser adds to requests from any page.
    package func isOwn(origin: String?, site: String?, publicOrigin: String?, hasCookie: Bool) -> Bool {
        if let site, site.lowercased() != "same-origin" { return false }
        guard let origin else { return !hasCookie }
        return origin.lowercased() == publicOrigin ?? "\(scheme)://\(host)"
    }
}
