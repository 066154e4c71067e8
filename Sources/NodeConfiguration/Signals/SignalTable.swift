internal import TimerEngine
package import TimerProtocol

/// The look and sound of each mode.
package struct SignalTable: Hashable, Sendable {
    /// The outputs that make a noise: `silence` mutes them, they stop a while after the alarm begins, and they are not
    /// lamps.
    package static let noisy: Set<OutputName> = ["buzzer", "horn", "vibrate"]

    /// A sound that is repeated until the alarm is stopped.
    package struct Overtime: Hashable, Sendable {
        /// The time from the alarm to the first sound, and between sounds.
        package var every: Duration
        package var pattern: Pattern

        package init(every: Duration, pattern: Pattern) {
            self.every = every
            self.pattern = pattern
        }
    }

    /// The outputs' signals in each mode; an output that is missing from a mode is off.
    package var modes: [ModeName: [OutputName: LampSignal]]
    /// The word for each mode.
    package var words: [ModeName: String]
    /// All named patterns.
    package var patterns: [String: Pattern]
    /// The sound between two timers of a group that does not specify one.
    package var transition: Pattern?
    /// How long the alarm makes a noise; its lamps stay active until it is stopped.
    package var alarmSoundFor: Duration = .seconds(10)
    /// How long after the alarm its steady lamps begin to flash; nil for never.
    package var grace: Duration?
    /// The sound repeated after the alarm; nil for none.
    package var overtime: Overtime?
    /// The signals that ask for the speaker's attention, on top of the mode's signals; nil to turn the lit lamps off
    /// briefly.
    package var attention: [OutputName: LampSignal]?
    /// The signals of a stopped timer before a meeting; nil for the same as at any other time.
    package var lead: [OutputName: LampSignal]?

    /// Creates the table of a profile with configured patterns, which are added to the built-in ones or replace them.
    package init(_ profile: SignalProfile, patterns own: [String: Pattern] = [:]) {
        patterns = Pattern.builtIn.merging(own) { $1 }
        modes = profile.modes(patterns)
        words = profile.words
        transition = profile.transition.flatMap { [patterns] in patterns[$0] }
        if profile == .rhythm { addRhythm() }
    }

    /// Green, yellow, red, then red flashing with the buzzer in step for 10 s.
    package static let podium = SignalTable(.podium)

    /// Returns the word for a mode.
    package func word(for mode: ModeName) -> String { words[mode] ?? ModeSignals.podium[mode].word }
}

extension SignalTable {
    /// The section as written in the file.
    private struct Draft {
        var profile = SignalProfile.podium
        var rhythm = false
        /// The modes in the file, which replace the profile's modes.
        var modes: [ModeName: [OutputName: LampSignal]] = [:]
        var patterns: [(name: String, value: Pattern)] = []
        /// The words in the file, which replace the profile's words.
        var words: [ModeName: String] = [:]
        /// All other properties, which are the same in each profile.
        var table = SignalTable.podium
    }

    private static let keys = Keys(prototype: Draft(), profileKeys + otherKeys)

    private static let profileKeys: [Key<Draft>] =
        [
            .optional(
                "profile", \.profile, .oneOf,
                "The signals and words of the modes that you do not define here. If you define a mode, the outputs that "
                    + "you leave out are off."),
            .optional(
                "rhythm", \.rhythm, .bool,
                "Whether the profile's lamps also show the mode by how they blink: slowly in warning, quickly in final. The "
                    + "profile `rhythm` always does."),
        ]
        + ModeName.allCases.map { mode in
            .optional(
                mode.rawValue, \.modes[mode], LampSignal.outputs,
                absent: mode == .paused
                    ? "the lamps of the mode that was paused, 500 ms on, 1500 ms off" : "the profile's",
                "The signals for \(mode.rawValue).")
        }

