package import TimerEngine

/// The running order of an evening: what comes one after another, with the timer or the times of each entry.
///
/// Values out of range can be created and written, but readers refuse them.
public struct Programme: Hashable, Sendable {
    /// The maximum number of entries.
    public static let maximumEntries = 200

    /// The entries in their order.
    public var entries: [Entry] = []

    /// An empty running order.
    public init() {}

    /// A running order.
    public init(entries: [Entry]) { self.entries = entries }

    /// An item of the running order.
    ///
    /// It has a timer, or times of its own, or neither if nobody times it.
    public struct Entry: Hashable, Sendable {
        /// The id, 1 to 64 bytes, neither a number nor `next` nor `previous`; nil to let the node choose one.
        public var id: String?
        /// The title, 1 to 128 bytes without control characters.
        public var title = ""
        /// The speaker; nil if not given.
        public var speaker: String?
        /// The selector of its timer; nil if it has times of its own or is not timed.
        public var timer: String?
        /// The time from which it counts down, in seconds; nil if it has a timer or is not timed.
        public var start: Int?
        /// The time of day at which it ends, in the agenda's zone; nil if it does not end by the clock.
        public var until: TimeOfDay?
        /// The remaining time at which its warning begins, in seconds; nil for none.
        public var warning: Int?
        /// The remaining time at which its final mode begins, in seconds; nil for none.
        public var final: Int?
        /// The shortest time that qualifies, in seconds; nil for none.
        public var minimum: Int?
        /// The longest time that qualifies, in seconds; nil for none.
        public var maximum: Int?
        /// The planned time of day, in the agenda's zone; nil if not given.
        public var at: TimeOfDay?
        /// A note, up to 512 bytes without control characters; nil for none.
        public var note: String?

        /// An entry without a title.
        public init() {}
    }
}

extension Programme.Entry {
    /// Whether somebody times it.
    package var isTimed: Bool { timer != nil || start != nil || until != nil }

    /// The times of its own; nil if it has a timer, ends by the clock or is not timed.
    package var oneOff: TimerPlayer.OneOff? {
        get throws(TimerEngine.ThresholdsError) {
            guard let start else { return nil }
            let thresholds = try Thresholds(start: start, warning: warning ?? 0, final: final ?? 0)
            let rule = try? QualifyingTime(minimum: minimum, maximum: maximum)
            return TimerPlayer.OneOff(thresholds: thresholds, name: title, qualifying: rule ?? .none)
        }
    }

    /// Whether a string may be an id. A number and the words that `entry` accepts have other meanings there.
    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && WholeNumber.parse(text) == nil && !["next", "previous"].contains(text)
            && text.unicodeScalars.allSatisfy { !$0.isControl } && PayloadContent.trimmed(text) == text
    }
}

extension Programme {
    /// Returns the index of an entry: its id, or its position counted from 1.
    package func index(_ selector: String) throws(Refusal) -> Int {
        if let index = entries.firstIndex(where: { $0.id == selector }) { return index }
        if let number = WholeNumber.parse(selector), entries.indices.contains(number - 1) { return number - 1 }
        let all = entries.isEmpty ? "the running order is empty" : "there are \(entries.count) entries"
        throw Refusal(.notFound, "there is no entry \(selector.quoted): \(all)")
    }

    /// Returns the running order with an id for each entry.
    ///
    /// - Parameter used: ids that must not be given to other entries.
    package func identified(avoiding used: Set<String>) -> Programme {
        var programme = self
        var taken = used.union(entries.compactMap(\.id))
        var number = 0
        for index in entries.indices where entries[index].id == nil {
            repeat { number += 1 } while !taken.insert("e\(number)").inserted
            programme.entries[index].id = "e\(number)"
        }
        return programme
    }
}

// MARK: - Fields

extension Programme: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "entries", &entries, ListBounds((), count: (0...Self.maximumEntries, "entries")), .usual,
            "The entries in their order.")
        let ids = entries.map(\.id)
        try visitor.check { (_) throws(Refusal) in
            for (index, id) in ids.enumerated() {
                guard let id, ids[..<index].contains(id) else { continue }
                throw PayloadFields([], at: "entries[\(index + 1)]").refusal(
                    "id", found: "\(id.quoted) a second time", expected: "each id once")
            }
        }
    }
}

extension Programme.Entry: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .entryID, .omitted, "The id; absent to let the node choose one.")
        try visitor.field("title", &title, .name, "The title.")
        try visitor.field("speaker", &speaker, .plain, .omitted, "The speaker.")
        try visitor.field("timer", &timer, .selector, .omitted, "The timer.")
        try visitor.seconds("start", &start, "The time from which it counts down, without a timer.")
        try visitor.field("until", &until, .omitted, "The time of day at which it ends, without a timer.")
        try visitor.seconds("warning", &warning, "The remaining time at which its warning begins.")
        try visitor.seconds("final", &final, "The remaining time at which its final mode begins.")
        try visitor.seconds("minimum", &minimum, "The shortest time that qualifies.")
        try visitor.seconds("maximum", &maximum, "The longest time that qualifies.")
        try visitor.field("at", &at, .omitted, "The planned time of day.")
        try visitor.field("note", &note, .note, .omitted, "A note for people.")
        let entry = self
        try visitor.check { (fields) throws(Refusal) in try entry.check(fields) }
    }

    private func check(_ fields: PayloadFields) throws(Refusal) {
        let times = [
            ("start", start), ("warning", warning), ("final", final), ("minimum", minimum), ("maximum", maximum),
        ]
        if until != nil, timer != nil || start != nil {
            throw fields.refusal(
                "until", found: "a time of day", expected: "none beside \"\(timer == nil ? "start" : "timer")\"")
        }
        guard let first = times.first(where: { $0.1 != nil })?.0 else { return }
        if timer != nil {
            throw fields.refusal(first, found: "a time", expected: "none beside \"timer\"")
        }
        if until != nil {
            guard (final ?? 0) < max(1, warning ?? Thresholds.longest) else {
                throw fields.refusal("final", found: "\(final ?? 0) s", expected: "less than \"warning\"")
            }
            _ = try fields.qualifying(minimum: minimum, maximum: maximum)
            return
        }
        guard let start else { throw fields.missing("start") }
        guard start > 0 else { throw fields.refusal("start", found: "0 s", expected: "1 s or more") }
        do throws(TimerEngine.ThresholdsError) { _ = try oneOff } catch {
            throw Refusal(.invalidPayload, "field \(fields.path(error.fault.rawValue)): \(error)")
        }
        _ = try fields.qualifying(minimum: minimum, maximum: maximum)
    }
}

extension TextKind {
    /// The id of an entry in the running order.
    static let entryID = TextKind(
        expected: "1 to 64 bytes without control characters that are not a number, next or previous"
    ) { text in
        Programme.Entry.isID(text) ? nil : text.quoted
    }
}
