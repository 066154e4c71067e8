import Testing
import TimerEngine

@Suite("Whole groups of a model")
struct TimerModelGroupTests {
    @Test("a group can be inserted at any position, and the selection stays with its timer")
    func create() throws {
        let original = try matrix(2, 1)
        let group = TimerGroup(name: "new", timers: [TimerItem(thresholds: try times(90))])
        for (place, starts) in [(0, [[90], [4, 5], [8]]), (1, [[4, 5], [90], [8]]), (2, [[4, 5], [8], [90]])] {
            var model = original
            try model.createGroup(group, at: place)
            #expect(model.starts == starts)
            #expect(model.selectedTimer.thresholds.start == 4)
        }
        var model = original
        try model.createGroup(group)
        #expect(model.groups.last?.name == "new")
    }

    @Test("an invalid group or position is refused and changes nothing")
    func refused() throws {
        var model = try matrix(4, 1)
        let before = model
        let five = TimerGroup(timers: (0..<5).map { _ in TimerItem() })
        let twin = model.groups[1]
        let new = TimerGroup(timers: [TimerItem()])
        #expect(throws: ModelError.emptyGroup) { try model.createGroup(TimerGroup()) }
        #expect(throws: ModelError.groupFull(0, count: 5)) { try model.createGroup(five, at: 0) }
        #expect(throws: ModelError.duplicateID(twin.timers[0].id)) { try model.createGroup(twin) }
        for place in [-1, 3, .max] {
            #expect(throws: ModelError.noPlaceForGroup(place)) { try model.createGroup(new, at: place) }
            #expect(throws: ModelError.noPlaceForGroup(place)) { try model.moveGroup(0, to: place) }
            #expect(throws: ModelError.noGroup(place)) { try model.moveGroup(place, to: 0) }
            #expect(throws: ModelError.noGroup(place)) { try model.deleteGroup(place) }
            #expect(throws: ModelError.noGroup(place)) { try model.duplicateGroup(place) }
        }
        #expect(throws: ModelError.noPlaceForGroup(2)) { try model.moveGroup(0, to: 2) }
        #expect(ModelError.noPlaceForGroup(2).description == "there is no place for a group at 3")
        #expect(ModelError.emptyGroup.description == "a group needs at least one timer")
        #expect(model == before)
    }

    @Test("a moved group keeps its timers and the selection")
    func move() throws {
        var model = try matrix(2, 1, 3)
        try model.select(path("1/2"))
        let before = model
        try model.moveGroup(0, to: 2)
        #expect(model.starts == [[8], [12, 13, 14], [4, 5]])
        #expect(model.selected == (try path("3/2")))
        try model.moveGroup(2, to: 0)
        #expect(model == before)
    }

    @Test("a copy has all the contents of its group except the ids, and comes after it")
    func duplicate() throws {
        var model = try matrix(2, 1)
        try model.editGroup(0) { ($0.alarm, $0.timers[1].event) = (.sound, "Keynote") }
        try model.duplicateGroup(0)
        #expect(model.starts == [[4, 5], [4, 5], [8]])
        #expect(model.groups[1].name == "Group 1" && model.groups[1].alarm == .sound)
        #expect(model.groups[1].timers[1].event == "Keynote" && model.groups[1].timers[1].name == "5")
        #expect(model.selected == (try path("1/1")))
    }

    @Test("deleting a group moves the selection to the same position, clamped; the only group is not deleted")
    func delete() throws {
        var model = try matrix(2, 1, 3)
        try model.select(path("3/3"))
        try model.deleteGroup(0)
        #expect(model.starts == [[8], [12, 13, 14]] && model.selectedTimer.thresholds.start == 14)
        try model.deleteGroup(1)
        #expect(model.selectedTimer.thresholds.start == 8)
        #expect(throws: ModelError.lastTimer) { try model.deleteGroup(0) }
        #expect(model.starts == [[8]])
    }

    @Test("A new group has the template's settings and only the new timer")
    func template() throws {
        let template = TimerGroup(
            name: "New", display: .circular, atZero: .alarm, timers: [TimerItem(name: "Ignored")])
        var model = TimerModel()
        try model.create(TimerItem(name: "Created"), at: TimerPath(group: 1, item: 0), newGroup: template)
        #expect(model.groups[1].timers.map(\.name) == ["Created"])
        #expect(model.groups[1].name == "New" && model.groups[1].display == .circular)
        try model.move(TimerPath(group: 0, item: 0), to: TimerPath(group: 2, item: 0), newGroup: template)
        #expect(model.groups.map(\.timers.count) == [1, 1])
    }

    @Test("The bounds of a qualifying time are clamped to the bounds of a timer; 0 or less means none")
    func bounds() {
        let rule = QualifyingTime.none.setting(minimum: 100_000).setting(maximum: 200_000)
        #expect(rule.minimum == 86_399 && rule.maximum == 86_399)
        #expect(rule.setting(maximum: 0) == QualifyingTime.none.setting(minimum: 86_399))
        #expect(rule.setting(minimum: -1).minimum == nil && rule.setting(maximum: .min).maximum == nil)
    }
}
