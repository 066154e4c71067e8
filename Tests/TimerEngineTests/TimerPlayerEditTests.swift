import Testing
import TimerEngine

@Suite("Editing while playing")
struct TimerPlayerEditTests {
    @Test("the running timer continues with its new times, wherever it is moved")
    func running() throws {
        var player = try player([[(10, 0, 0), (20, 0, 0)], [(30, 0, 0)]])
        _ = try player.start(at: at(0))
        let selected = player.model.selected
        #expect(
            try player.edit(at: at(2.5)) { (model) throws(ModelError) in
                try model.edit(selected) { $0.thresholds = $0.thresholds.setting(warning: 9) }
            }.lines == ["2.0: 8", "2.5: countdown → warning"])
        #expect(player.countdown.zero == at(10))

        #expect(
            try player.edit(at: at(3)) { (model) throws(ModelError) in
                try model.move(selected, to: TimerPath(group: 1, item: 0))
            }.lines == ["3.0: 7"])
        #expect(player.model.selected == (try path("2/1")))
        #expect(player.upNext == (try path("2/2")))
        #expect(player.play(until: at(10)).lines.contains("10.0: 2/1 ⇒ 2/2"))
    }

    @Test("reducing the running timer to 0 s continues with the next")
    func cut() throws {
        var player = try player([[(10, 0, 0), (20, 0, 0)]])
        _ = try player.start(at: at(0))
        let events = try player.edit(at: at(1)) { (model) throws(ModelError) in
            try model.edit(TimerPath(group: 0, item: 0)) { $0.thresholds = .zero }
        }
        #expect(events.lines.suffix(3) == ["1.0: 1/1 used 1.0 over 0.0", "1.0: 1/1 ⇒ 1/2", "1.0: 20"])
    }

    @Test("a stopped timer shows its new time, without a tick")
    func stopped() throws {
        var player = try player([[(10, 0, 0)]])
        let events = try player.edit(at: at(1)) { (model) throws(ModelError) in
            try model.edit(TimerPath(group: 0, item: 0)) { $0.thresholds = $0.thresholds.setting(start: 90) }
        }
        #expect(events.isEmpty)
        #expect(player.countdown.shownSeconds(at: at(1)) == 90)
    }

    @Test("deleting the running timer stops it first")
    func deleted() throws {
        var player = try player([[(10, 0, 0), (20, 0, 0)]])
        _ = try player.start(at: at(0))
        let events = try player.edit(at: at(1)) { (model) throws(ModelError) in
            try model.delete(TimerPath(group: 0, item: 0))
        }
        #expect(events.lines == ["1.0: 9", "1.0: 1/1 used 1.0 over 0.0", "1.0: countdown → stopped"])
        #expect(player.lastRun?.name == "10")
        #expect(player.countdown.shownSeconds(at: at(1)) == 20)
    }

    @Test("a new model starts out stopped, unless it contains the running timer")
    func replaced() throws {
        var player = try player([[(10, 0, 0), (20, 0, 0)]])
        var other = player.model
        try other.select(path("1/2"))
        try other.create(TimerItem(name: "first"), at: path("1/1"))
        _ = try player.start(at: at(0))
        #expect(try player.edit(at: at(0.5)) { $0 = other }.isEmpty)
        #expect(player.model.selected == (try path("1/2")))
        #expect(player.mode == .countdown)

        let stranger = try matrix(2)
        #expect(try player.edit(at: at(0.6)) { $0 = stranger }.lines.last == "0.6: countdown → stopped")
        #expect(player.model == stranger)
        _ = try player.edit(at: at(0.7)) { $0 = other }
        #expect(player.model == other, "when stopped, the selection of the new model applies")
    }

    @Test("a closure may throw any error: a model error becomes a player error, any other is passed on unchanged")
    func anyError() throws {
        struct Other: Error {}
        var player = try player([[(10, 0, 0)]])
        let path = player.model.selected
        _ = try player.start(at: at(0))
        #expect(
            try player.edit(at: at(1)) { try $0.edit(path) { $0.thresholds = $0.thresholds.setting(warning: 9) } }.lines
                == ["1.0: 9", "1.0: countdown → warning"])
        let before = player
        #expect(throws: PlayerError.model(.lastTimer)) { try player.edit(at: at(5)) { try $0.delete(path) } }
        #expect(throws: Other.self) {
            try player.edit(at: at(5)) { model in
                try model.createGroup(TimerGroup(timers: [TimerItem()]))
                throw Other()
            }
        }
        #expect(player == before)
    }

    @Test("an edit does not affect a one-off run, and takes effect after it")
    func oneOff() throws {
        var player = try player([[(10, 0, 0)]])
        _ = try player.start(.init(thresholds: times(60)), at: at(0))
        let events = try player.edit(at: at(0.5)) { (model) throws(ModelError) in
            try model.edit(TimerPath(group: 0, item: 0)) { $0.thresholds = $0.thresholds.setting(start: 5) }
        }
        #expect(events.isEmpty)
        #expect(player.countdown.zero == at(60))
        _ = player.stop(at: at(1))
        #expect(player.countdown.shownSeconds(at: at(1)) == 5)
    }
}
