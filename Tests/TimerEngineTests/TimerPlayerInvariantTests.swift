import TestSupport
import Testing

@testable import TimerEngine

@Suite("Invariants of any sequence of actions")
struct TimerPlayerInvariantTests {
    /// Performs a random action; returns nil if it was refused.
    private func act(
        on player: inout TimerPlayer, at now: Instant, _ random: inout SeededGenerator, isSync: inout Bool
    ) -> [TimerPlayer.Event]? {
        let path = TimerPath(
            group: Int.random(in: 0...3, using: &random), item: Int.random(in: 0...4, using: &random))
        let reach: TimerModel.Reach = Bool.random(using: &random) ? .group : .model
        let seconds = Int.random(in: -5...20, using: &random)
        let action = Int.random(in: 0..<24, using: &random)
        isSync = action == 17
        return switch action {
        case 0, 1: try? player.start(at: now)
        case 2: try? player.start(path, at: now)
        case 3: try? player.start(.init(thresholds: .zero.setting(start: seconds)), at: now)
        case 4: player.stop(at: now)
        case 5: player.end(at: now)
        case 6: try? player.pause(at: now)
        case 7: try? player.resume(at: now)
        case 8, 9: try? player.toggle(at: now)
        case 10: player.rewind(at: now)
        case 11: player.fastForward(at: now)
        case 12: try? player.next(within: reach, at: now)
        case 13: try? player.previous(within: reach, at: now)
        case 14: try? player.select(path, at: now)
        case 15: player.setRemaining(.milliseconds(seconds * 700), at: now)
        case 16: try? player.add(seconds, at: now)
        case 17: try? player.sync(to: seconds, at: now - .milliseconds(700), now: now)
        case 18:
            try? player.edit(at: now) { (model) throws(ModelError) in
                try model.edit(path) { $0.thresholds = $0.thresholds.setting(start: seconds) }
            }
        case 19: try? player.edit(at: now) { (model) throws(ModelError) in try model.create(at: path) }
        case 20:
            try? player.edit(at: now) { (model) throws(ModelError) in
                try model.move(path, to: TimerPath(group: 1, item: 0))
            }
        case 21: try? player.edit(at: now) { (model) throws(ModelError) in try model.delete(path) }
        default: player.advance(to: now)
        }
    }

    @Test("the model, the countdown and the reported events agree", arguments: SeededGenerator.seeds(200))
    func randomActions(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: 5_000 + seed)
        var player = try player(
            [[(6, 4, 2), (0, 0, 0), (3, 2, 0)], [(5, 0, 0)], [(4, 3, 2), (2, 1, 0), (7, 0, 3), (1, 0, 0)]],
            startImmediately: seed.isMultiple(of: 2))
        var now = at(0)
        var mode = player.mode

        for _ in 0..<150 {
            now = now + .milliseconds(Int.random(in: 0...2500, using: &random))
            let before = player
            var isSync = false
            guard let events = act(on: &player, at: now, &random, isSync: &isSync) else {
                #expect(player == before, "a refused action changes nothing")
                continue
            }

            #expect(player.model[player.model.selected] != nil)
            #expect(player.model.groups.allSatisfy { (1...TimerGroup.capacity).contains($0.timers.count) })
            #expect(
                player.countdown.thresholds
                    == player.oneOff?.thresholds ?? player.model.selectedTimer.thresholds)
            #expect((player.nextInstant != nil) == player.mode.isRunning)
            // A sync may reveal that the run ended before the last reported event.
            if !isSync { #expect(events.map(\.instant) == events.map(\.instant).sorted()) }

            for (index, event) in events.enumerated() {
                switch event {
                case .modeChanged(let from, let to, _):
                    #expect(from == mode || from == mode.unpaused)
                    mode = to
                case .movedOn(_, _, let instant):
                    #expect(mode != .alarm, "there is never an alarm at a boundary")
                    guard index > 0, case .runEnded(let run, instant) = events[index - 1] else {
                        Issue.record("a boundary without the end of a run: \(events.lines)")
                        continue
                    }
                    #expect(run.over <= run.used)
                case .tick, .runEnded: break
                }
            }
            #expect(mode == player.mode, "each change of mode was reported")

            if Int.random(in: 0..<15, using: &random) == 0 {
                let copy = try TimerPlayer(
                    player.model, player.countdown.snapshot, oneOff: player.oneOff, lastRun: player.lastRun)
                #expect(copy == player)
            }
        }
    }

    @Test("players woken at each instant and at random reach the same state", arguments: SeededGenerator.seeds(50))
    func punctualOrLate(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: 7_000 + seed)
        var punctual = try player([[(6, 4, 2), (0, 0, 0), (3, 2, 0), (9, 0, 0)]])
        var late = punctual
        var now = at(0)
        for _ in 0..<60 {
            now = now + .milliseconds(Int.random(in: 0...4000, using: &random))
            _ = punctual.play(until: now)
            var (left, right) = (random, random)
            var isSync = false
            _ = act(on: &punctual, at: now, &left, isSync: &isSync)
            _ = act(on: &late, at: now, &right, isSync: &isSync)
            random = left
        }
        _ = punctual.play(until: now)
        _ = late.advance(to: now)
        // Each player creates timers with different ids.
        #expect(late.countdown == punctual.countdown)
        #expect(late.lastRun == punctual.lastRun)
        #expect(late.model.starts == punctual.model.starts)
    }
}
