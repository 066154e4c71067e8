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

/// The only event that a run can be dated back to.
private enum PastEvent: String, CaseIterable, ScalarValue { case lastEnd = "last_end" }

extension RunBeginning {
    /// Visits the fields `ago` and `since` of a start.
    fileprivate static func arguments(
        ofStart beginning: inout Self?, _ visitor: inout some FieldVisitor
    ) throws(Refusal) {
        var (ago, since): (Int?, PastEvent?) = (nil, nil)
        switch beginning {
        case .ago(let seconds): ago = seconds
        case .lastEnd: since = .lastEnd
        case .at, nil: break
        }
        try visitor.seconds("ago", &ago, "How long ago it really began; at most 24 h.")
        try visitor.field("since", &since, .omitted, "`last_end` if it began when the last run ended.")
        try visitor.check { (fields) throws(Refusal) in
            try check(ago, fields)
            if ago != nil, since != nil {
                throw Refusal(.invalidPayload, "fields \"ago\" and \"since\" cannot be combined")
            }
        }
        beginning = ago.map { .ago($0) } ?? since.map { _ in .lastEnd }
    }

    /// Visits the fields `ago` and `at` of `began`.
    fileprivate mutating func arguments(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (ago, date): (Int?, Date?) = (nil, nil)
        switch self {
        case .ago(let seconds): ago = seconds
        case .at(let then): date = then
        // The command before its arguments are read.
        case .lastEnd: break
        }
        try visitor.seconds("ago", &ago, "How long ago the run really began; at most 24 h.")
        try visitor.field("at", &date, .omitted, "When the run really began, within the last 24 h.")
        try visitor.check { (fields) throws(Refusal) in
            try Self.check(ago, fields)
            if (ago == nil) == (date == nil) {
                throw Refusal(.invalidPayload, "began needs one of the fields \"ago\" and \"at\"")
            }
        }
        self = date.map { .at($0) } ?? .ago(ago ?? 0)
    }

    private static func check(_ ago: Int?, _ fields: PayloadFields) throws(Refusal) {
        guard let ago, !(0...longest).contains(ago) else { return }
        throw fields.refusal("ago", found: "\(ago) s", expected: "0 s to \(longest) s")
    }
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

/// A time in whole seconds: a number, or a string such as `1:30`.
struct SecondsArgument: FieldValue {
    enum Bounds {
        case unsigned
        /// The string may have a sign.
        case signed
    }

    let seconds: Int

    init(_ seconds: Int) { self.seconds = seconds }

    static func read(_ value: PayloadValue, _ bounds: Bounds) throws(Refusal) -> SecondsArgument {
        let isSigned = bounds == .signed
        if case .string(let text) = value.json {
            let text = value.isPlain ? withoutZeros(text) : text
            if let seconds = isSigned ? DurationText.signedSeconds(text) : DurationText.seconds(text) {
                return Self(seconds)
            }
            if value.isPlain {
                throw value.refusal(expected: "a time such as \(isSigned ? "+30, -30 or 1:00" : "90 or 1:30")")
            }
        }
        let expected = "whole seconds or a time such as \"\(isSigned ? "-1:30" : "1:30")\""
        guard let seconds = Int(number: value.json) else { throw value.refusal(expected: expected) }
        let range = ClosedRange.commandSeconds
        guard range.contains(seconds) else {
            throw value.refusal(expected: "\(expected), at most \(range.upperBound) s")
        }
        return Self(seconds)
    }

    /// Removes zeros after the decimal point, because some devices send whole numbers as `5.0`.
    private static func withoutZeros(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isWhole = parts.count == 2 && !parts[1].isEmpty && parts[1].allSatisfy { $0 == "0" }
        return isWhole && !parts[0].contains(":") ? String(parts[0]) : text
    }

    func write(to writer: inout JSONWriter, _ bounds: Bounds) { writer.value(seconds) }

    static func schema(_ bounds: Bounds) -> JSON { ["oneOf": [Int.schema(.commandSeconds), ["type": "string"]]] }
}

extension FieldVisitor {
    /// Visits an optional argument: a number of seconds, or a string such as `1:30`.
    @inline(__always)
    mutating func seconds(_ key: String, _ value: inout Int?, _ about: String) throws(Refusal) {
        var seconds = value.map { SecondsArgument($0) }
        try field(key, &seconds, .unsigned, .omitted, about)
        value = seconds?.seconds
    }

    /// Visits the revision that a command expects.
    mutating func revision(_ key: String, _ value: inout Int?) throws(Refusal) {
        try field(key, &value, .counts, .omitted, "The expected revision; the command is refused on a mismatch.")
    }
}
