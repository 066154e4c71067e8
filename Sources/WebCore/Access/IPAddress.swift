internal import TimerProtocol

/// An IPv4 or IPv6 address. An IPv4 address within IPv6, `::ffff:192.0.2.1`, is the IPv4 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16.
    package let bytes: [UInt8]

    /// An address from its text, without brackets; a zone such as `%eth0` does not count.
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
        guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The bytes of some groups with colons in between, the last of which may be an IPv4 address.
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

    /// Whether it is this machine itself.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// What counts as one household for limits: an IPv4 address, or the first 64 bits of an IPv6 address, since each
    /// machine has as many of these as it likes.
    package var network: String { bytes.count == 4 ? description : IPAddress(bytes.prefix(8)).description + "/64" }

    private init(_ start: ArraySlice<UInt8>) { bytes = start + [UInt8](repeating: 0, count: 16 - start.count) }

    /// The text, in IPv6 with all eight groups.
    package var description: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}

/// The addresses that begin with the same bits: `10.0.0.0/8`.
package struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    /// A network from its text; an address alone is a network of one.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = IPAddress(first) else { return nil }
        let length = address.bytes.count * 8
        // An IPv4 address within IPv6 has 96 bits in front of it.
        let offset = length == 32 && first.contains(":") ? 96 : 0
        guard let bits = parts.count == 2 ? WholeNumber.parse(parts[1]).map({ $0 - offset }) : length,
            (0...length).contains(bits)
        else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Whether an address is within.
    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(address.bytes, other.bytes).enumerated().allSatisfy { place, pair in
            let compared = min(8, max(0, bits - place * 8))
            return compared == 0 || (pair.0 ^ pair.1) >> UInt8(8 - compared) == 0
        }
    }
}
