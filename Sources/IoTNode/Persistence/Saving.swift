internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// The requests sent to the store, and their results.
struct Saving: Sendable {
    /// A document to set aside, and the reason to log.
    struct Pending: Hashable, Sendable {
        let what: SetAside
        let reason: String
        /// Whether the store has received the request and has not reported a result.
        var isUnderWay = false
    }

    /// The state that was last saved, without the values that change with time; nil to save the current state again.
    var last: SavedNodeState?
    /// The documents that must be set aside before anything is saved.
    var pending: [Pending] = []
    /// The reasons why saving has failed since it last succeeded, without duplicates.
    private var faults: Set<String> = []
    /// When to retry.
    private(set) var retryAt: Instant?
    /// The number of the newest save, which identifies it when it ends.
    private var number = 0
    /// Whether the newest save has not ended yet.
    private var isSaveUnderWay = false
    /// The version of the runs that is on the disk.
    var savedRuns = 0
    /// The saves that include the runs and have not ended yet, each with the version of the runs.
    private var runsUnderWay: [(number: Int, version: Int)] = []

    /// The pending requests, transferred to a new, empty store: the state will be saved there, and edits that still
    /// have to be set aside will be kept there. The old store is not changed.
    var withOtherStore: Saving {
        var other = Saving()
        other.number = number
        // This is not a valid version, so the runs are saved in the new store too.
        other.savedRuns = -1
        other.pending = pending.filter { if case .edits = $0.what { true } else { false } }
            .map { Pending(what: $0.what, reason: $0.reason) }
        return other
    }

    /// Whether saving has failed since it last succeeded.
    var hasFailed: Bool { !faults.isEmpty }

    /// Whether a write to the disk is in progress.
    var isUnderWay: Bool { isSaveUnderWay || pending.contains(where: \.isUnderWay) }

    /// Whether these runs are neither on the disk nor being written to it.
    func lacks(runs version: Int) -> Bool { version != savedRuns && runsUnderWay.last?.version != version }

    /// Begins a save; returns its number.
    ///
    /// - Parameter runs: the version of the runs that are saved with it; nil if none are.
    mutating func begin(runs: Int?) -> Int {
        number += 1
        isSaveUnderWay = true
        if let runs { runsUnderWay.append((number, runs)) }
        return number
    }

    /// Records that a save ended, successfully or not.
    mutating func ended(_ number: Int, well: Bool) {
        if well, let runs = runsUnderWay.last(where: { $0.number == number }) { savedRuns = runs.version }
        // The store will not report earlier saves, because it skipped them when this one arrived.
        runsUnderWay.removeAll { $0.number <= number }
        // An older save may end while the newest one is still in progress.
        if number == self.number { isSaveUnderWay = false }
    }

    /// Returns the documents that must be set aside and have not been requested yet, and marks them as requested.
    mutating func setAside() -> [SetAside] {
        let asked = pending.filter { !$0.isUnderWay }.map(\.what)
        for place in pending.indices { pending[place].isUnderWay = true }
        return asked
    }

    /// Records that saving failed; returns whether the reason is new.
    mutating func failed(_ fault: String, at now: Instant) -> Bool {
        retryAt = now + .seconds(60)
        return faults.insert(fault).inserted
    }

    /// Records that the state was saved; returns whether saving had failed before.
    mutating func succeeded() -> Bool {
        retryAt = nil
        defer { faults = [] }
        return hasFailed
    }

    /// Marks the state as unsaved if a retry is due.
    mutating func retry(at now: Instant) {
        guard let retryAt, retryAt <= now else { return }
        self.retryAt = nil
        last = nil
    }
}

/// The format of saved documents: a header line, then a line of JSON. A file has one document or several, and the last
/// one counts.
///
/// The header is, for example, `timer-node-state 1 0a1b2c3d`: the kind of document, its version, and the CRC-32 of the
/// JSON.
package struct SavedDocument {
    /// Why this version of the program cannot use a document.
    enum Unusable: Error, Hashable, CustomStringConvertible {
        /// Another program wrote it, or its first line is damaged.
        case foreign
        /// A later version of this program wrote it.
        case newer(Int)
        /// The checksum does not match.
        case torn
        /// The document is undamaged, but it is not a valid state.
        case invalid(String)

        /// The problem with the saved state, as the rest of a sentence.
        var description: String {
            switch self {
            case .foreign: "was not written by timer-node"
            case .newer(let version): "has version \(version), but only \(SavedDocument.version) is supported"
            case .torn: "is damaged: its checksum does not match"
            case .invalid(let reason): "is invalid: \(reason)"
            }
        }
    }

    /// The version of the documents that this program writes.
    static let version = 1

    /// The document format for a state.
    package static let state = SavedDocument(name: "timer-node-state")
    /// The document format for the completed runs.
    package static let runs = SavedDocument(name: "timer-node-runs")

    private let name: String

    /// Returns the JSON with the header line in front.
    package func seal(_ json: [UInt8]) -> [UInt8] {
        var document = Array("\(name) \(Self.version) ".utf8)
        document.reserveCapacity(document.count + 9 + json.count)
        document += Self.digits(of: Self.checksum(of: json))
        document.append(UInt8(ascii: "\n"))
        document += json
        return document
    }

    /// Returns the JSON of the last complete document. A power cut can leave an incomplete one after it.
    ///
    /// - Throws: what is wrong with the first document, if no document is complete.
    func open(_ file: [UInt8]) throws(Unusable) -> [UInt8] {
        let lines = file.split(separator: UInt8(ascii: "\n"))
        var reason = Unusable.foreign
        for header in stride(from: 0, to: lines.count, by: 2).reversed() {
            let json = Array(header + 1 < lines.count ? lines[header + 1] : [])
            do throws(Unusable) {
                try check(lines[header], of: json)
                return json
            } catch { reason = error }
        }
        throw reason
    }

    /// Returns a file with another JSON in each of its documents; nil if the file is not one of this program.
    package static func rewriting(_ file: [UInt8], _ change: ([UInt8]) -> [UInt8]) -> [UInt8]? {
        guard let kind = [state, runs].first(where: { file.starts(with: Array("\($0.name) ".utf8)) }) else {
            return nil
        }
        let lines = file.split(separator: UInt8(ascii: "\n"))
        let documents = stride(from: 1, to: lines.count, by: 2).map { kind.seal(change(Array(lines[$0]))) }
        return Array(documents.joined(separator: [UInt8(ascii: "\n")]))
    }

    private func check(_ header: ArraySlice<UInt8>, of json: [UInt8]) throws(Unusable) {
        let words = header.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 2, words[0] == name, let version = Int(words[1]), version > 0 else { throw .foreign }
        guard version == Self.version else { throw .newer(version) }
        guard words.count == 3, Array(words[2].utf8) == Self.digits(of: Self.checksum(of: json)) else { throw .torn }
    }

    private static func digits(of checksum: UInt32) -> [UInt8] {
        var digits: [UInt8] = []
        digits.append(hexadecimal: UInt8(checksum >> 24), UInt8(checksum >> 16 & 255))
        digits.append(hexadecimal: UInt8(checksum >> 8 & 255), UInt8(checksum & 255))
        return digits
    }

    /// The CRC-32 used by Ethernet and gzip; the header contains it as eight hexadecimal digits.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        let table = remainders
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes { crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
        return ~crc
    }

    /// The remainder for each byte value, so a byte takes one step instead of eight.
    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}
