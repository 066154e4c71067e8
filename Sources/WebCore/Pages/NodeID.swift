/// The id of a node, as addresses and topics have it: `[a-z0-9][a-z0-9_-]{0,62}`, not `all`.
package enum NodeID {
    /// Whether a text may be the id of a node.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 63, text != "all" else { return false }
        return isAlphanumeric(first)
            && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
