internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// What the store was asked to do, and how that ended.
struct Saving: Sendable {
    /// Something to be set aside, and the words for it in the log.
    struct Pending: Hashable, Sendable {
        let what: SetAside
        let reason: String
        /// Whether the store has been asked to, and has not answered.
        var isUnderWay = false
    }

    /// What was last saved, without what passes with time; if nil, the present state is saved again.
    var last: SavedNodeState?
    /// What must be set aside before anything is saved.
    var pending: [Pending] = []
    /// Why saving has failed since it last succeeded, each reason once.
    private var faults: Set<String> = []
    /// When to try again.
    private(set) var retryAt: Instant?
    /// The number of the newest save, by which its end is recognised.
    private var number = 0
    /// Whether the newest save has not ended yet.
    private var isSaveUnderWay = false
    /// Which version of the runs is on the disk.
    var savedRuns = 0
    /// The saves that have the runs with them and have not ended yet, with the version of these.
    private var runsUnderWay: [(number: Int, version: Int)] = []

    /// For another store, which is empty: the state is saved there, and edits that still have to be set aside are kept
    /// there. The old store is left as it is.
    var withOtherStore: Saving {
        var other = Saving()
        other.number = number
        // No version, so that the runs are saved there too.
        other.savedRuns = -1
        other.pending = pending.filter { if case .edits = $0.what { true } else { false } }
            .map { Pending(what: $0.what, reason: $0.reason) }
        return other
    }

    /// Whether saving has failed since it last succeeded.
    var hasFailed: Bool { !faults.isEmpty }

    /// Whether something is on its way to the disk.
    var isUnderWay: Bool { isSaveUnderWay || pending.contains(where: \.isUnderWay) }

    /// Whether these runs are neither on the disk nor on their way to it.
    func lacks(runs version: Int) -> Bool { version != savedRuns && runsUnderWay.last?.version != version }

    /// Begins a save; returns its number.
    ///
    /// - Parameter runs: the version of the runs that are saved with it; nil for none.
    mutating func begin(runs: Int?) -> Int {
        number += 1
        isSaveUnderWay = true
        if let runs { runsUnderWay.append((number, runs)) }
        return number
    }

    /// A save ended, well or not.
    mutating func ended(_ number: Int, well: Bool) {
        if well, let runs = runsUnderWay.last(where: { $0.number == number }) { savedRuns = runs.version }
        // Of those before it nothing will be heard: they were not begun, as this one came.
        runsUnderWay.removeAll { $0.number <= number }
        // An older one may end while the newest is still on its way.
        if number == self.number { isSaveUnderWay = false }
    }

    /// What is to be set aside and was not asked for yet; it counts as asked for from now on.
    mutating func setAside() -> [SetAside] {
        let asked = pending.filter { !$0.isUnderWay }.map(\.what)
        for place in pending.indices { pending[place].isUnderWay = true }
        return asked
    }

    /// Nothing could be saved; returns whether that is news.
    mutating func failed(_ fault: String, at now: Instant) -> Bool {
        retryAt = now + .seconds(60)
        return faults.insert(fault).inserted
    }

    /// The state is saved; returns whether it could not be before.
    mutating func succeeded() -> Bool {
        retryAt = nil
        defer { faults = [] }
        return hasFailed
    }

    /// Marks the state to be saved again, if a retry is due.
    mutating func retry(at now: Instant) {
        guard let retryAt, retryAt <= now else { return }
        self.retryAt = nil
        last = nil
    }
}

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
        case invalid(String)

        /// What is wrong with the saved state, as the rest of a sentence.
        var description: String {
            switch self {
            case .foreign: "is not one of timer-node"
            case .newer(let version): "is of version \(version), and this program knows \(SavedDocument.version)"
            case .torn: "is damaged: its checksum is another one"
            case .invalid(let reason): "is invalid: \(reason)"
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
