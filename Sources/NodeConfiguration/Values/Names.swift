internal import TimerProtocol

extension Identifier {
    /// The identifier of a node that has none: the first label of the host's name in lower case, with `-` in place of
    /// other characters. It is `timer-node` where nothing is left.
    static func fromHostName(_ name: String) -> String {
        let label = name.lowercased().unicodeScalars.prefix { $0 != "." }
        let usable = label.map { isAllowed($0) ? $0 : "-" }.drop { !isAlphanumeric($0) }
        let id = String(String.UnicodeScalarView(usable.prefix(63)))
        return isValid(id) ? id : "timer-node"
    }
}

/// What may name a machine in a URL: a host name, an IPv4 address or an IPv6 address.
enum HostName {
    /// Whether a text is a host name as RFC 1123 has it, or an IPv4 address.
    ///
    /// A host name has at most 253 bytes. Its labels have 1 to 63 letters, digits and `-`, and neither begin nor end
    /// with `-`. A point may follow the last label. We accept `_` too, because names of containers have it. A text whose
    /// last label is a number has to be an IPv4 address.
    static func isValid(_ text: Substring) -> Bool {
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, text.utf8.count <= 253 else { return false }
        if !last.isEmpty, last.utf8.allSatisfy(isDigit) { return isIPv4(text) }
        if labels.count > 1, last.isEmpty { labels.removeLast() }
        return labels.allSatisfy { label in
            guard let first = label.utf8.first, let last = label.utf8.last else { return false }
            return label.utf8.count <= 63 && isAlphanumeric(first) && isAlphanumeric(last)
                && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }

    /// Whether a text is four numbers up to 255. Leading zeros are refused, because some programs read them as octal.
    static func isIPv4(_ text: Substring) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { number in
                guard number.utf8.count == 1 || number.utf8.first != UInt8(ascii: "0") else { return false }
                return WholeNumber.parse(number).map { $0 < 256 } ?? false
            }
    }

    /// Whether a text is an IPv6 address as RFC 4291 writes it, with a zone where there is one: `fe80::1%eth0`.
    static func isIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let isZone = { (byte: UInt8) in isAlphanumeric(byte) || "-._".utf8.contains(byte) }
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(isZone) else { return false }
        }
        // `::` stands for one group or more, and is there once at most. An address without it has all eight groups.
        guard let address = parts.first else { return false }
        let halves = Self.halves(of: String(address))
        guard halves.count <= 2 else { return false }
        var groups = 0
        for (place, half) in halves.enumerated() where !half.isEmpty {
            guard let count = groupCount(half, mayEndInIPv4: place == halves.count - 1) else { return false }
            groups += count
        }
        return halves.count == 2 ? groups < 8 : groups == 8
    }

    private static func halves(of address: String) -> [Substring] {
        guard let gap = address.firstRange(of: "::") else { return [address[...]] }
        return [address[..<gap.lowerBound], address[gap.upperBound...]]
    }

    /// The number of 16-bit groups in a text with colons; nil where the text is no such groups.
    private static func groupCount(_ text: Substring, mayEndInIPv4: Bool) -> Int? {
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return nil }
            groups.removeLast()
            count = 2
        }
        let areGroups = groups.allSatisfy { group in
            (1...4).contains(group.utf8.count) && group.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        }
        return areGroups ? count + groups.count : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
