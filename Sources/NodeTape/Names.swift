internal import BrokerLink
internal import IoTNode
package import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

extension Tape {
    /// Returns the same tape without names: of people, timers, meetings, nodes and machines. Each name is replaced by the
    /// same pseudonym everywhere, so the tape still replays.
    ///
    /// Names shorter than three characters, and names that are also words of the protocol or the program's own, are
    /// kept.
    ///
    /// - Parameter configurations: all configurations on the tape.
    package func anonymous(_ configurations: [NodeConfiguration]) throws(TapeError) -> Tape {
        var names = Names()
        for configuration in configurations { names.collect(configuration) }
        for segment in segments {
            names.add(segment.header.configuration.hostName)
            for document in [segment.header.state, segment.runs] { names.collectLines(document) }
            for turn in segment.turns {
                if case .events(let events) = turn.cause { events.forEach { names.collect($0) } }
                for decision in turn.decisions { names.collect(decision) }
            }
        }
        let pseudonyms = Pseudonyms(names)
        var tape = try Tape([bytes], rewriting: pseudonyms.replacing)
        for segment in tape.segments.indices {
            tape.segments[segment].header.configuration.makeAnonymous()
            for turn in tape.segments[segment].turns.indices {
                guard case .reconfiguration(var configuration) = tape.segments[segment].turns[turn].cause else {
                    continue
                }
                configuration.makeAnonymous()
                tape.segments[segment].turns[turn].cause = .reconfiguration(configuration)
            }
        }
        return tape
    }
}

