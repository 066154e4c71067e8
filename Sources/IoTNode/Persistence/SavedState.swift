package import FoundationEssentials
package import TimerEngine
internal import TimerProtocol

/// What outlives the process: the player with its instants, and the machine's boot that these count from.
package struct SavedNodeState: Codable, Hashable, Sendable {
    /// The id of the machine's boot; an instant means nothing in another one.
    var boot: String
    /// When it was saved, on both clocks, which converts its instants to those of another boot.
    var at: TimerEngine.Instant
    var date: Date
    /// The timers of the configuration at that time; nil if the player's are the same. If the configuration has other
    /// timers now, those of the configuration are used.
    var configured: TimerModel?
    var player: TimerPlayer
    var startedAt: TimerEngine.Instant?
    /// Since when the buzzer is silenced.
    var silencedAt: TimerEngine.Instant?
    /// What Home Assistant was told.
    var announced: AnnouncedDevice?
    /// What follows is nil, or missing, in a state of version 0.1.0.
    ///
    /// The id of the present run, in lower case.
    package internal(set) var run: String?
    /// The time that was given in the present run, in microseconds; negative where more was taken, nil for none.
    var added: Int?
    /// How often the timers were changed.
    var modelRevision: Int?
    /// When the present mode began.
    var modeSince: TimerEngine.Instant?
    /// Who speaks.
    var speaker: String?
    /// What is locked.
    var locked: LockLevel?
    /// The message to the speaker.
    var message: Talk.Shown?
    /// The agenda, and what has begun of it.
    var agenda: SavedAgenda?
    /// What is known of the node that this one follows.
    var follow: SavedFollow?

    enum CodingKeys: String, CodingKey {
        case boot, at, date, configured, player, announced, run, added, speaker, locked, message, agenda, follow
        case startedAt = "started_at"
        case silencedAt = "silenced_at"
        case modeSince = "mode_since"
        case modelRevision = "model_revision"
    }

    /// The state is saved when one of these changes; passing seconds change none.
    struct Key: Hashable, Sendable {
        let model: TimerModel
        let mode: TimerEngine.Mode
        let thresholds: TimerEngine.Thresholds
        let zero: TimerEngine.Instant?
        let startedAt: TimerEngine.Instant?
        let last: TimerPlayer.Run?
        let silencedAt: TimerEngine.Instant?
        let announced: AnnouncedDevice?
        let speaker: String?
        let locked: LockLevel?
        let message: Talk.Shown?
        let agenda: SavedAgenda?
        let follow: SavedFollow?
    }
}

extension SavedNodeState {
    /// A state that has nothing but a player.
    package init(boot: String, at: TimerEngine.Instant, date: Date, player: TimerPlayer) {
        self.init(boot: boot, at: at, date: date, configured: nil, player: player)
    }

    /// Reads what ``document`` wrote.
    init(_ document: [UInt8]) throws(SavedDocument.Unusable) {
        let json = try SavedDocument.state.open(document)
        do {
            self = try JSONDecoder().decode(SavedNodeState.self, from: Data(json))
        } catch {
            throw .senseless("\(error)")
        }
        if let flaw { throw .senseless(flaw) }
    }

    /// The same state with the instants of the present boot. The time since it was saved is taken from the wall clock, or
    /// is zero if that went backwards.
    func moved(to now: Moment) -> SavedNodeState {
        let passed = Duration.seconds(max(0, date.distance(to: now.date)))
        let shift = at.duration(to: now.instant) - passed
        var moved = self
        moved.player.shift(by: shift)
        moved.at = at + shift
        moved.startedAt = startedAt.map { $0 + shift }
        moved.silencedAt = silencedAt.map { $0 + shift }
        moved.modeSince = modeSince.map { $0 + shift }
        return moved
    }
}

/// A state of version 0.1.0 does not know what qualifies a run, which was not a property of a timer then.
extension SavedNodeState {
    /// The state with what it lacks, where it is of that version: each timer has it from the configuration's.
    func completed(by configuration: TimerModel) -> SavedNodeState {
        guard modelRevision == nil else { return self }
        var completed = self
        completed.configured?.takeQualifyingTimes(of: configuration)
        _ = try? completed.player.edit(at: at) { $0.takeQualifyingTimes(of: configuration) }
        return completed
    }
}

extension TimerModel {
    fileprivate mutating func takeQualifyingTimes(of other: TimerModel) {
        for path in paths {
            guard let timer = self[path].flatMap({ other.path(of: $0.id) }).flatMap({ other[$0] }) else { continue }
            // Each of these paths has a timer, and its times stay as they are.
            try? edit(path) { $0.qualifying = timer.qualifying }
        }
    }
}

/// Saved states are checked before use: with impossible times, arithmetic would overflow and end the process.
extension SavedNodeState {
    /// No boot and no run takes so long.
    private static let maximumTime: Duration = .longest
    private static let maximumCountdown: Duration = .seconds(TimerEngine.Thresholds.longest)

    /// Why no node can have written this, in a few words; nil for a valid state.
    var flaw: String? {
        if !Timestamp.range.contains(date) { return "its date is none of the years 1970 to 9999" }
        if !Self.isPossible(at.sinceEpoch) { return "it was saved at no time of a boot" }
        // From here on sums with `at` are safe. A state was brought up to its moment before it was saved, so past
        // instants lie before that moment and future ones after it.
        let past = [startedAt, silencedAt, modeSince, message?.at, player.countdown.alarmedSince].compactMap(\.self)
        if !past.allSatisfy({ $0 <= at && at - Self.maximumTime <= $0 }) {
            return "something happened later than it was saved, or ages ago"
        }
        if let zero = player.countdown.zero, !(at <= zero && zero <= at + Self.maximumCountdown) {
            return "its timer is over, or runs for longer than a timer can"
        }
        if let until = message?.until, !(at - Self.maximumTime <= until && until <= at + Self.maximumTime) {
            return "its message ends ages from now"
        }
        if !ClosedRange.counts.contains(modelRevision ?? 0) { return "its timers were changed impossibly often" }
        if agenda?.isPossible(at: at) == false { return "its agenda has impossible numbers" }
        if follow?.clock?.isPossible == false { return "its leader's clock is ages away" }
        let countdown = player.countdown
        let lengths = [countdown.used(at: at), countdown.over(at: at), player.lastRun?.used, player.lastRun?.over]
        let longest = Self.maximumTime.count(of: .microseconds(1))
        if !(-longest...longest).contains(added ?? 0) { return "in its run more time was given than there is" }
        if !lengths.compactMap(\.self).allSatisfy(Self.isPossible) {
            return "a run lasted for ages, or less than nothing"
        }
        return nil
    }

    private static func isPossible(_ time: Duration) -> Bool { .zero <= time && time <= maximumTime }
}

/// What happens to a run when the machine restarts. Only the wall clock tells how long the machine was off.
package enum AfterReboot: String, Hashable, Sendable, CaseIterable {
    /// It is paused where it was last saved.
    case pause
    /// It continues by the wall clock, as if the machine had never been off.
    case resume
    /// It is stopped.
    case stop
}
