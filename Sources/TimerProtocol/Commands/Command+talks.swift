public import FoundationEssentials

// The arguments of the commands for talks, the report and the agenda.

extension TalkCommand {
    mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        switch self {
        case .speaker(let person):
            var name = person ?? ""
            try visitor.field("name", &name, .plain, .usual, "The speaker's name; empty to clear it.")
            self = .speaker(name.isEmpty ? nil : name)
        case .message(let message): self = .message(try Self.message(message, &visitor))
        case .lock(let level):
            var isForCommands = level == .commands
            try visitor.field("commands", &isForCommands, .omitted, "Whether commands are also locked out.")
            self = .lock(isForCommands ? .commands : .inputs)
        case .unlock: break
        }
    }

    private static func message(
        _ message: MessageToSpeaker?, _ visitor: inout some FieldVisitor
    ) throws(Refusal) -> MessageToSpeaker? {
        var (text, duration) = (message?.text ?? "", message?.duration)
        // Nil if not set, as an empty message requires.
        var (attention, keep) = (message?.attention == true ? true : nil, message?.keep == true ? true : nil)
        try visitor.field("text", &text, .message, .usual, "The message for the speaker; empty to remove it.")
        try visitor.seconds("for", &duration, "How long it is shown; by default until the timer stops.")
        try visitor.field("attention", &attention, .omitted, "Whether the lamps draw attention to the message.")
        try visitor.field("keep", &keep, .omitted, "Whether it stays when the timer is stopped.")
        try visitor.check { (fields) throws(Refusal) in
            if text.isEmpty, duration != nil || attention != nil || keep != nil { throw fields.missing("text") }
            if let duration, !MessageToSpeaker.durations.contains(duration) {
                throw fields.refusal(
                    "for", found: "\(duration) s", expected: "1 s to \(MessageToSpeaker.durations.upperBound) s")
            }
        }
        return text.isEmpty
            ? nil : MessageToSpeaker(text, for: duration, attention: attention ?? false, keep: keep ?? false)
    }
}

extension MessageToSpeaker {
    /// How long a message may be shown, in seconds.
    fileprivate static let durations = 1...86_400
}

extension RunsCommand {
    /// A command with a speaker or a time amends a run. `run` names it; without `run`, the command's `id` is the id of
    /// the run.
    mutating func arguments(_ visitor: inout some FieldVisitor, id: String?) throws(Refusal) {
        var (page, run, change): (Int?, UUID?, RunAmendment) = (nil, nil, RunAmendment())
        switch self {
        case .page(let number): page = number == 1 ? nil : number
        case .amend(let id, let amendment): (run, change) = (id, amendment)
        case .clear: return
        }
        try visitor.field("page", &page, .places, .omitted, "The page, counted from 1.")
        try visitor.field("run", &run, .omitted, "The run to amend.")
        try visitor.field("speaker", &change.speaker, .plain, .omitted, "The name of the speaker; empty to clear it.")
        try visitor.seconds("used", &change.used, "How long the run took.")
        let named = run ?? id.flatMap { UUID(uuidString: $0) }
        try visitor.check { (fields) throws(Refusal) in
            guard let field = change.speaker != nil ? "speaker" : change.used != nil ? "used" : nil else {
                if run != nil { throw fields.missing("speaker") }
                return
            }
            if page != nil {
                throw Refusal(.invalidPayload, "field \"\(field)\" amends a run and cannot be combined with \"page\"")
            }
            if named == nil {
                throw fields.refusal("id", found: id?.quoted ?? "nothing", expected: "the id of a run to amend")
            }
            if let used = change.used, !RunAmendment.lengths.contains(used) {
                throw fields.refusal(
                    "used", found: "\(used) s", expected: "0 s to \(RunAmendment.lengths.upperBound) s")
            }
        }
        if let named, change != RunAmendment() { self = .amend(id: named, change) } else { self = .page(page ?? 1) }
    }
}

extension AgendaCommand {
    mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        switch self {
        case .replace(var agenda, var revision):
            try agenda.fields(&visitor)
            try visitor.revision("revision", &revision)
            self = .replace(agenda, revision: revision)
        case .begin(let selector):
            var meeting = MeetingArgument(selector: selector)
            try visitor.field("meeting", &meeting, "The meeting: its position in the agenda, or its name.")
            self = .begin(meeting.selector)
        }
    }
}

/// A meeting in a command: its position in the agenda, or its name.
private struct MeetingArgument: ScalarValue {
    static let expected = "the position of a meeting, from 1, or its name"

    let selector: String

    init(selector: String) { self.selector = selector }

    init?(field: JSON) {
        if let number = Int(field, in: .places) {
            selector = "\(number)"
        } else if case .string(let name) = field, TextKind.plain.fits(name) {
            selector = name
        } else {
            return nil
        }
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(selector) }
}

/// A command about the people involved in a talk: the speaker, the message that the speaker sees, and the inputs that
/// are locked.
public enum TalkCommand: Hashable, Sendable {
    /// Sets the speaker of the current or next run; nil clears it.
    case speaker(String?)
    /// Shows a message wherever the timer is shown; nil removes it.
    case message(MessageToSpeaker?)
    /// Locks inputs to prevent accidental changes.
    case lock(LockLevel)
    /// Removes any lock.
    case unlock
}

/// A message to the speaker, as an argument of its command.
public struct MessageToSpeaker: Hashable, Sendable {
    /// The maximum number of characters in a message.
    public static let maximumCharacters = 200
    /// The maximum number of bytes in a message.
    public static let maximumBytes = 512

    /// The text: 1 to 200 characters in up to 512 bytes, without control characters.
    public var text: String
    /// How long it is shown, in seconds, 1…86 400; nil to show it until the timer is stopped.
    public var duration: Int?
    /// Whether the lamps draw attention to the message.
    public var attention: Bool
    /// Whether it stays when the timer is stopped.
    public var keep: Bool

    /// A message.
    public init(_ text: String, for duration: Int? = nil, attention: Bool = false, keep: Bool = false) {
        self.text = text
        self.duration = duration
        self.attention = attention
        self.keep = keep
    }
}

/// The inputs that a lock disables.
public enum LockLevel: String, CaseIterable, Hashable, Sendable {
    /// Buttons and remotes.
    case inputs
    /// Buttons, remotes and commands.
    case commands
}

/// A command about the report.
public enum RunsCommand: Hashable, Sendable {
    /// The number of runs on a page.
    public static let pageLength = 25

    /// Requests a page of the runs, counted from 1; the newest run is the first on page 1.
    case page(Int)
    /// Corrects a run that ended.
    case amend(id: UUID, RunAmendment)
    /// Sets the runs aside in a file and starts an empty report.
    case clear
}

/// The corrections to a run that ended.
public struct RunAmendment: Hashable, Sendable {
    /// The times that a run can be corrected to, in seconds: up to a week.
    public static let lengths = 0...7 * 86_400

    /// The speaker; empty for none, and nil to leave the speaker unchanged.
    public var speaker: String?
    /// How long the run took, in seconds; nil to leave it unchanged.
    public var used: Int?

    /// A correction of the speaker, of the time, or of both.
    public init(speaker: String? = nil, used: Int? = nil) {
        self.speaker = speaker
        self.used = used
    }
}

/// A command about the agenda.
public enum AgendaCommand: Hashable, Sendable {
    /// Replaces the whole agenda; refused if `revision` is given and is not the current one.
    case replace(Agenda, revision: Int? = nil)
    /// Begins a meeting now. The meeting is given by its position, counted from 1, or by a name that only one meeting
    /// has.
    case begin(String)
}
