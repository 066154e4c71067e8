internal import FoundationEssentials
package import TimerEngine

/// The model in a command `timers`, or on the topic `timers`.
package struct ModelPayload {
    package let model: TimerModel
    /// Whether the payload says which timer is selected.
    package let selects: Bool

    /// Reads a model; each refusal says where, what was found and what is allowed.
    ///
    /// - Parameter patterns: the patterns that groups may name.
    package init(_ document: ModelDocument, patterns: some Collection<String>) throws(Refusal) {
        guard case .object(let members) = document.json else {
            throw Refusal(.invalidPayload, "found \(document.json.found), expected an object with groups")
        }
        try self.init(PayloadFields(members), patterns: patterns)
    }

    /// Reads the fields of a model.
    ///
    /// - Parameter patterns: the patterns that groups may name; nil where they may name any.
    package init(_ fields: PayloadFields, patterns: (some Collection<String>)?) throws(Refusal) {
        var fields = fields
        let version = try fields.optional("version", in: 1...TimerModel.version) ?? TimerModel.version
        let objects = try fields.objects("groups")
        let selection = try version == 1 ? fields.selection1() : fields.selection()
        var settings = TimerModel.Settings()
        if version > 1, let read = try fields.object("settings") { settings = try TimerModel.Settings(read) }
        try fields.finish()
        guard let objects else { throw fields.missing("groups") }

        var groups: [TimerGroup] = []
        for object in objects { groups.append(try TimerGroup(object, patterns: patterns)) }
        try Self.checkIDs(groups)
        // Empty groups vanish, but they count in the path of the selection.
        guard let first = groups.firstIndex(where: { !$0.timers.isEmpty }) else {
            throw fields.refusal("groups", found: "no timer", expected: "at least one")
        }
        let selected = selection ?? TimerPath(group: first, item: 0)
        let places = groups.indices.contains(selected.group) ? groups[selected.group].timers.indices : 0..<0
        guard places.contains(selected.item) else {
            throw fields.noSelection(selected.description, first: first)
        }
        do throws(ModelError) {
            model = try TimerModel(groups: groups, selected: selected, settings: settings)
        } catch {
            throw Refusal(.invalidPayload, error.description)
        }
        selects = selection != nil
    }

    private static func checkIDs(_ groups: [TimerGroup]) throws(Refusal) {
        var places: [TimerItem.ID: String] = [:]
        for (index, group) in groups.enumerated() {
            for (item, timer) in group.timers.enumerated() {
                let place = "groups[\(index + 1)].timers[\(item + 1)]"
                guard let other = places.updateValue(place, forKey: timer.id) else { continue }
                throw PayloadFields([], at: place)
                    .refusal("id", found: "the id of \(other)", expected: "one of its own")
            }
        }
    }
}

extension PayloadFields {
    /// Removes and returns the selection, which is a path such as `2/1`.
    fileprivate mutating func selection() throws(Refusal) -> TimerPath? {
        guard let text = try text("selected", .plain) else { return nil }
        guard let path = TimerPath(text) else { throw noSelection(text, first: 0) }
        return path
    }

    /// Removes and returns the selection of version 1, which is two numbers counted from 0.
    fileprivate mutating func selection1() throws(Refusal) -> TimerPath? {
        let indices = 0...ClosedRange.places.upperBound - 1
        let (group, item) = (
            try number("selected_group", in: indices), try number("selected_item", in: indices)
        )
        return group == nil && item == nil ? nil : TimerPath(group: group ?? 0, item: item ?? 0)
    }

    fileprivate func noSelection(_ found: String, first: Int) -> Refusal {
        refusal(
            "selected", found: found.quoted, expected: "the path of one of these timers, such as \(first + 1)/1")
    }
}

extension TimerModel.Settings {
    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init()
        if let isImmediate = try fields.bool("start_timer_immediately") { startTimerImmediately = isImmediate }
        try fields.finish()
    }
}

extension TimerGroup {
    fileprivate init(_ fields: PayloadFields, patterns: (some Collection<String>)?) throws(Refusal) {
        var fields = fields
        self.init(
            name: try fields.text("name", .plain) ?? "",
            display: try fields.optional("display") ?? .numerical,
            alarm: try fields.optional("alarm") ?? Alarm.none,
            sound: try fields.pattern("sound", patterns),
            transition: try fields.pattern("transition", patterns),
            atZero: try fields.optional("at_zero") ?? .next)
        let objects = try fields.objects("timers")
        try fields.finish()
        guard let objects else { throw fields.missing("timers") }
        guard objects.count <= Self.capacity else {
            throw fields.refusal("timers", found: "\(objects.count) timers", expected: "at most \(Self.capacity)")
        }
        for object in objects { timers.append(try TimerItem(object)) }
    }
}

extension PayloadFields {
    /// Removes and returns the name of a pattern, or the word for silence.
    fileprivate mutating func pattern(
        _ key: String, _ known: (some Collection<String>)?
    ) throws(Refusal) -> String? {
        guard let name = try text(key, .plain) else { return nil }
        guard let known else { return name }
        guard name == TimerGroup.silent || known.contains(name) else {
            throw refusal(key, found: name.quoted, expected: (known.sorted() + [TimerGroup.silent]).alternatives)
        }
        return name
    }
}

extension TimerItem {
    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        let id = try fields.id("id")
        let texts = (
            try fields.text("name", .plain), try fields.text("event", .plain), try fields.text("location", .plain)
        )
        let times = (try fields.seconds("start"), try fields.seconds("warning"), try fields.seconds("final"))
        let bounds = (try fields.seconds("minimum"), try fields.seconds("maximum"))
        try fields.finish()
        guard let start = times.0 else { throw fields.missing("start") }
        // A command may leave the id to the node, but a node always publishes it.
        guard id != nil || !fields.ignoresUnknown else { throw fields.missing("id") }
        self.init(id: id ?? UUID(), name: texts.0 ?? "", event: texts.1, location: texts.2)
        do throws(TimerEngine.ThresholdsError) {
            thresholds = try TimerEngine.Thresholds(start: start, warning: times.1 ?? 0, final: times.2 ?? 0)
        } catch {
            throw Refusal(.invalidPayload, "field \(fields.path(error.fault.rawValue)): \(error)")
        }
        do throws(QualifyingTimeError) {
            qualifying = try QualifyingTime(minimum: bounds.0, maximum: bounds.1)
        } catch {
            throw Refusal(.invalidPayload, "field \(fields.path("minimum")): \(error)")
        }
    }
}

extension TimerGroup {
    /// The word for silence where a group names a pattern.
    package static let silent = "none"
}
