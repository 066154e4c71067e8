internal import FoundationEssentials
public import TimerEngine

/// A model in a payload or in a saved state.
package struct ModelPayload {
    package private(set) var model = TimerModel()
    /// The revision of the model, on the topic `timers`; nil if it is not published.
    var revision: Int?
    /// Whether the payload contains the selection.
    package private(set) var selects = true
    /// The patterns that groups may name; nil if they may name any.
    private var patterns: [String]?

    package init() {}

    init(_ model: TimerModel, revision: Int? = nil, selects: Bool) {
        (self.model, self.revision, self.selects) = (model, revision, selects)
    }

    /// Reads the model of a command. Each refusal names the position, the value found and the values allowed.
    ///
    /// - Parameter patterns: the patterns that groups may name.
    package init(_ document: ModelDocument, patterns: some Collection<String>) throws(Refusal) {
        guard case .object(let members) = document.json else {
            throw Refusal(.invalidPayload, "found \(document.json.found), expected an object with groups")
        }
        self.patterns = Array(patterns)
        var fields = PayloadFields(members)
        try self.fields(&fields)
        try fields.finish()
        // What is left follows from the runs.
        try? model.dropLeft()
    }
}

extension TimerModel {
    fileprivate mutating func dropLeft() throws(ModelError) {
        for path in paths where self[path]?.left != nil { try edit(path) { $0.left = nil } }
    }
}

extension ModelPayload: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        let isRead = visitor.has("groups") != nil
        var (groups, settings) = (isRead ? [] : model.groups, model.settings)
        var selected = selects && !isRead ? model.selected : nil
        var version = TimerModel.version
        try visitor.field(
            "version", &version, 1...TimerModel.version, .usual, "The version of this format; 1 is also accepted.")
        // Only nodes write this field, so a refusal does not list it as known.
        if visitor.has("model_revision") != false {
            try visitor.field("model_revision", &revision, .counts, .omitted, "Grows with each change of the timers.")
        }
        if version == 1 {
            selected = try visitor.selection1()
        } else {
            try visitor.field("settings", &settings, .usual, "The settings of all timers.")
            var path = selected.map { Selection($0) }
            try visitor.field("selected", &path, .omitted, "The path of the selected timer.")
            selected = path?.path
        }
        try visitor.field("groups", &groups, ListBounds(()), "The groups of timers.")
        try visitor.check { (fields) throws(Refusal) in
            try check(groups, fields)
            model = try Self.model(groups, selected, settings, fields)
            selects = selected != nil
        }
    }

    private func check(_ groups: [TimerGroup], _ fields: PayloadFields) throws(Refusal) {
        var places: [TimerItem.ID: String] = [:]
        for (index, group) in groups.enumerated() {
            let place = fields.path("groups[\(index + 1)]")
            if let patterns {
                for (key, name) in [("sound", group.sound), ("transition", group.transition)] {
                    guard let name, name != TimerGroup.silent, !patterns.contains(name) else { continue }
                    let expected = (patterns.sorted() + [TimerGroup.silent]).alternatives
                    throw PayloadFields([], at: place).refusal(key, found: name.quoted, expected: expected)
                }
            }
            for (item, timer) in group.timers.enumerated() {
                let place = "\(place).timers[\(item + 1)]"
                guard let other = places.updateValue(place, forKey: timer.id) else { continue }
                throw PayloadFields([], at: place).refusal(
                    "id", found: "the id of \(other)", expected: "a unique id")
            }
        }
    }

    private static func model(
        _ groups: [TimerGroup], _ selected: TimerPath?, _ settings: TimerModel.Settings, _ fields: PayloadFields
    ) throws(Refusal) -> TimerModel {
        // Empty groups are dropped, but they count in the path of the selection.
        guard let first = groups.firstIndex(where: { !$0.timers.isEmpty }) else {
            throw fields.refusal("groups", found: "no timer", expected: "at least one")
        }
        let selected = selected ?? TimerPath(group: first, item: 0)
        let places = groups.indices.contains(selected.group) ? groups[selected.group].timers.indices : 0..<0
        guard places.contains(selected.item) else {
            throw fields.refusal(
                "selected", found: selected.description.quoted, expected: Selection.path(ofGroup: first))
        }
        do throws(ModelError) {
            return try TimerModel(groups: groups, selected: selected, settings: settings)
        } catch {
            throw Refusal(.invalidPayload, error.description)
        }
    }
}

/// The path of the timer that is selected.
private struct Selection: ScalarValue {
    static let expected = path(ofGroup: 0)

    let path: TimerPath

    init(_ path: TimerPath) { self.path = path }

    init?(field: JSON) {
        guard case .string(let text) = field, let path = TimerPath(text) else { return nil }
        self.path = path
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(path) }

    static func path(ofGroup group: Int) -> String { "the path of one of these timers, such as \(group + 1)/1" }
}

extension FieldVisitor {
    /// Visits the selection of version 1: two numbers, counted from 0.
    fileprivate mutating func selection1() throws(Refusal) -> TimerPath? {
        var (group, item): (Int?, Int?)
        let indices = 0...ClosedRange.places.upperBound - 1
        try field("selected_group", &group, indices, .omitted, "The position of the selected timer's group, from 0.")
        try field("selected_item", &item, indices, .omitted, "The position of the selected timer in its group, from 0.")
        return group == nil && item == nil ? nil : TimerPath(group: group ?? 0, item: item ?? 0)
    }
}

// MARK: - Parts

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
