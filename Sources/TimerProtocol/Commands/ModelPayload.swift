internal import FoundationEssentials
package import TimerEngine

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
