internal import TimerProtocol

/// The bytes that something is saved as: one line that says what follows, then JSON.
///
/// The line is `timer-node-state 1 0a1b2c3d`: what follows, its version, and its CRC-32.
package struct SavedDocument {
    /// Why this version cannot use a document.
    enum Unusable: Error, Hashable, CustomStringConvertible {
        /// Another program wrote it, or its first line is damaged.
        case foreign
        /// A later version of this program wrote it.
        case newer(Int)
        /// The checksum does not match.
        case torn
        /// It is undamaged, but no valid state.
        case senseless(String)

        /// What is wrong with the saved state, as the rest of a sentence.
        var description: String {
            switch self {
            case .foreign: "is not one of timer-node"
            case .newer(let version): "is of version \(version), and this program knows \(SavedDocument.version)"
            case .torn: "is damaged: its checksum is another one"
            case .senseless(let reason): "is none: \(reason)"
            }
        }
    }

    /// The version that is written.
    static let version = 1

    /// The document of a state.
    static let state = SavedDocument(name: "timer-node-state")
    /// The document of the runs that ended.
    static let runs = SavedDocument(name: "timer-node-runs")

    private let name: String

    /// Puts the line in front.
    func seal(_ json: [UInt8]) -> [UInt8] {
        var document = Array("\(name) \(Self.version) ".utf8)
        document.reserveCapacity(document.count + 9 + json.count)
        document += Self.digits(of: Self.checksum(of: json))
        document.append(UInt8(ascii: "\n"))
        document += json
        return document
    }

    /// Checks the first line, and returns what follows it.
    func open(_ document: [UInt8]) throws(Unusable) -> [UInt8] {
        let words = document.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 2, words[0] == name, let version = Int(words[1]), version > 0 else { throw .foreign }
        guard version == Self.version else { throw .newer(version) }
        let json = Array(document.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
        guard words.count == 3, Array(words[2].utf8) == Self.digits(of: Self.checksum(of: json)) else { throw .torn }
        return json
    }

    private static func digits(of checksum: UInt32) -> [UInt8] {
        var digits: [UInt8] = []
        digits.append(hexadecimal: UInt8(checksum >> 24), UInt8(checksum >> 16 & 255))
        digits.append(hexadecimal: UInt8(checksum >> 8 & 255), UInt8(checksum & 255))
        return digits
    }

    /// The CRC-32 of Ethernet and gzip; the line has it as eight hexadecimal digits.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        let table = remainders
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes { crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
        return ~crc
    }

    /// The remainder for each byte, so that a byte takes one step instead of eight.
    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
