internal import TimerEngine
internal import TimerProtocol

/// A model as the section `timers` of a configuration.
enum TimersYAML {
    /// The section, which reads as the same model but for the ids, which a configuration makes itself.
    static func text(_ model: TimerModel) -> String {
        var lines = [
            "timers:", "  settings: {start_timer_immediately: \(model.settings.startTimerImmediately)}", "  groups:",
        ]
        for group in model.groups {
            lines.append("    - name: \(scalar(group.name))")
            lines.append("      display: \(group.display.rawValue)")
            // Written as none it would mean silence, which `sound` says where it is meant.
            if group.alarm != .none { lines.append("      alarm: \(group.alarm.rawValue)") }
            if let sound = group.sound { lines.append("      sound: \(scalar(sound))") }
            if let transition = group.transition { lines.append("      transition: \(scalar(transition))") }
            lines.append("      at_zero: \(group.atZero.rawValue)")
            lines.append("      timers:")
            for timer in group.timers { lines += self.lines(timer).map { "        \($0)" } }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ timer: TimerItem) -> [String] {
        let times = timer.thresholds
        var lines = ["- name: \(scalar(timer.name))", "  start: \(time(times.start))"]
        if times.warning > 0 { lines.append("  warning: \(time(times.warning))") }
        if times.final > 0 { lines.append("  final: \(time(times.final))") }
        if let event = timer.event { lines.append("  event: \(scalar(event))") }
        if let location = timer.location { lines.append("  location: \(scalar(location))") }
        return lines
    }

    private static func time(_ seconds: Int) -> String { "\"\(TimeDisplay.time(seconds))\"" }

    private static func scalar(_ text: String) -> String { YAMLScalar.text(text) }
}

/// Texts in YAML.
enum YAMLScalar {
    /// A text in double quotes, whose escapes in JSON are those of YAML too.
    static func text(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
