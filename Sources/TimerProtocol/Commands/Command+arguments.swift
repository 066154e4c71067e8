internal import FoundationEssentials
internal import TimerEngine

// The arguments of commands: reading, writing and descriptions for people.

extension Command {
    /// Visits the arguments.
    ///
    /// - Parameter id: the command's id, which may be the id of a run.
    mutating func arguments(_ visitor: inout some FieldVisitor, id: String?) throws(Refusal) {
        switch self {
        case .player(var command):
            try command.arguments(&visitor)
            self = .player(command)
        case .correction(.began(var beginning)):
            try beginning.arguments(&visitor)
            self = .correction(.began(beginning))
        case .signal(.beep(var pattern)):
            try visitor.field("sound", &pattern, .plain, .omitted, "The pattern; `beep` by default.")
            self = .signal(.beep(pattern: pattern))
        case .signal(.lampTest(var force)):
            try visitor.field("force", &force, .omitted, "Whether to run the test even while the timer runs.")
            self = .signal(.lampTest(force: force))
        case .model(var command):
            try command.arguments(&visitor)
            self = .model(command)
        case .talk(var command):
            try command.arguments(&visitor)
            self = .talk(command)
        case .runs(var command):
            try command.arguments(&visitor, id: id)
            self = .runs(command)
        case .agenda(var command):
            try command.arguments(&visitor)
            self = .agenda(command)
        case .programme(var command):
            try command.arguments(&visitor)
            self = .programme(command)
        case .correction(.undo), .signal(.silence), .signal(.identify), .state, .time: break
        }
    }
}

extension PlayerCommand {
    fileprivate mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        switch self {
        case .start, .startOnce, .startUntil: try start(&visitor)
        case .select(var selector):
            try visitor.field("timer", &selector, .selector, "The timer.")
            self = .select(selector: selector)
        case .switchTo(var selector):
            try visitor.field("timer", &selector, .selector, .omitted, "The timer; the other one of two by default.")
            self = .switchTo(selector: selector)
        case .set(let seconds):
            var seconds = SecondsArgument(seconds)
            try visitor.field("remaining", &seconds, .unsigned, "The time left, from 0 to the timer's start.")
            self = .set(seconds: seconds.seconds)
        case .add(let seconds):
            var seconds = SecondsArgument(seconds)
            try visitor.field("seconds", &seconds, .signed, "The time to add; negative to remove time.")
            self = .add(seconds: seconds.seconds)
        case .sync(let seconds, var date):
            var seconds = SecondsArgument(seconds)
            try visitor.field("remaining", &seconds, .unsigned, "The time left at that date.")
            try visitor.field("at", &date, "The date, in the past or the future.")
            self = .sync(seconds: seconds.seconds, at: date)
        case .pause, .resume, .stop, .end, .toggle, .rewind, .fastForward, .next, .previous: break
        }
    }

    private mutating func start(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (selector, speaker): (String?, String?) = (nil, nil)
        var (duration, warning, final, name): (Int?, Int?, Int?, String?) = (nil, nil, nil, nil)
        var began = beginning
        var (until, trustsClock): (ClockRun.End?, Bool?) = (nil, nil)
        switch self {
        case .start(let timer, let person, _): (selector, speaker) = (timer, person)
        case .startOnce(let run, let person, _):
            (duration, name, speaker) = (run.duration, run.name, person)
            (warning, final) = (run.warning == 0 ? nil : run.warning, run.final == 0 ? nil : run.final)
        case .startUntil(let run, let person):
            (until, selector, warning, final) = (run.end, run.selector, run.warning, run.final)
            (name, speaker, trustsClock) = (run.name, person, run.trustsClock ? true : nil)
        default: break
        }
        try visitor.field("timer", &selector, .selector, .omitted, "The timer; the selected one by default.")
        try visitor.field("until", &until, .omitted, "When the run ends: a time of day or a date.")
        try visitor.field("trust", &trustsClock, .omitted, "Whether to start it even if the clock may be wrong.")
        try visitor.seconds("duration", &duration, "The length of a one-off run, which is not saved.")
        try visitor.seconds("warning", &warning, "The remaining time at which its warning begins.")
        try visitor.seconds("final", &final, "The remaining time at which its final mode begins.")
        try visitor.field("name", &name, .name, .omitted, "The name of the run.")
        try visitor.field("speaker", &speaker, .name, .omitted, "The speaker's name.")
        try RunBeginning.arguments(ofStart: &began, &visitor)
        try visitor.check { (_) throws(Refusal) in
            if until != nil, duration != nil || began != nil {
                throw Refusal(
                    .invalidPayload, "field \"until\" cannot be combined with \"duration\", \"ago\" or \"since\"")
            }
            if until == nil, trustsClock != nil {
                throw Refusal(.invalidPayload, "field \"until\" is missing: trust requires it")
            }
            if duration == nil, until == nil, warning != nil || final != nil || name != nil {
                throw Refusal(
                    .invalidPayload, "field \"duration\" or \"until\" is missing: warning, final and name require it")
            }
            if duration != nil, selector != nil {
                throw Refusal(
                    .invalidPayload, "field \"duration\" starts a one-off run and cannot be combined with \"timer\"")
            }
        }
        self =
            if let until {
                .startUntil(
                    ClockRun(
                        until: until, selector: selector, warning: warning, final: final, name: name,
                        trustsClock: trustsClock ?? false), speaker: speaker)
            } else if let duration {
                .startOnce(
                    OneRun(duration: duration, warning: warning ?? 0, final: final ?? 0, name: name), speaker: speaker,
                    began: began)
            } else {
                .start(selector: selector, speaker: speaker, began: began)
            }
    }
}

