extension Broker {
    /// The form of a broker's URL, in words.
    static let expectedURL =
        "mqtt://HOST or mqtt://HOST:PORT, with TLS mqtts://, an IPv6 address in brackets"

    /// A broker from its URL: `mqtt://host`, `mqtt://host:1883`, `mqtt://[::1]:1883`, `mqtts://host`.
    ///
    /// Returns nil for any other text; a user name, a path or a query has no place in it.
    public init?(url: String) {
        let schemes = [("mqtt://", false), ("mqtts://", true)]
        guard let (scheme, usesTLS) = schemes.first(where: { url.hasPrefix($0.0) }) else { return nil }
        let address = url.dropFirst(scheme.count)
        let host: Substring
        let rest: Substring
        if address.hasPrefix("["), let bracket = address.firstIndex(of: "]") {
            host = address[address.index(after: address.startIndex)..<bracket]
            rest = address[address.index(after: bracket)...]
            guard host.contains(":"), host.utf8.allSatisfy(Self.isAddressByte) else { return nil }
        } else {
            host = address.prefix { $0 != ":" }
            rest = address[host.endIndex...]
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(Self.isNameByte) else { return nil }
        }
        if rest.isEmpty {
            self.init(host: String(host), usesTLS: usesTLS)
        } else {
            guard rest.hasPrefix(":"), let port = WholeNumber.parse(rest.dropFirst()), (1...65_535).contains(port)
            else {
                return nil
            }
            self.init(host: String(host), port: port, usesTLS: usesTLS)
        }
    }

    /// Letters, digits, `-`, `.` and `_`, as in host names and IPv4 addresses.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// As in IPv6 addresses, with an IPv4 tail or a zone (`fe80::1%eth0`) where there is one.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
    }
}
