import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// One talk on two nodes: one is right from the start, the other is corrected later.
private struct TwinTalk {
    private enum Correction: CaseIterable { case lateStart, lateStartOfAnother, began, undo }

    private var numbers: SeededGenerator
    private var right: Scenario
    private var late: Scenario
    /// Whether both nodes took the same commands. A pause after the time was over, for example, is refused by one only.
    private(set) var isComparable = true
    /// Whether it is not certain when the mode began: time was added, or the sequence moved on in the same mode.
    private var hasUncertainMode = false

    init(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        var groups: [TimerGroup] = []
        for atZero in [TimerGroup.AtZero.next, .alarm] {
            let timers = try (0..<3).map { _ in
                let start = Int.random(in: 3...40, using: &numbers)
                let warning = Int.random(in: 0..<start, using: &numbers)
                let final = Int.random(in: 0...max(0, warning - 1), using: &numbers)
                let thresholds = try Thresholds(start: start, warning: warning, final: final)
                return TimerItem(
                    thresholds: thresholds,
                    qualifying: .none.setting(maximum: start).setting(minimum: start / 2))
            }
            groups.append(TimerGroup(atZero: atZero, timers: timers))
        }
        let timers = try NodeConfiguration.Timers(groups: groups)
        let grace = Bool.random(using: &numbers) ? Duration.seconds(3) : nil
        let profile = SignalProfile.allCases.randomElement(using: &numbers) ?? .podium
        func node() throws -> Scenario {
            try Scenario { configuration in
                configuration.mqtt?.commandRate = 0
                configuration.signals = SignalTable(profile)
                configuration.signals.grace = grace
                configuration.timers = timers
            }
        }
        (right, late, self.numbers) = (try node(), try node(), numbers)
    }

    /// Plays the talk, and returns what the two nodes show and report afterwards.
    mutating func play() throws -> (right: [String], late: [String]) {
        earlierRun()
        switch Correction.allCases.randomElement(using: &numbers) ?? .undo {
        case .lateStart: startLate(selects: false)
        case .lateStartOfAnother: startLate(selects: true)
        case .began: begin()
        case .undo: undo()
        }
        // A sound that began before the correction is not made up for.
        var (right, late) = (try seen(right, hears: false), try seen(late, hears: false))
        wait(.seconds(1))
        for _ in 0..<3 {
            if isComparable { act(mayBeInAlarm: true) }
            right += try seen(self.right)
            late += try seen(self.late)
        }
        send("stop")
        return (right + (try seen(self.right)), late + (try seen(self.late)))
    }

    // MARK: - The three corrections

