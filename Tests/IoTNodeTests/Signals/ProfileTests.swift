import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A signal")
struct ProfileTests {
    /// A group of one or more timers of 6/4/2 s.
    private func node(
        signals: SignalTable = .podium, timers: Int = 1, vibrates: Bool = false,
        group: (inout TimerGroup) -> Void = { _ in }
    ) throws -> Scenario {
        let thresholds = try Thresholds(start: 6, warning: 4, final: 2)
        var settings = TimerGroup(timers: (0..<timers).map { _ in TimerItem(thresholds: thresholds) })
        group(&settings)
        return try Scenario { configuration in
            configuration.signals = signals
            configuration.timers = (try? .init(groups: [settings])) ?? configuration.timers
            if vibrates { configuration.gpio.outputs["vibrate"] = .init(line: "VIBRATE") }
        }
    }

    /// Returns the lit outputs at some instants after the start, in milliseconds.
    private func lit(_ node: Scenario, at instants: [Int]) -> [String] {
        var node = node
        node.send("start")
        var now = 0
        return instants.map { instant in
            node.wait(.milliseconds(instant - now))
            now = instant
            return node.lit
        }
    }

    private func lit(_ node: Scenario, inAlarmAt instants: [Int]) -> [String] {
        lit(node, at: instants.map { 6000 + $0 })
    }

