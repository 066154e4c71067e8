public import FoundationEssentials
package import TimerEngine

/// A command with its arguments, checked as far as that is possible without knowing the timers.
///
/// Whoever executes one switches over all cases, so that the compiler names each place that a new verb concerns.
public enum Command: Hashable, Sendable {
    /// What moves the timer.
    case player(PlayerCommand)
    /// What concerns lamps and buzzer alone.
    case signal(SignalCommand)
    /// What edits the timers.
    case model(ModelCommand)
    /// What concerns the people of a talk.
    case talk(TalkCommand)
    /// What concerns the report.
    case runs(RunsCommand)
    /// What concerns the agenda.
    indirect case agenda(AgendaCommand)
    /// Publishes mode, state, timers and health again.
    case state
    /// Tells what time it is, on both clocks.
    case time
}

/// What moves the timer.
///
/// A selector is `2/1` (group and place, counted from 1), `2` (that group's first timer), `2/1 Questions`, an id, or a
/// name that only one timer has.
public enum PlayerCommand: Hashable, Sendable {
    /// Selects a timer where there is a selector, then runs from the start; `speaker` says who speaks, where it is not nil.
    case start(selector: String?, speaker: String? = nil)
    /// Runs with times of its own, which are not saved; `speaker` says who speaks, where it is not nil.
    case startOnce(OneRun, speaker: String? = nil)
    /// Holds the exact fraction.
    case pause
    /// Goes on from where the timer was paused.
    case resume
    /// Goes back to the start, without an alarm.
    case stop
    /// Sounds the alarm at once; the sequence does not go on.
    case end
    /// Plays or pauses; out of the alarm it goes to the group's first timer.
    case toggle
    /// Goes to the beginning, or to the timer before.
    case rewind
    /// Goes to the end, or to the next timer.
    case fastForward
    /// Goes to the next timer, of the next group too.
    case next
    /// Goes to the previous timer, of the previous group too.
    case previous
    /// Selects a timer, stopped.
    case select(selector: String)
    /// Sets the seconds left: 0 to where the timer starts.
    case set(seconds: Int)
    /// Gives seconds, or takes them where negative.
    case add(seconds: Int)
    /// Says that so many seconds were left, or will be, at a date; the timer runs.
    case sync(seconds: Int, at: Date)

    /// The times and the name of a run that is not saved.
    public struct OneRun: Hashable, Sendable {
        /// Where the run starts, in seconds: 0…86 399.
        public var duration: Int
        /// Where the warning begins, in seconds: below the duration; 0 for none.
        public var warning: Int
        /// Where the final mode begins, in seconds: below the warning; 0 for none.
        public var final: Int
        /// The name of the run: 1 to 128 bytes without control characters; nil for the timer's.
        public var name: String?

        /// A run of so many seconds.
        public init(duration: Int, warning: Int = 0, final: Int = 0, name: String? = nil) {
            self.duration = duration
            self.warning = warning
            self.final = final
            self.name = name
        }
    }
}

/// What concerns lamps and buzzer alone.
public enum SignalCommand: Hashable, Sendable {
    /// Mutes until the next transition.
    case silence
    /// Sounds a pattern once, by default `beep`.
    case beep(pattern: String?)
    /// Switches each output on by itself, one after another; `force` allows it while the timer runs.
    case lampTest(force: Bool)
    /// Blinks the lamps, so that somebody finds the node.
    case identify
}

/// What edits the timers.
public enum ModelCommand: Hashable, Sendable {
    /// Changes the timer of the selector, or the selected one; refused where the model has another revision by now.
    case edit(selector: String?, Edit, revision: Int? = nil)
    /// Replaces the whole model; refused where it has another revision by now.
    case timers(ModelDocument, revision: Int? = nil)
    /// Goes back to the timers of the configuration; edits are set aside in a file.
    case reset

    /// What to change of a timer; nil leaves a property as it is, and one of them must not be nil.
    ///
    /// Times that do not fit are clamped.
    public struct Edit: Hashable, Sendable {
        /// Where a run starts, in seconds.
        public var start: Int?
        /// Where the warning begins, in seconds; 0 for none.
        public var warning: Int?
        /// Where the final mode begins, in seconds; 0 for none.
        public var final: Int?
        /// The shortest time that qualifies, in seconds; 0 for none.
        public var minimum: Int?
        /// The longest time that qualifies, in seconds; 0 for none.
        public var maximum: Int?
        /// The name: 1 to 128 bytes without control characters.
        public var name: String?
        /// What the timer is for: at most 128 bytes; an empty text takes it away.
        public var event: String?
        /// Where it takes place: at most 128 bytes; an empty text takes it away.
        public var location: String?

        /// Changes of a timer.
        public init(
            start: Int? = nil, warning: Int? = nil, final: Int? = nil, minimum: Int? = nil, maximum: Int? = nil,
            name: String? = nil, event: String? = nil, location: String? = nil
        ) {
            self.start = start
            self.warning = warning
            self.final = final
            self.minimum = minimum
            self.maximum = maximum
            self.name = name
            self.event = event
            self.location = location
        }
    }
}

/// What somebody may do, by the web or as a user of the shipped access list of mosquitto; each role may do what those before
/// it may.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// Looks.
    case viewer
    /// Runs the clock.
    case remote
    /// Edits, too.
    case `operator`
}

extension Role {
    package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .remote: 1
        case .operator: 2
        }
    }
}

extension TimerModel {
    /// The selector that names a timer for people, such as `2/1 Questions`: its path, and its name without the white space
    /// around it, which a payload does not keep.
    package func selector(of path: TimerPath) -> String {
        PayloadContent.trimmed("\(path) \(self[path]?.name ?? "")")
    }

    /// Finds the timer of a selector: `2/1`, `2` (the first timer of that group), `2/1 Questions`, an id, or a name that
    /// only one timer has.
    package func path(selector: String) throws(Refusal) -> TimerPath {
        let parts = selector.split(separator: " ", maxSplits: 1).map(String.init)
        if let path = parts.first.flatMap({ TimerPath($0) }), let timer = self[path] {
            guard parts.count == 1 || PayloadContent.trimmed(parts[1]) == PayloadContent.trimmed(timer.name) else {
                throw Refusal(.notFound, "timer \(path) is named \(timer.name.quoted), not \(parts[1].quoted)")
            }
            return path
        }
        if let group = WholeNumber.parse(selector), groups.indices.contains(group - 1) {
            return TimerPath(group: group - 1, item: 0)
        }
        if let id = UUID(uuidString: selector), let path = path(of: id) { return path }
        let named = paths.filter { self[$0]?.name == selector }
        guard let path = named.first else {
            throw Refusal(.notFound, "there is no timer \(selector.quoted)")
        }
        guard named.count == 1 else {
            let some = named.prefix(8).map(\.description).joined(separator: ", ") + (named.count > 8 ? ", …" : "")
            throw Refusal(.notFound, "\(named.count) timers are named \(selector.quoted): \(some)")
        }
        return path
    }
}