    private mutating func startLate(selects: Bool) {
        let timer = selects ? #""timer":"\#(Int.random(in: 1...2, using: &numbers))/2","# : ""
        let ago = Int.random(in: 0...25, using: &numbers)
        let ended = late.core.timer.lastEndedAt
        right.send("start", #"{\#(timer)"speaker":"Ada"}"#)
        wait(.seconds(ago))
        // The sequence may have moved on by itself, which nothing takes back.
        isComparable = isComparable && late.core.timer.lastEndedAt == ended
        let since = ended.map { $0.duration(to: late.now.instant) } == .seconds(ago) && Bool.random(using: &numbers)
        late.send("start", #"{\#(timer)"speaker":"Ada",\#(since ? #""since":"last_end""# : #""ago":\#(ago)"#)}"#)
    }

    private mutating func begin() {
        send("stop")
        let ended = late.core.timer.lastEndedAt
        let began = right.now.date
        let isEarlier = Bool.random(using: &numbers)
        let (first, second) = isEarlier ? (\TwinTalk.right, \TwinTalk.late) : (\TwinTalk.late, \TwinTalk.right)
        self[keyPath: first].send("start", #"{"speaker":"Ada"}"#)
        wait(milliseconds(8000))
        let other = right.now.date
        self[keyPath: second].send("start", #"{"speaker":"Ada"}"#)
        for _ in 0..<3 { act(mayBeInAlarm: false) }
        let date = isEarlier ? began : other
        // Only the run that was started can be corrected, not the one that the sequence moved on to.
        isComparable = isComparable && late.core.timer.lastEndedAt == ended
        let answer = late.send("began", #"{"at":"\#(Timestamp.text(date))"}"#)
        isComparable = isComparable && answer?["status"] == "ok"
        if late.core.timer.lastEndedAt != ended { hasUncertainMode = true }
    }

    private mutating func undo() {
        let verb = ["stop", "end", "select 2/3", "next", "start", "rewind", "fast_forward"].randomElement(
            using: &numbers)
        let words = (verb ?? "stop").split(separator: " ").map(String.init)
        if late.core.timer.player.mode == .stopped { isComparable = false }
        let before = late.core.timer.runID
        late.send(words[0], words.count > 1 ? words[1] : "")
        wait(milliseconds(14_000))
        isComparable = isComparable && late.send("undo")?["status"] == "ok" && late.core.undo == nil && before != nil
    }

    // MARK: - What happens

    private mutating func earlierRun() {
        guard Bool.random(using: &numbers) else { return }
        send("start", Bool.random(using: &numbers) ? #"{"speaker":"Grace","timer":"2/1"}"# : "")
        wait(milliseconds(30_000))
        act(mayBeInAlarm: true)
        if Bool.random(using: &numbers) { send("stop") }
    }

    private mutating func act(mayBeInAlarm: Bool) {
        checkMode(mayBeInAlarm)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: send("pause")
        case 1: send("resume")
        case 2:
            send("add", "\(Int.random(in: 1...9, using: &numbers))")
            hasUncertainMode = true
        default: break
        }
        checkMode(mayBeInAlarm)
        wait(milliseconds(9000))
    }

    /// A command before the correction must find both nodes in the same mode, and leave them in the same mode.
    private mutating func checkMode(_ mayDiffer: Bool) {
        let players = [right, late].map(\.core.timer.player)
        let modes = players.map { ModeName($0.mode) }
        guard !mayDiffer,
            players[0].model.selected != players[1].model.selected || modes[0] != modes[1]
                || modes[0] == .alarm
        else { return }
        isComparable = false
    }

    private mutating func send(_ verb: String, _ payload: String = "") {
        let answers = [right.send(verb, payload), late.send(verb, payload)]
        if answers[0]?["status"] != answers[1]?["status"] { isComparable = false }
    }

    private mutating func wait(_ duration: Duration) {
        right.wait(duration)
        late.wait(duration)
    }

    private mutating func milliseconds(_ longest: Int) -> Duration {
        .milliseconds(Int.random(in: 0...longest, using: &numbers))
    }

    // MARK: - What is seen

    private func seen(_ node: Scenario, hears: Bool = true) throws -> [String] {
        var node = node
        node.send("state")
        var state = try StateMessage(Array((node.last("state") ?? "").utf8))
        (state.revision, state.undo) = (0, nil)
        // If it is uncertain when the mode began, it is when the lamps began to blink.
        let blinking = hasUncertainMode ? Set(state.patterns.keys) : []
        if hasUncertainMode { (state.clock.since, state.patterns) = (nil, [:]) }
        let isOn = { (output: OutputName) in
            node.levels?[output] == true && !blinking.contains(output)
                && (hears || !SignalTable.noisy.contains(output))
        }
        let lit = (node.levels ?? [:]).keys.sorted().filter(isOn)
        if !hears {
            state.outputs = OutputStates([:])
            for output in SignalTable.noisy { state.patterns[output] = nil }
        }
        let runs = try RunsMessage(Array((node.last("runs") ?? "").utf8)).runs.map { run in
            var run = run
            run.id = .unread
            return String(decoding: run.json(), as: UTF8.self)
        }
        return [String(decoding: state.bytes, as: UTF8.self), "\(lit)", node.last("mode") ?? ""] + runs
    }
}

@Suite("A run that is corrected")
struct CorrectedRunTests {
    @Test("is the same as one that was right from the start", arguments: SeededGenerator.seeds(12))
    func twins(seed: UInt64) throws {
        var compared = 0
        for talk in 0..<100 {
            var twins = try TwinTalk(seed: seed &* 1000 &+ UInt64(talk))
            let (right, late) = try twins.play()
            guard twins.isComparable else { continue }
            compared += 1
            let difference = zip(right, late).first { $0 != $1 }
            #expect(difference?.0 == difference?.1, "talk \(talk)")
            if difference != nil { return }
        }
        #expect(compared > 30)
    }
}
