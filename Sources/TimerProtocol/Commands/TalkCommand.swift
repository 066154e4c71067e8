public import FoundationEssentials

/// What concerns the people of a talk: who speaks, what the speaker is told, and who may change things.
public enum TalkCommand: Hashable, Sendable {
    /// Says who speaks in the present or the coming run; nil for nobody.
    case speaker(String?)
    /// Shows a message wherever the timer is shown; nil takes it away.
    case message(MessageToSpeaker?)
    /// Keeps people from changing things by accident.
    case lock(LockLevel)
    /// Ends any lock.
    case unlock
}

/// A message to the speaker, as the command has it.
public struct MessageToSpeaker: Hashable, Sendable {
    /// The most characters of a text.
    public static let maximumCharacters = 200
    /// The most bytes of a text.
    public static let maximumBytes = 512

    /// The text: 1 to 200 characters in up to 512 bytes, without control characters.
    public var text: String
    /// After how many seconds it ends, 1…86 400; nil for when the timer is stopped.
    public var duration: Int?
    /// Whether the lamps ask for attention.
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

/// What a lock keeps from changing things.
public enum LockLevel: String, CaseIterable, Hashable, Sendable {
    /// Buttons and remotes.
    case inputs
    /// Commands too.
    case commands
}

/// What concerns the report.
public enum RunsCommand: Hashable, Sendable {
    /// How many runs are on a page.
    public static let pageLength = 25

    /// Answers with a page of the runs, counted from 1; the newest run is the first of page 1.
    case page(Int)
    /// Says who spoke in a run that ended; nil for nobody.
    case amend(id: UUID, speaker: String?)
    /// Sets the runs aside, and begins anew.
    case clear
}

/// What concerns the agenda.
public enum AgendaCommand: Hashable, Sendable {
    /// Replaces the agenda, all or nothing; refused where it has another revision by now.
    case replace(Agenda, revision: Int? = nil)
    /// Begins a meeting now, by its index from 1 or by a name that only one meeting has.
    case begin(String)
}
