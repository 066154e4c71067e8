/// A command about the running order.
public enum ProgrammeCommand: Hashable, Sendable {
    /// Replaces the whole running order, or clears it if it has no entries; refused if `revision` is given and is not
    /// the current one.
    case replace(Programme, revision: Int? = nil)
    /// Makes an entry the current one: selects its timer or puts up its times, and sets the speaker. `start` also
    /// starts it.
    case go(EntrySelector, start: Bool = false)
    /// Leaves an entry out.
    case skip(String)
}

/// An entry of the running order, as a command names it.
public enum EntrySelector: Hashable, Sendable {
    /// The next entry that is neither done nor skipped.
    case next
    /// The entry before the current one.
    case previous
    /// A position, counted from 1, or an id.
    case entry(String)

    /// The selector in a string.
    public init(_ text: String) {
        switch text {
        case "next": self = .next
        case "previous": self = .previous
        default: self = .entry(text)
        }
    }

    /// The string.
    public var text: String {
        switch self {
        case .next: "next"
        case .previous: "previous"
        case .entry(let text): text
        }
    }
}

extension ProgrammeCommand {
    mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        switch self {
        case .replace(var programme, var revision):
            try programme.fields(&visitor)
            try visitor.revision("revision", &revision)
            self = .replace(programme, revision: revision)
        case .go, .skip: try entry(&visitor)
        }
    }

    private mutating func entry(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (entry, skipped, start): (EntryField?, EntryField?, Bool) = (nil, nil, false)
        switch self {
        case .go(let selector, let starts): (entry, start) = (EntryField(text: selector.text), starts)
        case .skip(let text): skipped = EntryField(text: text)
        case .replace: break
        }
        // The command before its arguments are read.
        if entry?.text.isEmpty == true { entry = nil }
        try visitor.field("entry", &entry, .omitted, "The entry: `next`, `previous`, its position from 1, or its id.")
        try visitor.field("start", &start, .omitted, "Whether to start it.")
        try visitor.field("skip", &skipped, .omitted, "The entry to leave out.")
        try visitor.check { (fields) throws(Refusal) in
            if entry == nil, skipped == nil { throw fields.missing("entry") }
            if skipped != nil, entry != nil || start {
                throw Refusal(.invalidPayload, "field \"skip\" cannot be combined with \"entry\" or \"start\"")
            }
        }
        self = skipped.map { .skip($0.text) } ?? .go(EntrySelector(entry?.text ?? ""), start: start)
    }
}

/// An entry in a command: a word, a position or an id.
private struct EntryField: ScalarValue {
    static let expected = "next, previous, the position of an entry, from 1, or its id"

    let text: String

    init(text: String) { self.text = text }

    init?(field: JSON) {
        if let number = Int(field, in: .places) {
            text = "\(number)"
        } else if case .string(let name) = field, !name.isEmpty, TextKind.plain.fits(name) {
            text = name
        } else {
            return nil
        }
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(text) }
}