extension ClockRun.End: ScalarValue {
    package static var expected: String { "a time of day such as 19:30, or \(Date.expected)" }

    package init?(field: JSON) {
        if let time = TimeOfDay(field: field) {
            self = .time(time)
        } else if let date = Date(field: field) {
            self = .date(date)
        } else {
            return nil
        }
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) {
        switch self {
        case .time(let time): writer.value(time.description)
        case .date(let date): date.write(to: &writer, ())
        }
    }

    package static func schema(_ bounds: Void) -> JSON { ["type": "string"] }
}

extension ModelCommand {
    fileprivate mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        switch self {
        case .edit(var selector, var edit, var revision):
            try visitor.field("timer", &selector, .selector, .omitted, "The timer; the selected one by default.")
            try visitor.revision("model_revision", &revision)
            try edit.arguments(&visitor)
            self = .edit(selector: selector, edit, revision: revision)
        case .timers(let model, var revision):
            try visitor.revision("model_revision", &revision)
            var members = if case .object(let members) = model.json { members } else { [JSON.Member]() }
            visitor.rest(&members)
            self = .timers(ModelDocument(.object(members)), revision: revision)
        case .resetAccounts(let group):
            var number = group.map { GroupArgument(group: $0) }
            try visitor.field("group", &number, .omitted, "The group, counted from 1; all groups by default.")
            self = .resetAccounts(group: number?.group)
        case .reset: break
        }
    }
}

/// The number of a group, which plain text may give as well.
private struct GroupArgument: ScalarValue {
    static let expected = "the number of a group, from 1"

    let group: Int

    init(group: Int) { self.group = group }

    init?(field: JSON) {
        let number = if case .string(let text) = field { WholeNumber.parse(text) } else { Int(field, in: .places) }
        guard let number, ClosedRange.places.contains(number) else { return nil }
        group = number
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(group) }
}

extension ModelCommand.Edit {
    fileprivate mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.seconds("start", &start, "The time from which a run counts down.")
        try visitor.seconds("warning", &warning, "The remaining time at which the warning begins; 0 for none.")
        try visitor.seconds("final", &final, "The remaining time at which the final mode begins; 0 for none.")
        try visitor.seconds("minimum", &minimum, "The shortest time that qualifies; 0 for none.")
        try visitor.seconds("maximum", &maximum, "The longest time that qualifies; 0 for none.")
        try visitor.field("name", &name, .name, .omitted, "The timer's name.")
        try visitor.field("event", &event, .plain, .omitted, "The event that is timed; empty to clear it.")
        try visitor.field("location", &location, .plain, .omitted, "The location of the event; empty to clear it.")
        let isEmpty = self == Self()
        try visitor.check { (_) throws(Refusal) in
            guard isEmpty else { return }
            let names = "start, warning, final, minimum, maximum, name, event, location"
            throw Refusal(.invalidPayload, "edit needs a field to change: \(names)")
        }
    }
}
