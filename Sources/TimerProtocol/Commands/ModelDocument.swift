internal import FoundationEssentials
public import TimerEngine

extension TimerModel: Record {
    /// The version that is written; this version and all earlier ones can be read.
    static let version = 2

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var payload = ModelPayload(self, selects: true)
        try payload.fields(&visitor)
        self = payload.model
    }
}

extension TimerModel.Settings: Record {
    package init() { self.init(startTimerImmediately: true) }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "start_timer_immediately", &startTimerImmediately, .usual,
            "Whether `next`, `previous` and `play` start the timer that they select.")
    }
}

extension TimerGroup: Record {
    /// The value that means silence, in place of a pattern's name.
    package static let silent = "none"
    /// The budgets that a group may have, in seconds: up to a week.
    package static let budgets = 1...604_800

    package init() { self.init(name: "") }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .plain, .usual, "The group's name.")
        try visitor.field("display", &display, .usual, "How the time is shown.")
        try visitor.field("alarm", &alarm, .usual, "How the end of a run is announced.")
        try visitor.field("sound", &sound, .plain, .omitted, "The pattern of the alarm, or `none`.")
        try visitor.field("transition", &transition, .plain, .omitted, "The pattern between two timers, or `none`.")
        try visitor.field("at_zero", &atZero, .usual, "What happens when one of the timers reaches zero.")
        try visitor.seconds("budget", &budget, "The time that all runs of the group may take together.")
        try visitor.field(
            "timers", &timers, ListBounds((), count: (0...Self.capacity, "timers")), "The group's timers, in order.")
        let budget = budget
        try visitor.check { (fields) throws(Refusal) in
            guard let budget, !Self.budgets.contains(budget) else { return }
            throw fields.refusal(
                "budget", found: "\(budget) s", expected: "\(Self.budgets.lowerBound) s to \(Self.budgets.upperBound) s"
            )
        }
    }
}

extension TimerItem: Record {
    package init() { self.init(name: "") }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        // A command may let the node choose the id, but a node always publishes it.
        let lacksID = visitor.has("id") == false
        var id = id
        try visitor.field("id", &id, .usual, "The timer's id.")
        if id != self.id { self = identified(by: id) }
        try visitor.field("name", &name, .plain, .usual, "The timer's name.")
        try thresholds.fields(&visitor)
        var (minimum, maximum) = (qualifying.minimum, qualifying.maximum)
        try visitor.seconds("minimum", &minimum, "The shortest time that qualifies; absent for none.")
        try visitor.seconds("maximum", &maximum, "The longest time that qualifies; absent for none.")
        try visitor.field("event", &event, .plain, .omitted, "The event that is timed.")
        try visitor.field("location", &location, .plain, .omitted, "The location of the event.")
        try visitor.field("carry", &carry, .omitted, "Whether it keeps what is left when it is stopped.")
        try visitor.field("left", &left, .lengths, .omitted, "What is left in its account; absent if it is full.")
        try visitor.check { (fields) throws(Refusal) in
            if lacksID, fields.ignoresUnknown { throw fields.missing("id") }
            qualifying = try fields.qualifying(minimum: minimum, maximum: maximum)
        }
    }
}

extension Thresholds: Record {
    package init() { self = .zero }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (start, warning, final) = (SecondsArgument(start), SecondsArgument(warning), SecondsArgument(final))
        try visitor.field("start", &start, .unsigned, .required, "The time from which a run counts down, in seconds.")
        try visitor.field(
            "warning", &warning, .unsigned, .usual, "The remaining time at which the warning begins; 0 for none.")
        try visitor.field(
            "final", &final, .unsigned, .usual, "The remaining time at which the final mode begins; 0 for none.")
        try visitor.check { (fields) throws(Refusal) in
            do throws(TimerEngine.ThresholdsError) {
                self = try Self(start: start.seconds, warning: warning.seconds, final: final.seconds)
            } catch {
                throw Refusal(.invalidPayload, "field \(fields.path(error.fault.rawValue)): \(error)")
            }
        }
    }
}

/// A model as the argument of the command `timers`: JSON, which the node checks when it carries out the command.
public struct ModelDocument: Hashable, Sendable {
    /// The fields of the model.
    package let json: JSON

    /// Wraps the JSON of a model from a command or a topic. The revision in a topic is omitted, because it is not part
    /// of the model.
    package init(_ json: JSON) {
        guard case .object(let members) = json else {
            self.json = json
            return
        }
        self.json = .object(members.filter { $0.key != "model_revision" })
    }

    /// A document with a model.
    ///
    /// - Parameters:
    ///   - model: the groups, timers and settings.
    ///   - selects: whether the node adopts the selection of the model. Otherwise it keeps its own selection if the
    ///     selected timer is also in the new model.
    public init(_ model: TimerModel, selects: Bool = false) {
        // An encoded model is always valid JSON.
        json = (try? JSON(parsing: ModelPayload(model, selects: selects).json(capacity: 1024))) ?? .null
    }
}
