import FoundationEssentials
import Testing
import TimerEngine

@Suite("A remote control's actions")
struct TimerPlayerActionTests {
    enum Action: String, CaseIterable { case toggle, rewind, fastForward, next, previous }

    /// An action on a timer in a situation, and then the selected timer with its mode; `item2` is nil if it is refused.
    struct Row: Sendable, CustomTestStringConvertible {
        let action: Action, item: Int, situation: String, item2: Int?, mode: Mode
        var testDescription: String { "\(action) at 1/\(item) when \(situation)" }

        init(_ action: Action, _ item: Int, _ situation: String, to item2: Int?, _ mode: Mode = .stopped) {
            (self.action, self.item, self.situation, self.item2, self.mode) = (action, item, situation, item2, mode)
        }
    }

    static let rows: [Row] = [
        Row(.toggle, 2, "stopped", to: 2, .countdown),
        Row(.toggle, 2, "running", to: 2, .paused(mode: .countdown, pauseTime: 2.5)),
        Row(.toggle, 2, "paused", to: 2, .countdown), Row(.toggle, 2, "alarm", to: 1, .countdown),
        Row(.toggle, 3, "alarm", to: 1, .countdown),

        Row(.rewind, 2, "stopped", to: 1), Row(.rewind, 1, "stopped", to: 1), Row(.rewind, 2, "running", to: 2),
        Row(.rewind, 2, "paused", to: 2), Row(.rewind, 2, "paused at its start", to: 1),
        Row(.rewind, 2, "started", to: 1), Row(.rewind, 1, "started", to: 1), Row(.rewind, 2, "alarm", to: 2),
        Row(.rewind, 3, "alarm", to: 1), Row(.rewind, 1, "alarm", to: 1),

        Row(.fastForward, 2, "stopped", to: 3), Row(.fastForward, 3, "stopped", to: 3, .alarm),
        Row(.fastForward, 2, "running", to: 3, .countdown), Row(.fastForward, 3, "running", to: 3, .alarm),
        Row(.fastForward, 2, "started", to: 3, .countdown), Row(.fastForward, 2, "paused", to: 3, .countdown),
        Row(.fastForward, 2, "paused at its start", to: 3), Row(.fastForward, 2, "alarm", to: 3),
        Row(.fastForward, 3, "alarm", to: 3, .alarm),

        Row(.next, 1, "stopped", to: 2, .countdown), Row(.next, 2, "running", to: 3, .countdown),
        Row(.next, 2, "paused", to: 3, .countdown), Row(.next, 2, "alarm", to: 3, .countdown),
        Row(.next, 3, "running", to: nil), Row(.previous, 2, "stopped", to: 1, .countdown),
        Row(.previous, 3, "running", to: 2, .countdown), Row(.previous, 1, "running", to: nil),
    ]

    private func made(_ row: Row, startImmediately: Bool) throws -> TimerPlayer {
        var player = try player([[(10, 5, 2), (10, 5, 2), (10, 5, 2)]], startImmediately: startImmediately)
        let path = TimerPath(group: 0, item: row.item - 1)
        _ = try player.select(path, at: at(0))
        switch row.situation {
        case "running": _ = try player.start(at: at(7.5))
        case "started": _ = try player.start(at: at(10))
        case "paused":
            _ = try player.start(at: at(0))
            _ = try player.pause(at: at(2.5))
        case "paused at its start": _ = player.setRemaining(lasting(10), at: at(5))
        case "alarm": _ = player.end(at: at(5))
        default: break
        }
        return player
    }

