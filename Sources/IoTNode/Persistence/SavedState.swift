internal import BrokerLink
package import FoundationEssentials
internal import NodePorts
package import TimerEngine
package import TimerProtocol

/// The state that outlives the process: the player with its instants, and the boot of the machine from which they
/// count.
package struct SavedNodeState: Savable, Hashable {
    var boot = ""
    /// When the state was saved, on both clocks; used to convert its instants to another boot's clock.
    var at = Instant()
    var date = Date.unread
    /// The configuration's timers; nil if the player has the same timers. If the configuration has changed since, its
    /// new timers are used.
    var configured: TimerModel?
    // Without an initial value, because that would ask the system for a random id at each save.
    var player: TimerPlayer
    var startedAt: Instant?
    var silencedAt: Instant?
    var announced: Encoded<AnnouncedDevice>?
    package internal(set) var run: UUID?
    var added: Duration = .zero
    var modelRevision = 1
    var modeSince: Instant?
    var speaker: String?
    var locked: LockLevel?
    var message: Talk.Shown?
    var agenda: SavedAgenda?
    var follow: SavedFollow?
    var lastEndedAt: Instant?
    var undo: Undo?
    var programme: SavedProgramme?
    var clock: ClockEnd?
    var spentBudgets: [UUID] = []

    package init() { player = TimerPlayer() }

    /// Creates a state with only a player.
    package init(boot: String, at: Instant, date: Date, player: TimerPlayer) {
        (self.boot, self.at, self.date, self.player) = (boot, at, date, player)
    }
}

extension NodeCore {
    /// Returns the state to save at a moment.
    func savedState(at now: Moment) -> SavedNodeState {
        var state = SavedNodeState(boot: persistence.boot, at: now.instant, date: now.date, player: timer.player)
        (state.startedAt, state.modeSince, state.run) = (timer.startedAt, timer.modeSince, timer.runID)
        (state.added, state.modelRevision) = (timer.added, timer.modelRevision)
        (state.silencedAt, state.announced) = (outputs.indicators.silencedAt, reports.discovery.announced)
        (state.speaker, state.locked, state.message) = (talk.speaker, talk.locked, talk.message)
        (state.agenda, state.follow) = (agenda.saved, follower?.saved)
        (state.lastEndedAt, state.undo, state.programme) = (timer.lastEndedAt, undo, programme.saved)
        (state.clock, state.spentBudgets) = (timer.clock, spentBudgets.timers)
        return state
    }
}

extension SavedNodeState: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("boot", &boot, .own, "The id of the boot that the instants belong to.")
        try visitor.field("at", &at, "When it was saved.")
        try visitor.savedDate("date", &date, "When it was saved, by the wall clock.")
        try visitor.field("configured", &configured, .omitted, "The configuration's timers then, if they differ.")
        try visitor.field("player", &player, "The timers and the current run.")
        try visitor.field("started_at", &startedAt, .omitted, "When the run started.")
        try visitor.field("silenced_at", &silencedAt, .omitted, "When the buzzer was silenced.")
        try visitor.field("announced", &announced, .omitted, "What was announced to Home Assistant.")
        try visitor.field("run", &run, .omitted, "The id of the run.")
        try visitor.field("added", &added, .instants, "The time that was added during the run.")
        try visitor.field("model_revision", &modelRevision, .counts, "How many times the timers have been changed.")
        try visitor.field("mode_since", &modeSince, .omitted, "When the current mode began.")
        try visitor.field("speaker", &speaker, .plain, .omitted, "The current speaker.")
        try visitor.field("locked", &locked, .omitted, "What is locked.")
        try visitor.field("message", &message, .omitted, "The message to the speaker.")
        try visitor.field("agenda", &agenda, .omitted, "The agenda and the meetings that have begun.")
        try visitor.field("follow", &follow, .omitted, "The known data about the node that this one follows.")
        try visitor.field("last_ended_at", &lastEndedAt, .omitted, "When the last run ended.")
        try visitor.field("undo", &undo, .omitted, "The command that can be undone.")
        try visitor.field("clock", &clock, .omitted, "When the run ends by the clock.")
        try visitor.field(
            "spent_budgets", &spentBudgets, ListBounds(()), .omitted, "The timers of groups with a spent budget.")
        try visitor.field("programme", &programme, .omitted, "The running order, and what has happened.")
    }
}

/// A record with its JSON, for values that are saved often but rarely change.
struct Encoded<Value: Record & Hashable & Sendable>: FieldValue, Hashable, Sendable {
    let value: Value
    private let json: [UInt8]

