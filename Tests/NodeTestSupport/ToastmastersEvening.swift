package import TimerProtocol

/// An evening of twelve Toastmasters speeches with the timers of config/toastmasters.yaml, and the resulting report.
///
/// Each timer has a minimum and a maximum, and 30 s of grace.
package enum ToastmastersEvening {
    /// A command or a wait.
    package enum Step: Sendable {
        case send(_ verb: String, _ payload: String = "")
        case wait(Duration)
    }

    /// A row of the report.
    package struct Row: Hashable, Sendable {
        let speaker: String
        let timer: String
        /// These times are in milliseconds.
        var used: Int
        var over: Int
        var paused: Int
        let qualified: Bool?

        /// Creates an expected row.
        init(_ speaker: String, _ timer: String, used: Int, over: Int = 0, paused: Int = 0, qualified: Bool) {
            self.speaker = speaker
            self.timer = timer
            self.used = used
            self.over = over
            self.paused = paused
            self.qualified = qualified
        }

        /// Creates the row of a run.
        package init(_ run: RunRecord) {
            speaker = run.speaker ?? ""
            timer = run.name
            used = Int(run.used / .milliseconds(1))
            over = Int(run.over / .milliseconds(1))
            paused = Int(run.paused / .milliseconds(1))
            qualified = run.qualified
        }
    }

    /// Rounds the times in a report to a tenth of a second, for comparisons where the clock is only read from time to
    /// time.
    package static func rounded(_ report: [Row]) -> [Row] {
        let round = { (milliseconds: Int) in (milliseconds + 50) / 100 * 100 }
        return report.map { row in
            var row = row
            (row.used, row.over, row.paused) = (round(row.used), round(row.over), round(row.paused))
            return row
        }
    }

    /// The actions of the timekeeper, and the times between them.
    package static let steps: [Step] = [
        // The speaker stops in time.
        .send("start", #"{"timer":"1/1","speaker":"Ada"}"#), .wait(.seconds(310)), .send("stop"),
        // The speaker stops a tenth of a second too early.
        .send("start", #"{"timer":"1/1","speaker":"Bob"}"#), .wait(.milliseconds(209_900)), .send("stop"),
        // The speaker stops just late enough, thanks to the grace.
        .send("start", #"{"timer":"1/1","speaker":"Chen"}"#), .wait(.seconds(210)), .send("stop"),
        // The speaker is over time, but just within the grace, because seconds are rounded down.
        .send("start", #"{"timer":"1/2","speaker":"Dora"}"#), .wait(.milliseconds(450_900)), .send("stop"),
        // The speaker stops too late.
        .send("start", #"{"timer":"1/2","speaker":"Emil"}"#), .wait(.seconds(451)), .send("stop"),
        // The applause does not count as the speaker's time.
        .send("start", #"{"timer":"1/2","speaker":"Fay"}"#), .wait(.seconds(200)), .send("pause"), .wait(.seconds(45)),
        .send("resume"), .wait(.seconds(160)), .send("stop"),
        // The timer is first started by mistake, after which the speaker is kept.
        .send("start", #"{"timer":"1/3","speaker":"Gus"}"#), .wait(.milliseconds(1200)), .send("stop"),
        .wait(.seconds(20)), .send("start"), .wait(.seconds(660)), .send("stop"),
        .send("start", #"{"timer":"1/3","speaker":"Hana"}"#), .wait(.seconds(750)), .send("stop"),
        .send("start", #"{"timer":"2/1","speaker":"Ivan"}"#), .wait(.milliseconds(29_900)), .send("stop"),
        // The speaker is named in the middle of the run.
        .send("start", "2/1"), .wait(.seconds(10)), .send("speaker", "Jun"), .wait(.seconds(20)), .send("stop"),
        .send("start", #"{"timer":"2/1","speaker":"Kim"}"#), .wait(.seconds(151)), .send("stop"),
        // The timer is restarted at once, because the first start was too early.
        .send("start", #"{"timer":"3/1","speaker":"Lea"}"#), .wait(.seconds(1)), .send("start"), .wait(.seconds(150)),
        .send("stop"),
    ]

    /// The report, with the oldest run first.
    package static let report = [
        Row("Ada", "Ice Breaker", used: 310_000, qualified: true),
        Row("Bob", "Ice Breaker", used: 209_900, qualified: false),
        Row("Chen", "Ice Breaker", used: 210_000, qualified: true),
        Row("Dora", "Speech", used: 450_900, over: 30_900, qualified: true),
        Row("Emil", "Speech", used: 451_000, over: 31_000, qualified: false),
        Row("Fay", "Speech", used: 360_000, paused: 45_000, qualified: true),
        Row("Gus", "Long speech", used: 660_000, qualified: true),
        Row("Hana", "Long speech", used: 750_000, over: 30_000, qualified: true),
        Row("Ivan", "Table Topic", used: 29_900, qualified: false),
        Row("Jun", "Table Topic", used: 30_000, qualified: true),
        Row("Kim", "Table Topic", used: 151_000, over: 31_000, qualified: false),
        Row("Lea", "Evaluation", used: 150_000, qualified: true),
    ]
}
