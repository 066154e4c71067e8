@testable import NodeConfiguration
@testable import TimerProtocol

/// The faults of signals, and of the groups that name patterns.
extension FaultyFragment {
    private static let patterns = "(alarm, beep, double, long, triple)"
    private static let signal = "on, off, {blink: [on, off]} or a pattern's name"
    private static let step = "a duration from 10ms to 1h, such as 425ms"
    private static let group = "the name of a pattern, or none for silence \(patterns)"

    static let signals: [FaultyFragment] = [
        FaultyFragment(
            "signals:\n  profile: podum\n",
            #"node.yaml:2: signals.profile: found "podum", expected podium, toastmasters or rhythm"#
        ),
        FaultyFragment("signals:\n  alarms: {}\n", "node.yaml:2: signals.alarms: unknown; did you mean alarm?"),
        // Words
        FaultyFragment(
            "signals:\n  words: {warn: Hurry}\n", "node.yaml:2: signals.words.warn: unknown; did you mean warning?"),
        FaultyFragment(
            "signals:\n  words: {alarm: \"\"}\n",
            #"node.yaml:2: signals.words.alarm: found "", expected a string of 1 to 24 bytes without control characters"#
        ),
        FaultyFragment(
            "signals:\n  words:\n    alarm: Your time is up by now, Ada\n",
            """
            node.yaml:3: signals.words.alarm: found "Your time is up by now, Ada", expected a string of 1 to 24 bytes \
            without control characters
            """),
        // Outputs
        FaultyFragment(
            "signals:\n  alarm:\n    red: on\n    buzer: on\n",
            "node.yaml:4: signals.alarm.buzer: unknown; did you mean buzzer?"),
        FaultyFragment(
            "signals:\n  final: {strobe: on}\ngpio: {outputs: {red: {line: LINE1}, horn: {line: 2}}}\n",
            "node.yaml:2: signals.final.strobe: unknown, expected one of red, horn"),
        FaultyFragment(
            "signals: {final: {red: on}}\ngpio:\n  outputs: {red: {line: LINE1, safe: x}}\n",
            #"node.yaml:3: gpio.outputs.red.safe: found "x", expected \#(bool)"#),
        FaultyFragment(
            "signals: {final: {red: on, red: off}}\n",
            "node.yaml:1: signals.final.red: found a second time; it is already on line 1"),
        FaultyFragment(
            "signals: {final: red}\n",
            #"node.yaml:1: signals.final: found "red", expected outputs such as red: on"#),
        // Signals
        FaultyFragment(
            "signals: {final: {red: [1s]}}\n",
            "node.yaml:1: signals.final.red: found a list, expected \(signal) \(patterns)"),
        FaultyFragment(
            "signals: {final: {red: {blink: [0ms, 425ms]}}}\n",
            #"node.yaml:1: signals.final.red.blink[1]: found "0ms", expected \#(step)"#),
        FaultyFragment(
            "signals:\n  final:\n    red:\n      blink:\n        - 1s\n        - 9ms\n",
            #"node.yaml:6: signals.final.red.blink[2]: found "9ms", expected \#(step)"#),
        FaultyFragment(
            "signals: {final: {red: {blink: [1s]}}}\n",
            """
            node.yaml:1: signals.final.red.blink: found a list of 1, expected two times, on and off, such as \
            [425ms, 425ms]
            """),
        FaultyFragment(
            "signals: {final: {red: {blnk: [1s, 1s]}}}\n",
            "node.yaml:1: signals.final.red.blnk: unknown; did you mean blink?",
            """
            node.yaml:1: signals.final.red.blink: found nothing, expected two times, on and off, such as [425ms, 425ms]
            """),
        FaultyFragment(
            "signals: {final: {red: duble}}\n",
            #"node.yaml:1: signals.final.red: found "duble", expected \#(signal) \#(patterns); did you mean double?"#),
        FaultyFragment(
            "signals: {final: {red: chipr}, patterns: {chirp: [1s]}}\n",
            """
            node.yaml:1: signals.final.red: found "chipr", expected \(signal) (alarm, beep, chirp, double, long, triple); \
            did you mean chirp?
            """),
        // Patterns
        FaultyFragment(
            "signals:\n  patterns:\n    slow: [59m, 61s]\n",
            "node.yaml:3: signals.patterns.slow: found a pattern of 3601s, expected one of at most 1h"),
        FaultyFragment(
            "signals:\n  final: {red: chirp}\n  patterns:\n    chirp: [1s, 0]\n",
            #"node.yaml:4: signals.patterns.chirp[2]: found "0", expected \#(step)"#),
        FaultyFragment(
            "signals: {patterns: {chirp: []}}\n",
            """
            node.yaml:1: signals.patterns.chirp: found an empty list, expected a list of 1 to 64 times, on and off in \
            turn, such as [80ms, 40ms, 80ms]
            """),
        FaultyFragment(
            "signals: {patterns: {none: [1s]}}\n",
            """
            node.yaml:1: signals.patterns.none: found "none", expected another name: this word has a special meaning
            """),
        FaultyFragment(
            "signals: {patterns: {none: []}}\n",
            """
            node.yaml:1: signals.patterns.none: found "none", expected another name: this word has a special meaning
            """),
        // Times
        FaultyFragment(
            "signals: {alarm_sound_for: 2h}\n",
            """
            node.yaml:1: signals.alarm_sound_for: found "2h", expected whole seconds from 1s to 1h, such as 15s or \
            1:30, or 0 for silence
            """),
        FaultyFragment(
            "signals: {overtime: {every: 1s, pattern: long}}\n",
            "node.yaml:1: signals.overtime.pattern: found long of 1s, expected a pattern shorter than `every`, 1s"),
        FaultyFragment(
            "signals: {overtime: {every: 9s, pattern: dubble}}\n",
            """
            node.yaml:1: signals.overtime.pattern: found "dubble", expected the name of a pattern \(patterns); did you \
            mean double?
            """),
        FaultyFragment(
            "signals:\n  overtime:\n    every: soon\n    pattern: dubble\n",
            """
            node.yaml:3: signals.overtime.every: found "soon", expected whole seconds from 1s to 1h, such as 15s or \
            1:30, or 0 for none
            """,
            """
            node.yaml:4: signals.overtime.pattern: found "dubble", expected the name of a pattern \(patterns); did you \
            mean double?
            """),
        // Groups
        FaultyFragment(
            "timers:\n  groups:\n    - sound: alrm\n      transition: bep\n      timers: [{start: 1}]\n",
            #"node.yaml:3: timers.groups[1].sound: found "alrm", expected \#(group); did you mean alarm?"#,
            #"node.yaml:4: timers.groups[1].transition: found "bep", expected \#(group); did you mean beep?"#),
        FaultyFragment(
            "timers: {groups: [{sound: chirp, timers: [{start: 1}]}]}\nsignals: {patterns: {chirp: [1s]}}\n"),
        FaultyFragment(
            "timers: {groups: [{alarm: none, sound: beep, timers: [{start: 1}]}]}\n",
            "node.yaml:1: warning: timers.groups[1].sound: ignored: the alarm is `none`"),
    ]

    /// The faults of a timer's cards.
    static let cards: [FaultyFragment] =
        [
            ("{min: 5:00, mid: 6:00, max: 6:00}", "max: max 360 is not above mid 360"),
            ("{min: 6:00, mid: 6:00, max: 7:00}", "mid: mid 360 is not above min 360"),
            ("{min: 0, mid: 6:00, max: 7:00}", "min: min 0 is less than 1"),
            ("{min: 1h, mid: 2h, max: 24h}", "max: max 86400 is above 86399"),
            ("{min: 5:00, max: 7:00}", "mid: found nothing, expected \(time)"),
            (
                "{min: 5:00, mid: 6:00, max: 7:00, warning: 1}",
                "warning: found warning together with min, mid or max, expected one or the other"
            ),
        ].map { timer, fault in
            FaultyFragment(
                "timers: {groups: [{timers: [\n\(timer)\n]}]}\n", "node.yaml:2: timers.groups[1].timers[1].\(fault)")
        } + [
            FaultyFragment(
                "timers: {groups: [{timers: [{min: 1, mid: 2, max: 3}]}]}\n",
                """
                node.yaml:1: warning: timers.groups[1].timers[1].mid: found one second between mid and max, which \
                counts as none; there will be no yellow
                """)
        ]
}