    @Test("of the profile podium")
    func podium() throws {
        #expect(
            try lit(node(), at: [0, 1999, 2000, 4000, 5999, 6000, 6425, 6850, 15_775, 16_200])
                == ["green", "green", "yellow", "red", "red", "buzzer+red", "dark", "buzzer+red", "dark", "red"])
    }

    @Test("of the profile toastmasters: green, yellow, red as time passes, and no sound")
    func toastmasters() throws {
        #expect(
            try lit(node(signals: SignalTable(.toastmasters)), at: [0, 1999, 2000, 4000, 6000, 6425, 3_000_000])
                == ["dark", "dark", "green", "yellow", "red", "red", "red"])
    }

    @Test("of the profile rhythm: steady, slow, quick, and then the alarm, in the colors of the podium")
    func rhythm() throws {
        let instants = [0, 1999, 2000, 2999, 3000, 3999, 4000, 4199, 4200, 4399, 4400, 6000, 6425]
        let lamps = ["green", "green", "yellow", "yellow", "dark", "dark", "red", "red", "dark", "dark", "red"]
        #expect(try lit(node(signals: SignalTable(.rhythm)), at: instants) == lamps + ["buzzer+red", "dark"])
        #expect(Pattern.quick.length > .milliseconds(333), "more than three flashes a second may cause a seizure")
    }

    @Test("of the output vibrate pulses once in the warning, twice in the final mode, three times in the alarm")
    func pulses() throws {
        for profile in SignalProfile.allCases {
            var node = try Scenario(60, 40, 20) { configuration in
                configuration.signals = SignalTable(profile)
                configuration.gpio.outputs = ["vibrate": .init(line: "VIBRATE")]
            }
            node.send("start")
            var counts: [Int] = []
            for length in [19_999, 20_000, 20_000, 1300] {
                let before = node.story.count
                node.wait(.milliseconds(length))
                counts.append(node.story[before...].count { $0.hasSuffix(" lamps vibrate") })
            }
            #expect(counts == [0, 1, 2, 3], "\(profile)")
        }
    }

    @Test("flashes after its grace")
    func grace() throws {
        var table = SignalTable(.toastmasters)
        table.grace = .seconds(30)
        #expect(
            try lit(node(signals: table), inAlarmAt: [0, 29_999, 30_000, 30_424, 30_425, 30_849, 30_850])
                == ["red", "red", "red", "red", "dark", "dark", "red"])
    }

    @Test("of a pause: the lamps of the mode that was paused, slowly, and no sound", arguments: [0, 1, 3, 5])
    func pause(at seconds: Int) throws {
        var table = SignalTable.podium
        table.modes[.final] = ["red": .blink(.flash), "buzzer": .on, "yellow": .play(Pattern(milliseconds: 20))]
        var node = try node(signals: table)
        node.send("start")
        node.wait(.seconds(seconds))
        node.send("pause")
        let lamp = ["green", "green", "", "yellow", "", "red"][seconds]
        #expect(node.lit == lamp)
        node.wait(.milliseconds(499))
        #expect(node.lit == lamp)
        node.wait(.milliseconds(1))
        #expect(node.lit == "dark")
        node.wait(.milliseconds(1499))
        #expect(node.lit == "dark")
        node.wait(.milliseconds(1))
        #expect(node.lit == lamp)
    }

    @Test("in the configuration replaces the mode's default, including for pauses and the stopped timer")
    func ownModes() throws {
        var table = SignalTable.podium
        table.modes[.stopped] = ["green": .blink(Pattern(milliseconds: 50, 950))]
        table.modes[.paused] = ["yellow": .on]
        table.modes[.warning] = ["yellow": .on, "buzzer": .play(Pattern(milliseconds: 80, 40, 80))]
        var node = try node(signals: table)
        #expect(node.lit == "green")
        node.send("start")
        node.wait(.seconds(2))
        #expect(node.lit == "buzzer+yellow")
        #expect(node.state?["outputs"]?["buzzer"] == "blink")
        node.wait(.milliseconds(80))
        #expect(node.lit == "yellow")
        node.wait(.milliseconds(40))
        #expect(node.lit == "buzzer+yellow")
        node.wait(.milliseconds(80))
        #expect(node.lit == "yellow")
        #expect(node.state?["outputs"]?["buzzer"] == "off")
        node.send("pause")
        #expect(node.lit == "yellow")
        #expect(node.state?["outputs"]?["yellow"] == "on")
        node.send("resume")
        #expect(node.lit == "yellow", "a pattern that plays when a mode begins does not play again after a pause")
    }

    @Test("counts from the instant at which its mode was due, however late the node detects it")
    func stalled() throws {
        var node = try node()
        node.send("start")
        node.stall(.milliseconds(6300))
        #expect(node.lit == "buzzer+red")
        node.wait(.milliseconds(124))
        #expect(node.lit == "buzzer+red")
        node.wait(.milliseconds(1))
        #expect(node.lit == "dark")
    }

    @Test(
        "of a group's alarm is the profile's, unless the group has different settings",
        arguments: [
            // kind, sound, the lit outputs at 0, 100, 200 and 440 ms into the alarm
            (TimerGroup.Alarm.none, nil, ["buzzer+red+vibrate", "buzzer+red+vibrate", "buzzer+red+vibrate", "dark"]),
            (.none, "none", ["red+vibrate", "red+vibrate", "red+vibrate", "dark"]),
            (.none, "double", ["buzzer+red+vibrate", "buzzer+red+vibrate", "red+vibrate", "buzzer"]),
            (.none, "gone", ["buzzer+red+vibrate", "buzzer+red+vibrate", "buzzer+red+vibrate", "dark"]),
            (.sound, nil, ["buzzer+red+vibrate", "buzzer+red+vibrate", "buzzer+red+vibrate", "dark"]),
            (.sound, "none", ["red+vibrate", "red+vibrate", "red+vibrate", "dark"]),
            (.sound, "double", ["buzzer+red+vibrate", "buzzer+red+vibrate", "red+vibrate", "buzzer"]),
            (.vibrate, nil, ["red+vibrate", "red+vibrate", "red+vibrate", "dark"]),
            (.vibrate, "double", ["red+vibrate", "red+vibrate", "red", "vibrate"]),
            (.soundVibrate, nil, ["buzzer+red+vibrate", "buzzer+red+vibrate", "buzzer+red+vibrate", "dark"]),
            (.soundVibrate, "none", ["red+vibrate", "red+vibrate", "red+vibrate", "dark"]),
        ] as [(TimerGroup.Alarm, String?, [String])])
    func groupAlarm(kind: TimerGroup.Alarm, sound: String?, expected: [String]) throws {
        let node = try node(vibrates: true) { ($0.alarm, $0.sound) = (kind, sound) }
        #expect(lit(node, inAlarmAt: [0, 100, 200, 440]) == expected)
    }

    @Test("of an alarm changes at once when its group is edited")
    func editedAlarm() throws {
        var node = try node { $0.sound = "double" }
        node.send("start")
        node.wait(.milliseconds(6050))
        #expect(node.lit == "buzzer+red")
        let timers = try #require(node.last("timers")).replacing(#""sound":"double""#, with: #""sound":"none""#)
        #expect(node.send("timers", timers)?["mode"] == "alarm")
        #expect(node.lit == "red")
    }

    @Test("of a group with sound is audible even in a silent profile")
    func soundInToastmasters() throws {
        let node = try node(signals: SignalTable(.toastmasters)) { $0.alarm = .sound }
        #expect(lit(node, inAlarmAt: [0, 425, 850, 10_000]) == ["buzzer+red", "red", "buzzer+red", "red"])
    }

    @Test(
        "between two timers of a group is a short beep, unless the group names another",
        arguments: [
            (nil, ["6 lamps buzzer+green", "6.15 lamps green"]),
            ("none", ["6 lamps green"]),
            (
                "double",
                ["6 lamps buzzer+green", "6.15 lamps green", "6.3 lamps buzzer+green", "6.45 lamps green"]
            ),
            ("gone", ["6 lamps buzzer+green", "6.15 lamps green"]),
        ] as [(String?, [String])])
    func transition(name: String?, lamps: [String]) throws {
        var node = try node(timers: 2) { $0.transition = name }
        node.send("start")
        node.wait(.seconds(5))
        let before = node.story.count
        node.wait(.milliseconds(2999))
        #expect(node.story[before...].filter { $0.contains(" lamps ") } == lamps)
    }

    @Test("between two timers is silent in the profile toastmasters")
    func silentTransition() throws {
        let node = try node(signals: SignalTable(.toastmasters), timers: 2)
        #expect(lit(node, at: [5999, 6000, 6100]) == ["yellow", "dark", "dark"])
    }

    @Test("during overtime sounds again, timed from the alarm, until it is stopped")
    func overtime() throws {
        var table = SignalTable.podium
        table.overtime = .init(every: .seconds(8), pattern: Pattern(milliseconds: 150, 150, 150))
        var node = try node(signals: table, vibrates: true) { $0.alarm = .soundVibrate }
        node.send("start")
        node.wait(.seconds(6))
        let buzzer = { (node: Scenario) in node.levels?["buzzer"] == true && node.levels?["vibrate"] == true }
        node.wait(.milliseconds(8100))
        #expect(!buzzer(node), "the repeat at 8 s lies within the alarm's own 10 s and is skipped")
        node.wait(.milliseconds(7899))
        #expect(node.state?["outputs"]?["buzzer"] == "off")
        for _ in 0..<100 {
            node.wait(.milliseconds(1))
            #expect(buzzer(node))
            #expect(node.state?["outputs"]?["buzzer"] == "blink")
            node.wait(.milliseconds(150))
            #expect(!buzzer(node))
            node.wait(.milliseconds(150))
            #expect(buzzer(node))
            node.wait(.milliseconds(150))
            #expect(!buzzer(node))
            #expect(node.state?["outputs"]?["buzzer"] == "off")
            node.wait(.milliseconds(7549))
        }
        node.send("stop")
        node.wait(Undo.time)
        #expect(node.core.nextInstant == nil)
    }

    @Test("during overtime is audible in a silent profile, but not in a silent group", arguments: [nil, "none"])
    func silentOvertime(sound: String?) throws {
        var table = SignalTable(.toastmasters)
        table.overtime = .init(every: .seconds(5), pattern: Pattern(milliseconds: 150))
        let node = try node(signals: table) { $0.sound = sound }
        #expect(
            lit(node, inAlarmAt: [0, 4999, 5000, 5150, 10_000])
                == (sound == nil
                    ? ["red", "red", "buzzer+red", "red", "buzzer+red"] : Array(repeating: "red", count: 5)))
    }

    @Test("of an output that does not exist is not played")
    func unknownOutput() throws {
        var node = try Scenario(6, 4, 2) { $0.gpio = .init(outputs: ["red": .init(line: "1")]) }
        node.send("start")
        #expect(node.levels == ["red": false])
        node.wait(.seconds(6))
        #expect(node.levels == ["red": true])
    }

    @Test("causes no wake-ups once everything is steady")
    func asleep() throws {
        var node = try node(signals: SignalTable(.toastmasters))
        node.send("start")
        node.wait(.seconds(6))
        node.wait(.seconds(11))
        #expect(node.last("mode") == "alarm")
        #expect(node.core.nextInstant == nil)
    }
}