    @Test("select and start the expected timer", arguments: rows, [true, false])
    func actions(_ row: Row, startImmediately: Bool) throws {
        var player = try made(row, startImmediately: startImmediately)
        let before = player
        func act() throws -> [TimerPlayer.Event] {
            switch row.action {
            case .toggle: try player.toggle(at: at(10))
            case .rewind: player.rewind(at: at(10))
            case .fastForward: player.fastForward(at: at(10))
            case .next: try player.next(at: at(10))
            case .previous: try player.previous(at: at(10))
            }
        }
        guard let item = row.item2 else {
            #expect(throws: PlayerError.self) { try act() }
            #expect(player == before)
            return
        }
        let events = try act()
        let selects =
            row.action == .next || row.action == .previous || row.situation == "alarm" && row.action == .toggle
        #expect(player.model.selected == TimerPath(group: 0, item: item - 1))
        #expect(player.mode == (selects && !startImmediately ? .stopped : row.mode))
        if player.mode == .stopped { #expect(player.countdown.shownSeconds(at: at(10)) == 10) }

        var mode = before.mode
        for case .modeChanged(let from, let to, _) in events {
            #expect(from == mode || from == mode.unpaused)
            mode = to
        }
        #expect(mode == player.mode, "each change of mode was reported")
    }

    @Test("during the alarm, toggle stays in its group, in any group")
    func toggleInLaterGroup() throws {
        var player = try player([[(10, 0, 0)], [(11, 0, 0), (12, 0, 0)]])
        _ = try player.start(path("2/2"), at: at(0))
        _ = player.end(at: at(1))
        _ = try player.toggle(at: at(2))
        #expect(player.model.selected == (try path("2/1")))
        #expect(player.mode == .countdown)
    }

    @Test("next and previous continue into the neighbouring group if allowed, and are refused at the ends of the model")
    func neighbours() throws {
        var player = try player([[(10, 0, 0), (11, 0, 0)], [(12, 0, 0)]])
        _ = try player.select(path("1/2"), at: at(0))
        #expect(throws: PlayerError.model(.noNext(after: try path("1/2")))) { try player.next(at: at(1)) }
        _ = try player.next(within: .model, at: at(1))
        #expect(player.model.selected == (try path("2/1")))
        #expect(throws: PlayerError.model(.noNext(after: try path("2/1")))) {
            try player.next(within: .model, at: at(2))
        }
        _ = try player.previous(within: .model, at: at(2))
        #expect(player.model.selected == (try path("1/2")))
        _ = try player.previous(within: .model, at: at(3))
        #expect(throws: PlayerError.model(.noPrevious(before: try path("1/1")))) {
            try player.previous(within: .model, at: at(4))
        }
    }

    @Test("a timer of 0 s that is selected to start stays stopped")
    func noTime() throws {
        var player = try player([[(10, 0, 0), (0, 0, 0)]])
        _ = try player.start(at: at(0))
        #expect(
            try player.next(at: at(1)).lines == ["1.0: 9", "1.0: 1/1 used 1.0 over 0.0", "1.0: countdown → stopped"])
        #expect(throws: PlayerError.countdown(.nothingToRun)) { try player.toggle(at: at(2)) }
        #expect(throws: PlayerError.countdown(.nothingToRun)) { try player.start(at: at(2)) }
        #expect(throws: PlayerError.countdown(.nothingToRun)) { try player.start(path("1/2"), at: at(2)) }
        #expect(throws: PlayerError.model(.noTimer(at: try path("1/3")))) { try player.start(path("1/3"), at: at(2)) }
        #expect(throws: PlayerError.model(.noTimer(at: try path("1/3")))) { try player.select(path("1/3"), at: at(2)) }
    }

    @Test("select first stops the timer; the new one stays stopped")
    func select() throws {
        var player = try player([[(10, 6, 0), (20, 0, 0)]])
        _ = try player.start(at: at(0))
        #expect(
            try player.select(path("1/2"), at: at(5)).lines == [
                "4.0: countdown → warning", "5.0: 5", "5.0: 1/1 used 5.0 over 0.0", "5.0: warning → stopped",
            ])
        #expect(player.countdown.shownSeconds(at: at(5)) == 20)
        _ = try player.start(at: at(6))
        _ = try player.pause(at: at(7))
        #expect(
            try player.select(path("1/2"), at: at(8)).lines
                == ["8.0: 1/2 used 1.0 over 0.0", "8.0: countdown → stopped"])
    }

    @Test("starting another timer is one step, in any mode")
    func startOther() throws {
        var player = try player([[(10, 6, 0), (20, 0, 0)]])
        _ = try player.start(at: at(0))
        _ = player.play(until: at(4))
        #expect(
            try player.start(path("1/2"), at: at(4.5)).lines
                == ["4.5: 1/1 used 4.5 over 0.0", "4.5: warning → countdown", "4.5: 20"])
    }

    @Test("a late action applies to the timer that is running by then")
    func late() throws {
        var player = try player([[(2, 0, 0), (10, 0, 0)]])
        _ = try player.start(at: at(0))
        #expect(
            try player.pause(at: at(5.5)).lines == [
                "2.0: 1/1 used 2.0 over 0.0", "2.0: 1/1 ⇒ 1/2", "5.0: 7", "5.5: countdown → paused(countdown, 3.5)",
            ])
    }

    @Test("after a refused action, events that fell due are still reported")
    func refused() throws {
        var player = try player([[(2, 0, 0), (10, 0, 0)]])
        _ = try player.start(at: at(0))
        let before = player
        #expect(throws: PlayerError.countdown(.notAllowed(.resume, in: .countdown))) { try player.resume(at: at(5)) }
        #expect(throws: PlayerError.model(.noNext(after: try path("1/2")))) { try player.next(at: at(5)) }
        #expect(throws: PlayerError.countdown(.tooLong(seconds: 86_407))) { try player.add(86_400, at: at(5)) }
        #expect(throws: PlayerError.model(.lastTimer)) {
            try player.edit(at: at(5)) { (model) throws(ModelError) in
                try model.delete(TimerPath(group: 0, item: 0))
                try model.delete(TimerPath(group: 0, item: 0))
            }
        }
        #expect(player == before)
        #expect(player.advance(to: at(5)).lines.last == "5.0: 7")
    }
}
