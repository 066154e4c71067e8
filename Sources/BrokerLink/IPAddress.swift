internal import TimerProtocol

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address, `::ffff:192.0.2.1`, counts as the IPv4 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]

    /// Reads an address without brackets; a zone such as `%eth0` is ignored.
    package init?(_ text: some StringProtocol) {
        let text = String(text.prefix { $0 != "%" })
        guard let bytes = text.contains(":") ? Self.ipv6(text) : Self.ipv4(text[...]) else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = numbers.compactMap { number -> UInt8? in
            guard (1...3).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return number.utf8.count > 1 && number.hasPrefix("0") ? nil : UInt8(number)
        }
        return numbers.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            return groups(text[...]).flatMap { $0.count == 16 ? $0 : nil }
        }
        // Only the last 32 bits may be written as an IPv4 address, and the gap stands for one group or more.
        guard !text[..<gap.lowerBound].contains("."), let head = groups(text[..<gap.lowerBound]),
            let tail = groups(text[gap.upperBound...]), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Returns the bytes of groups separated by colons, the last of which may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (place, group) in groups.enumerated() {
            if place == groups.count - 1, group.contains(".") {
                guard let last = ipv4(group) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(group.utf8.count), group.allSatisfy(\.isHexDigit),
                    let number = UInt16(group, radix: 16)
                else { return nil }
                bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
            }
        }
        return bytes
    }

    /// Whether this is an address of the loopback interface.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The network that counts as one client for limits: an IPv4 address, or the first 64 bits of an IPv6 address,
    /// since a machine can use any number of addresses with the same prefix.
    package var network: String { bytes.count == 4 ? description : IPAddress(bytes.prefix(8)).description + "/64" }

    private init(_ start: ArraySlice<UInt8>) { bytes = start + [UInt8](repeating: 0, count: 16 - start.count) }

    /// The address as a string; an IPv6 address has all eight groups.
    package var description: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}

/// The addresses that begin with the same bits: `10.0.0.0/8`.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    /// The network as it was written.
    package let description: String
    private let address: IPAddress
    private let bits: Int

    /// Reads a network; a single address is a network of one.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = IPAddress(first) else { return nil }
        let length = address.bytes.count * 8
        // 96 bits precede the IPv4 address in an IPv4-mapped one.
        let offset = length == 32 && first.contains(":") ? 96 : 0
        guard let bits = parts.count == 2 ? WholeNumber.parse(parts[1]).map({ $0 - offset }) : length,
            (0...length).contains(bits)
        else { return nil }
        description = String(text)
        self.address = address
        self.bits = bits
    }

    /// Whether an address is in the network.
    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(address.bytes, other.bytes).enumerated().allSatisfy { place, pair in
            let compared = min(8, max(0, bits - place * 8))
            return compared == 0 || (pair.0 ^ pair.1) >> UInt8(8 - compared) == 0
        }
    }
}

/// The host in a URL: a host name, an IPv4 address or an IPv6 address.
package enum HostName {
    /// Whether a string is a host name according to RFC 1123, or an IPv4 address.
    ///
    /// A host name has at most 253 bytes. Its labels have 1 to 63 letters, digits and `-`, and neither begin nor end
    /// with `-`. A dot may follow the last label. `_` is accepted as well, because container names use it. A string
    /// whose last label is a number must be an IPv4 address.
    package static func isValid(_ text: Substring) -> Bool {
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, text.utf8.count <= 253 else { return false }
        if !last.isEmpty, last.utf8.allSatisfy(isDigit) { return IPAddress(text) != nil }
        if labels.count > 1, last.isEmpty { labels.removeLast() }
        return labels.allSatisfy { label in
            guard let first = label.utf8.first, let last = label.utf8.last else { return false }
            return label.utf8.count <= 63 && isAlphanumeric(first) && isAlphanumeric(last)
                && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }

    /// Whether a string is an IPv6 address, with an optional zone: `fe80::1%eth0`.
    package static func isIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let isZone = { (byte: UInt8) in isAlphanumeric(byte) || "-._".utf8.contains(byte) }
        if parts.count == 2, parts[1].isEmpty || !parts[1].utf8.allSatisfy(isZone) { return false }
        return text.contains(":") && IPAddress(text) != nil
    }

    /// Returns a host and the optional port after it, 1 to 65,535: `hall.local`, `192.0.2.1:1883`, `[::1]:1883`.
    package static func withPort(_ text: Substring) -> (host: String, port: Int?)? {
        var (host, rest) = (text.prefix { $0 != ":" }, text.drop { $0 != ":" })
        if text.hasPrefix("["), let bracket = text.firstIndex(of: "]") {
            (host, rest) = (text[..<bracket].dropFirst(), text[bracket...].dropFirst())
            guard isIPv6(host) else { return nil }
        } else if !isValid(host) {
            return nil
        }
        if rest.isEmpty { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = WholeNumber.parse(rest.dropFirst()), (1...65_535).contains(port) else {
            return nil
        }
        return (String(host), port)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