    private static let otherKeys: [Key<Draft>] = [
        .optional(
            "words", \.words, .section(wordKeys), absent: "the profile's",
            "The words for the modes in displays, remotes and `watch`."),
        .optional(
            "patterns", \.patterns, .named(Pattern.schema, "a mapping of patterns such as chirp: [80ms, 40ms, 80ms]"),
            absent: "the built-in ones", "Patterns besides `beep`, `double`, `triple`, `long` and `alarm`."),
        .optional(
            "alarm_sound_for", \.table.alarmSoundFor, .seconds(in: 1...3600, zero: "silence"),
            "How long `buzzer`, `horn` and `vibrate` go on during the alarm. The lamps continue until the timer is "
                + "stopped."),
        .optional(
            "grace", \.table.grace, .seconds(in: 1...3600, zero: "never"),
            "How long after the alarm its steady lamps begin to flash."),
        .optional(
            "attention", \.table.attention, LampSignal.outputs.orNil,
            absent: "the lit lamps go dark three times for 150 ms, or yellow flashes if none is lit",
            "The signals that ask for the speaker's attention, on top of the mode's. A pattern is played once."),
        .optional(
            "lead", \.table.lead, LampSignal.outputs.orNil, absent: "the same as while stopped",
            "The signals of a stopped timer before a meeting with `lead`."),
        .optional(
            "overtime", \.table.overtime, Overtime.schema, absent: "none",
            "A sound that is repeated until the alarm is stopped."),
    ]

    private static let wordKeys = Keys(
        prototype: [ModeName: String](),
        ModeName.allCases.map { mode in
            .optional(
                mode.rawValue, \.[mode], .text(.word), absent: word(of: mode),
                "The word for \(mode.rawValue).")
        })

    /// The words of the profiles for a mode, for the reference page.
    private static func word(of mode: ModeName) -> String {
        let words = SignalProfile.allCases.map { SignalTable($0).word(for: mode) }
        guard Set(words).count > 1 else { return "`\(words[0])`" }
        return zip(SignalProfile.allCases, words).map { "\($0.rawValue): `\($1)`" }.joined(separator: ", ")
    }

    /// Reads the section. The outputs must already be in the context; the patterns are added to it.
    static let schema: Schema<Self> = .section(keys) { section in
        if let written = section.node(\.patterns) {
            // A pattern with a fault also counts as defined, so that the fault is reported only once.
            for name in written.tree.keys { section.context.patterns[name] = .flash }
            for (name, pattern) in section.read(\.patterns).patterns { section.context.patterns[name] = pattern }
        }
        let draft = section.readAll()
        var table = Self(draft.profile, patterns: section.context.patterns)
        if draft.rhythm || draft.profile == .rhythm {
            let lamps = section.context.outputs.filter { !noisy.contains($0) }
            if lamps.count == 1 { table.useOnly(lamps[0]) }
            table.addRhythm()
        }
        table.modes.merge(draft.modes) { _, written in written }
        table.words.merge(draft.words) { _, written in written }
        table.alarmSoundFor = draft.table.alarmSoundFor
        table.grace = draft.table.grace
        table.overtime = draft.table.overtime
        table.attention = draft.table.attention
        table.lead = draft.table.lead
        return table
    }
}

extension SignalTable.Overtime {
    /// The section as written in the file.
    private struct Draft {
        var every = Duration.zero
        var pattern = "double"
    }

    private static let keys = Keys(
        prototype: Draft(),
        .optional(
            "every", \.every, .seconds(in: 1...3600, zero: "none"),
            "The time from the alarm to the first sound, and between sounds."),
        .optional("pattern", \.pattern, .pattern, "The sound, played once each time.")
    )

    /// Reads the section; nil if `every` is 0.
    fileprivate static let schema: Schema<Self?> = .section(keys) { section in
        let draft = section.readAll()
        guard !section.isFaulty(\.every, \.pattern), let pattern = section.context.patterns[draft.pattern] else {
            return nil
        }
        guard draft.every > .zero else { return .some(nil) }
        if pattern.length >= draft.every {
            let texts = (DurationText.text(pattern.length), DurationText.text(draft.every))
            section.report(
                .unexpected(
                    found: "\(draft.pattern) of \(texts.0)", expected: "a pattern shorter than `every`, \(texts.1)"),
                at: \.pattern)
        }
        return Self(every: draft.every, pattern: pattern)
    }
}