    init(_ value: Value) { (self.value, json) = (value, value.json()) }

    static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> Self { Self(try Value.read(value, ())) }
    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.encoded(json) }
    static func schema(_ bounds: Void) -> JSON { Value.schema(()) }
}

extension FieldVisitor {
    /// Visits a date, which is saved in Foundation's encoding: the seconds since 2001.
    mutating func savedDate(_ key: String, _ date: inout Date, _ about: String) throws(Refusal) {
        var seconds = date.timeIntervalSinceReferenceDate
        let range = Timestamp.range
        try field(
            key, &seconds,
            range.lowerBound.timeIntervalSinceReferenceDate...range.upperBound.timeIntervalSinceReferenceDate, about)
        date = Date(timeIntervalSinceReferenceDate: seconds)
    }
}

extension TextKind {
    /// A string that the node itself wrote.
    static let own = TextKind(expected: "a string") { _ in nil }
}

extension SavedNodeState {
    /// The bytes to save.
    package var document: [UInt8] { SavedDocument.state.seal(json(capacity: 4096)) }

    /// Sets the configuration's timers, which are left out if the player has the same.
    mutating func adopt(configured model: TimerModel) { configured = model == player.model ? nil : model }

    /// The part of the state that does not change when only time passes. The state is saved when this part changes.
    var withoutTick: SavedNodeState {
        var withoutTick = self
        (withoutTick.at, withoutTick.date) = (Instant(), Date.unread)
        withoutTick.player = player.withoutTick
        return withoutTick
    }

    /// Reads a ``document``.
    init(_ document: [UInt8]) throws(SavedDocument.Unusable) {
        let json = try SavedDocument.state.open(document)
        do throws(PayloadError) {
            self = try Self.read(json)
        } catch {
            throw .invalid(error.description)
        }
        if let flaw { throw .invalid(flaw) }
    }

    /// Returns the same state with instants of the current boot. The wall clock gives the time since the state was
    /// saved, or zero if the clock went backwards.
    func moved(to now: Moment) -> SavedNodeState {
        let passed = Duration.seconds(max(0, date.distance(to: now.date)))
        let shift = at.duration(to: now.instant) - passed
        var moved = self
        moved.player.shift(by: shift)
        moved.at = at + shift
        moved.startedAt = startedAt.map { $0 + shift }
        moved.silencedAt = silencedAt.map { $0 + shift }
        moved.modeSince = modeSince.map { $0 + shift }
        moved.lastEndedAt = lastEndedAt.map { $0 + shift }
        moved.undo = nil
        return moved
    }
}

/// Saved states are checked before use, because arithmetic with invalid times would overflow and crash the process.
extension SavedNodeState {
    /// This is longer than any boot or run can last.
    private static let maximumTime: Duration = .longest
    private static let maximumCountdown: Duration = .seconds(Thresholds.longest)

    /// Why no node can have written this state, in a few words; nil if it is valid.
    var flaw: String? {
        if !Self.isPossible(at.sinceEpoch) { return "the time at which it was saved is out of range" }
        // From here on, adding to `at` is safe. A state is advanced to the current moment before it is saved, so its
        // past instants precede that moment and its future ones follow it.
        let past = [startedAt, silencedAt, modeSince, lastEndedAt, message?.at, player.countdown.alarmedSince]
            .compactMap(\.self)
        if !past.allSatisfy({ $0 <= at && at - Self.maximumTime <= $0 }) {
            return "an instant is later than the moment it was saved, or is out of range"
        }
        if let zero = player.countdown.zero, !(at <= zero && zero <= at + Self.maximumCountdown) {
            return "its timer had already ended, or runs for longer than a timer can"
        }
        if let until = message?.until, !(at - Self.maximumTime <= until && until <= at + Self.maximumTime) {
            return "the expiry of its message is out of range"
        }
        if agenda?.isPossible(at: at) == false { return "its reminder is out of range" }
        if undo?.isPossible(at: at) == false { return "the command that can be undone is out of range" }
        let countdown = player.countdown
        let lengths = [countdown.used(at: at), countdown.over(at: at), player.lastRun?.used, player.lastRun?.over]
        if !lengths.compactMap(\.self).allSatisfy(Self.isPossible) {
            return "a run has a length that is negative or out of range"
        }
        return nil
    }

    private static func isPossible(_ time: Duration) -> Bool { .zero <= time && time <= maximumTime }
}
