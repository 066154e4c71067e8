internal import IoTNode
internal import TimerEngine
internal import TimerProtocol

extension SignalTable {
    /// The keys of `signals`.
    enum Keys {
        static let profile = Key(
            "profile", Schema<SignalProfile>.oneOf, default: "podium",
            "What the modes are like that are not written here; docs/signals.md has both profiles.")
        static let modes = SignalMode.allCases.map { mode in
            Key(
                mode.rawValue, SignalMode.schema,
                absent: mode == .paused ? "the lamps of the paused mode, 500 ms on, 1500 ms off" : "the profile's",
                "The outputs' signals in \(mode.rawValue), all of them: an output that is not named is off.")
        }
        static let patterns = Key(
            "patterns",
            .named(Pattern.schema, "a mapping of patterns such as chirp: [80ms, 40ms, 80ms]"),
            absent: "those built in", "Patterns of one's own, besides `beep`, `double`, `triple`, `long` and `alarm`.")
        static let alarmSoundFor = Key(
            "alarm_sound_for", .seconds(in: 1...3600, zero: "silence"), default: "10s",
            "How long buzzer, horn and vibrate go on in alarm; the lamps go on until it is stopped.")
        static let grace = Key(
            "grace", .seconds(in: 1...3600, zero: "never"), default: "0",
            "How long after the alarm lamps that are steadily on in it begin to flash.")
        static let overtime = Key(
            "overtime", .section(OvertimeKeys.all, readOvertime), absent: "none",
            "A sound that comes again until the alarm is stopped.")

        static let all: [any DeclaredKey] = [profile] + modes + [patterns, alarmSoundFor, grace, overtime]
    }

    /// The keys of `signals.overtime`.
    enum OvertimeKeys {
        static let every = Key(
            "every", .seconds(in: 1...3600, zero: "none"), default: "0",
            "From the alarm to the first sound, and from each to the next.")
        static let pattern = Key("pattern", .pattern, default: "double", "What is played then, once.")

        static let all: [any DeclaredKey] = [every, pattern]
    }

    /// How `signals` is written. Which outputs there are must be known by then.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            section.learnPatterns()
            var table = Self(section.read(Keys.profile) ?? .podium, patterns: section.context.patterns)
            for (mode, key) in zip(SignalMode.allCases, Keys.modes) {
                if let signals = section.read(key) { table.modes[mode] = signals }
            }
            section.read(Keys.alarmSoundFor, into: &table.alarmSoundFor)
            table.grace = section.read(Keys.grace).flatMap { $0 > .zero ? $0 : nil }
            table.overtime = section.read(Keys.overtime).flatMap { $0.every > .zero ? $0 : nil }
            return table
        }
    }

    private static func readOvertime(_ section: Section) -> Overtime? {
        guard let every = section.read(OvertimeKeys.every), let named = section.read(OvertimeKeys.pattern),
            let pattern = section.context.patterns[named]
        else { return nil }
        if every > .zero, pattern.length >= every {
            let texts = (DurationText.text(pattern.length), DurationText.text(every))
            section.report(
                .unexpected(found: "\(named) of \(texts.0)", expected: "a pattern shorter than every, \(texts.1)"),
                at: OvertimeKeys.pattern)
        }
        return Overtime(every: every, pattern: pattern)
    }
}

extension Section {
    /// Makes the configured patterns known to what is read from now on.
    fileprivate func learnPatterns() {
        guard let node = node(SignalTable.Keys.patterns) else { return }
        // One with a fault is known too, so that the fault is told once.
        for name in node.tree.keys { context.patterns[name] = .flash }
        for (name, pattern) in read(SignalTable.Keys.patterns) ?? [] { context.patterns[name] = pattern }
    }
}
