internal import FoundationEssentials
package import TimerEngine

// Writes the engine's types field by field, as `Codable` does. `Codable` takes thirty times as long for it. Foundation's
// decoder reads what is written here, and tests compare the two.
extension JSONWriter {
    /// Writes a model, with its selection or without it.
    ///
    /// - Parameter revision: which change of the model this is; nil where that is not told.
    package mutating func model(_ model: TimerModel, revision: Int? = nil, withSelection: Bool = true) {
        object { writer in
            writer.member("version", TimerModel.version)
            if let revision { writer.member("model_revision", revision) }
            writer.member("settings") { $0.member("start_timer_immediately", model.settings.startTimerImmediately) }
            if withSelection {
                writer.key("selected")
                writer.value(model.selected)
            }
            writer.key("groups")
            writer.array(model.groups) { $0.group($1) }
        }
    }

    private mutating func group(_ group: TimerGroup) {
        object { writer in
            writer.member("name", group.name)
            writer.member("display", group.display.rawValue)
            writer.member("alarm", group.alarm.rawValue)
            if let sound = group.sound { writer.member("sound", sound) }
            if let transition = group.transition { writer.member("transition", transition) }
            writer.member("at_zero", group.atZero.rawValue)
            writer.key("timers")
            writer.array(group.timers) { $0.timer($1) }
        }
    }

    private mutating func timer(_ timer: TimerItem) {
        object { writer in
            writer.key("id")
            writer.value(timer.id)
            writer.member("name", timer.name)
            writer.thresholds(timer.thresholds)
            if let minimum = timer.qualifying.minimum { writer.member("minimum", minimum) }
            if let maximum = timer.qualifying.maximum { writer.member("maximum", maximum) }
            if let event = timer.event { writer.member("event", event) }
            if let location = timer.location { writer.member("location", location) }
        }
    }

    /// Writes the three times as members of the object that is open.
    package mutating func thresholds(_ thresholds: TimerEngine.Thresholds) {
        member("start", thresholds.start)
        member("warning", thresholds.warning)
        member("final", thresholds.final)
    }
}
