import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import TimerClient
import TimerEngine
import TimerProtocol

/// The five times of a timer, as the command `edit` clamps them.
enum ClampCases {
    static func all(using random: inout SeededGenerator) throws -> [JSON] {
        let times = [0, 1, 2, 3, 59, 60, 61, 86_398, 86_399, 86_400, 100_000, -5]
        var node = try Scenario { $0.mqtt?.commandRate = 0 }
        return try (0..<400).map { _ in
            var wished: [JSON.Member] = []
            for key in ["start", "warning", "final", "minimum", "maximum"] {
                wished.append(.init(key: key, value: .integer(times.randomElement(using: &random) ?? 0)))
            }
            // Each case starts from the same timer, since an edit also clamps the existing times.
            _ = node.send("edit", #"{"start":86399,"warning":0,"final":0,"minimum":0,"maximum":0}"#)
            let answer = node.send("edit", JSON.object(wished).text)
            guard answer?["status"] == "ok" else { throw PayloadError("\(answer?.text ?? "no response")") }
            let timers = try TimersMessage(Array((node.last("timers") ?? "").utf8))
            let timer = timers.model.selectedTimer
            return [
                "wished": .object(wished),
                "timer": [
                    "start": .integer(timer.thresholds.start), "warning": .integer(timer.thresholds.warning),
                    "final": .integer(timer.thresholds.final),
                    "minimum": .integer(timer.qualifying.minimum ?? 0),
                    "maximum": .integer(timer.qualifying.maximum ?? 0),
                ],
            ]
        }
    }
}

/// The offset of another clock, calculated from its responses.
enum ClockCases {
    static func all(using random: inout SeededGenerator) -> [JSON] {
        (0..<60).map { _ in
            var clock = OtherClock()
            var (now, ahead, boot) = (1000.0, Double.random(in: -1e6...1e6, using: &random), 1)
            let answers: [JSON] = (0..<30).map { _ in
                now += Double.random(in: 1...90_000, using: &random).rounded()
                ahead += Double.random(in: -5...5, using: &random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0: ahead += Double.random(in: -5000...5000, using: &random)
                case 1: boot += 1
                default: break
                }
                let way = Double.random(in: 0...400, using: &random).rounded()
                let (asked, answered) = (now, now + way)
                let told = ((now + way * Double.random(in: 0...1, using: &random) + ahead) * 1000).rounded() / 1000
                clock.add(
                    BootTime(boot: "\(boot)", now: duration(told)), askedAt: instant(asked),
                    answeredAt: instant(answered))
                now = answered
                let later = instant(now + 30_000)
                let best = clock.best(at: later)
                return [
                    "boot": .string("\(boot)"), "asked": .number(asked), "answered": .number(answered),
                    "told": .number(told), "later": .number(now + 30_000),
                    "offset": .number((best?.offset ?? .zero).inSeconds * 1000),
                    "error": .number((best?.error(at: later) ?? .zero).inSeconds * 1000),
                ]
            }
            return .array(answers)
        }
    }

    private static func duration(_ milliseconds: Double) -> Duration {
        .microseconds(Int((milliseconds * 1000).rounded()))
    }

    private static func instant(_ milliseconds: Double) -> Instant {
        Instant(sinceEpoch: duration(milliseconds))
    }
}

/// Runs that qualify, with or without the grace time, and runs that do not.
enum VerdictCases {
    static func all() throws -> [JSON] {
        var cases: [JSON] = []
        for (minimum, maximum) in [(nil, nil), (60, nil), (nil, 90), (60, 90), (60, 60)] as [(Int?, Int?)] {
            let rule = try QualifyingTime(minimum: minimum, maximum: maximum)
            for grace in [0, 1, 30] {
                for second in [0, 29, 30, 31, 58, 59, 60, 61, 89, 90, 91, 92, 119, 120, 121, 500] {
                    for used in [Duration.seconds(second), .seconds(second) + .milliseconds(999)] {
                        let isWithin = rule.qualifies(used: used, grace: 0)
                        cases.append([
                            "used": .number(used.inSeconds), "grace": .integer(grace),
                            "minimum": minimum.map { .integer($0) } ?? nil,
                            "maximum": maximum.map { .integer($0) } ?? nil,
                            "qualified": rule.qualifies(used: used, grace: grace).map { .bool($0) } ?? nil,
                            "within": isWithin.map { .bool($0) } ?? nil,
                        ])
                    }
                }
            }
        }
        return cases
    }
}

/// Meetings that begin early, with their expected ends.
enum MeetingCases {
    /// The scenario begins at 22:13:20 UTC on a Tuesday; the meeting is on Thursday.
    private static func node(_ seconds: [Int], before begin: Int) throws -> Scenario {
        let meeting = Agenda.Meeting(
            name: "Meeting", days: [.weekday(.thu)], at: TimeOfDay(secondOfDay: 0), duration: 600, group: 1,
            begin: .start)
        // Thursday begins 92,800 s after the beginning of the scenario.
        var node = try Scenario(after: .seconds(92_800 - begin)) {
            $0.mqtt?.healthInterval = .seconds(60)
            $0.agenda = Agenda(zone: "UTC", meetings: [meeting])
            let timers = seconds.map { TimerItem(thresholds: .zero.setting(start: $0)) }
            if let timers = try? NodeConfiguration.Timers(groups: [TimerGroup(name: "Group", timers: timers)]) {
                $0.timers = timers
            }
        }
        node.send("begin", "1")
        node.wait(.seconds(2))
        return node
    }

    static func all() throws -> [JSON] {
        var cases: [JSON] = []
        for begin in [12 * 3600 + 60, 12 * 3600 + 1, 12 * 3600, 12 * 3600 - 1, 3600, 1] {
            for seconds in [[600], [300, 240], [300, 230], [300, 300, 60], [660], [661], [60]] {
                let node = try node(seconds, before: begin)
                let page = try Page(node)
                guard let state = page.mirror.state else { continue }
                let left = page.mirror.expectedEndOfMeeting(at: .init(instant: node.now.instant, date: node.now.date))
                cases.append([
                    "before": .integer(begin), "node": page.node,
                    "near": .bool(state.meeting.map { $0.plannedEnd.timeIntervalSince1970 > 1_700_092_800 } ?? false),
                    "left": left == nil ? nil : state.meeting?.left.map { .integer($0) } ?? nil,
                ])
            }
        }
        return cases
    }
}

/// The default signals for each mode.
enum SignalCases {
    static var usual: [UInt8] {
        var writer = JSONWriter()
        ModeSignals.podium.write(to: &writer, ())
        return writer.bytes
    }
}