extension TapeConfiguration {
    /// Leaves out the path of the file, and the comments in it.
    fileprivate mutating func makeAnonymous() {
        file = "timer-node.yaml"
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        text = Array(lines.map { $0[..<Self.comment(in: $0)] }.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Returns where the comment in a line of YAML begins, or the line's end. A number sign within quotes begins none.
    private static func comment(in line: ArraySlice<UInt8>) -> Int {
        var quote: UInt8?
        var before = UInt8(ascii: " ")
        for (place, byte) in zip(line.indices, line) {
            let isEscaped = quote == UInt8(ascii: "\"") && before == UInt8(ascii: "\\")
            switch byte {
            case quote where !isEscaped: quote = nil
            case UInt8(ascii: "#") where quote == nil && " \t".utf8.contains(before): return place
            // Within a word, it is an apostrophe. Two in a row are one within quotes.
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                if quote == nil, " \t[{,:'".utf8.contains(before) { quote = byte }
            default: break
            }
            before = isEscaped ? UInt8(ascii: " ") : byte
        }
        return line.endIndex
    }
}

/// The names on a tape.
private struct Names {
    private(set) var all: Set<String> = []

    /// The fields whose values are names.
    private static let keys: Set<String> = [
        "event", "group", "location", "meeting", "name", "note", "speaker", "text", "title",
    ]
    /// Words of the protocol and the program's own names. A name that is also one of these words is kept.
    private static let knownWords: Set<String> = {
        var words: Set = ["all", "command", "none", "timer", "homeassistant", "true", "false", "null"]
        words.formUnion(Verb.allCases.map(\.rawValue))
        words.formUnion(TopicKind.allCases.map(\.rawValue))
        words.formUnion(ModeName.allCases.map(\.rawValue))
        words.formUnion(NodeConfiguration.keyNames)
        for group in NodeConfiguration.Timers().model.groups {
            words.insert(group.name)
            words.formUnion(group.timers.map(\.name))
        }
        return words
    }()
    /// Those, and the keys on the tape.
    private var words = Self.knownWords

    var meant: [String] { all.filter { !words.contains($0) && $0.count > 2 }.sorted() }

    mutating func add(_ name: String?) { if let name, !name.isEmpty { all.insert(name) } }

    mutating func collect(_ configuration: NodeConfiguration) {
        let (node, link) = (configuration.node, configuration.mqtt?.link)
        var names = [node.id, node.name, node.webURL, configuration.follow?.node, link?.clientID] + node.groups
        names += [link?.credentials?.username, configuration.mqtt?.prefix] + (link?.brokers.map(\.host) ?? [])
        for group in configuration.timers.model.groups {
            names.append(group.name)
            names += group.timers.flatMap { [$0.name, $0.event, $0.location] }
        }
        for meeting in configuration.agenda?.meetings ?? [] { names += [meeting.name, meeting.location, meeting.note] }
        names.forEach { add($0) }
    }

    mutating func collect(_ event: NodeEvent) {
        switch event {
        case .connection(.message(let message)): collect(message.payload)
        case .started(let saved, _): collectLines(saved)
        case .runsLoaded(let runs): collectLines(runs)
        default: break
        }
    }

    /// Collects the names in what a node publishes, but not in what it announces to Home Assistant, which has names of
    /// its own.
    mutating func collect(_ decision: Decision) {
        guard case .publishes(_, let payload, _) = decision else { return }
        if TopicKind.allCases.contains(where: decision.publishes) { collect(payload) }
    }

    mutating func collectLines(_ document: [UInt8]?) {
        for line in (document ?? []).split(separator: UInt8(ascii: "\n")) { collect(Array(line)) }
    }

    /// Collects the names in JSON.
    mutating func collect(_ payload: [UInt8]) {
        if let json = try? JSON(parsing: payload) { collect(json) }
    }

    private mutating func collect(_ json: JSON) {
        switch json {
        case .object(let members):
            for member in members {
                words.formUnion(member.key.split(separator: "_").map(String.init) + [member.key])
                if Self.keys.contains(member.key), case .string(let name) = member.value { add(name) }
                collect(member.value)
            }
        case .array(let values): values.forEach { collect($0) }
        default: break
        }
    }
}

/// Replaces names by pseudonyms, wherever they are not part of a longer word.
private struct Pseudonyms {
    /// The names that begin with each byte, the longest first.
    private var names: [UInt8: [(name: [UInt8], pseudonym: [UInt8])]] = [:]

    init(_ names: Names) {
        for (place, name) in names.meant.enumerated() {
            let pseudonym = Array("anon\(place + 1)".utf8)
            let written = JSON.string(name).bytes.dropFirst().dropLast()
            // Home Assistant's ids have no hyphens.
            let identifier = name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
            // In YAML, an apostrophe within quotes is written twice.
            let quoted = Array(name.replacing("'", with: "''").utf8)
            for form in Set([Array(name.utf8), Array(written), Self.inASCII(written), identifier, quoted]) {
                self.names[form[0], default: []].append((form, pseudonym))
            }
        }
        for (byte, forms) in self.names { self.names[byte] = forms.sorted { $0.name.count > $1.name.count } }
    }

    /// Returns JSON in which all characters beyond ASCII are escaped.
    private static func inASCII(_ json: some Sequence<UInt8>) -> [UInt8] {
        String(decoding: Array(json), as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if unit < 128 { return [UInt8(unit)] }
            let digits = String(unit, radix: 16)
            return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
    }

    /// Returns bytes without names: of a document with its checksum, a file of a time zone, or any text.
    func replacing(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: Array("TZif".utf8)) { return bytes }
        return SavedDocument.rewriting(bytes, replacingNames) ?? replacingNames(bytes)
    }

    private func replacingNames(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let isStart = place == 0 || !Self.isWord(bytes[place - 1])
            let match = isStart ? names[bytes[place]]?.first { Self.matches($0.name, bytes, at: place) } : nil
            if let match {
                result += match.pseudonym
                place += match.name.count
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }

    private static func matches(_ name: [UInt8], _ bytes: [UInt8], at place: Int) -> Bool {
        let end = place + name.count
        guard end <= bytes.count, end == bytes.count || !isWord(bytes[end]) else { return false }
        return bytes[place..<end].elementsEqual(name)
    }

    /// Whether a byte is a part of a word: a letter, a digit, or any character beyond ASCII.
    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
