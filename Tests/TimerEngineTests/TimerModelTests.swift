import FoundationEssentials
import Testing
import TimerEngine

/// Returns a matrix of timers with a start of 4 + 4·group + item, a warning of start/2 and a final of start/4.
func matrix(_ counts: Int...) throws -> TimerModel {
    let groups = try counts.enumerated().map { group, count in
        TimerGroup(
            name: "Group \(group + 1)",
            timers: try (0..<count).map { item in
                let start = 4 + 4 * group + item
                return TimerItem(name: "\(start)", thresholds: try times(start, start / 2, start / 4))
            })
    }
    return try TimerModel(groups: groups)
}

/// Returns the path that this string describes.
func path(_ text: String) throws -> TimerPath { try #require(TimerPath(text)) }

extension TimerModel {
    /// The starting times, group by group.
    var starts: [[Int]] { groups.map { $0.timers.map(\.thresholds.start) } }
}

@Suite("The model")
struct TimerModelTests {
    @Test("a new model has one group with one timer of 0/0/0, which is selected")
    func new() {
        let model = TimerModel()
        #expect(model.starts == [[0]])
        #expect(model.selectedTimer.thresholds == .zero)
        #expect(model.selected == TimerPath(group: 0, item: 0))
        #expect(model.settings.startTimerImmediately)
        #expect(model.selectedGroup.display == .numerical)
        #expect(model.selectedGroup.alarm == .none)
        #expect(model.selectedGroup.atZero == .next)
    }

    @Test("5 groups of 4 hold 4…23 in order")
    func matrixInOrder() throws {
        let model = try matrix(4, 4, 4, 4, 4)
        #expect(model.starts.flatMap(\.self) == Array(4...23))
        #expect(model.paths.map { model[$0]?.thresholds.start } == Array(4...23))
    }

    @Test("create inserts a timer: 5×3, at group 2, item 1")
    func create() throws {
        var model = try matrix(3, 3, 3, 3, 3)
        try model.create(at: TimerPath(group: 2, item: 1))
        #expect(model.starts[2] == [12, 0, 13, 14])
    }

    @Test("delete closes the gap and removes an empty group: 5×4, group 2")
    func delete() throws {
        var model = try matrix(4, 4, 4, 4, 4)
        try model.delete(TimerPath(group: 2, item: 2))
        #expect(model.starts[2] == [12, 13, 15])
        for _ in 0..<3 { try model.delete(TimerPath(group: 2, item: 0)) }
        #expect(model.groups.count == 4)
        #expect(model.starts[2].first == 16)
    }

    @Test("groups of 4,3,4,3,4: a full group refuses a timer, one with room accepts it, a new group is appended")
    func insertAndMove() throws {
        let original = try matrix(4, 3, 4, 3, 4)
        var model = original
        #expect(throws: ModelError.groupFull(0, count: 5)) { try model.create(at: TimerPath(group: 0, item: 0)) }
        #expect(model == original)
        try model.create(at: TimerPath(group: 1, item: 0))

        model = original
        try model.move(TimerPath(group: 0, item: 2), to: TimerPath(group: 1, item: 0))
        #expect(model[TimerPath(group: 1, item: 0)]?.thresholds.start == 6)
        #expect(model.starts == [[4, 5, 7], [6, 8, 9, 10], [12, 13, 14, 15], [16, 17, 18], [20, 21, 22, 23]])

        model = original
        try model.move(TimerPath(group: 2, item: 0), to: TimerPath(group: 5, item: 0))
        #expect(model.groups.count == 6)
        #expect(model.starts[5] == [12])
    }

    @Test(
        "create accepts each position in a group and one after the last group, but no other",
        arguments: [
            ("1/1", true), ("1/3", true), ("1/4", false), ("2/2", true), ("3/1", true), ("3/2", false), ("4/1", false),
        ])
    func places(_ text: String, isPlace: Bool) throws {
        let original = try matrix(2, 1)
        var model = original
        let path = try path(text)
        if isPlace {
            try model.create(TimerItem(name: "new"), at: path)
            #expect(model[path]?.name == "new")
            #expect(model.selectedTimer.name == "4", "the selection stays with its timer")
        } else {
            #expect(throws: ModelError.noPlace(at: path)) { try model.create(at: path) }
            #expect(model == original)
        }
    }

    @Test(
        "the target of a move is resolved after the removal",
        arguments: [
            ("1/1", "1/3", [[5, 6, 4], [8, 9]]), ("1/3", "1/1", [[6, 4, 5], [8, 9]]),
            ("1/1", "1/1", [[4, 5, 6], [8, 9]]),
            ("1/2", "2/3", [[4, 6], [8, 9, 5]]), ("2/2", "3/1", [[4, 5, 6], [8], [9]]),
        ])
    func moves(_ source: String, target: String, result: [[Int]]) throws {
        var model = try matrix(3, 2)
        try model.move(path(source), to: path(target))
        #expect(model.starts == result)
        #expect(model.selectedTimer.thresholds.start == 4)
    }

    @Test("a moved timer adopts the settings of its new group, and a group that becomes empty is removed")
    func moveOutOfASingle() throws {
        var model = try matrix(1, 3)
        try model.editGroup(1) { $0.alarm = .soundVibrate }
        try model.move(path("1/1"), to: path("2/1"))
        #expect(model.starts == [[4, 8, 9, 10]])
        #expect(model.selected == TimerPath(group: 0, item: 0))
        #expect(model.selectedGroup.alarm == .soundVibrate)
    }

    @Test("a full group can be reordered but accepts no other timer")
    func fullGroup() throws {
        var model = try matrix(4, 1)
        try model.move(path("1/4"), to: path("1/1"))
        #expect(model.starts == [[7, 4, 5, 6], [8]])
        let before = model
        #expect(throws: ModelError.groupFull(0, count: 5)) { try model.move(path("2/1"), to: path("1/1")) }
        #expect(throws: ModelError.noPlace(at: try path("1/5"))) { try model.move(path("1/1"), to: path("1/5")) }
        #expect(throws: ModelError.noTimer(at: try path("3/1"))) { try model.move(path("3/1"), to: path("2/1")) }
        #expect(model == before)
    }

    @Test(
        "deleting the selected timer moves the selection to the same position, clamped",
        arguments: [("1/1", 5), ("1/2", 6), ("1/3", 5), ("2/1", 12), ("3/1", 8)])
    func deleteSelected(_ text: String, start: Int) throws {
        var model = try matrix(3, 1, 1)
        try model.select(path(text))
        try model.delete(path(text))
        #expect(model.selectedTimer.thresholds.start == start)
    }

    @Test("deleting another timer leaves the selection with its timer")
    func deleteOther() throws {
        var model = try matrix(1, 3)
        try model.select(path("2/2"))
        try model.delete(path("1/1"))
        try model.delete(path("1/1"))
        #expect(model.selectedTimer.thresholds.start == 9)
        #expect(model.selected == TimerPath(group: 0, item: 0))
    }

    @Test("the last timer is not deleted")
    func deleteLast() throws {
        var model = TimerModel()
        let before = model
        #expect(throws: ModelError.lastTimer) { try model.delete(path("1/1")) }
        #expect(throws: ModelError.noTimer(at: try path("1/2"))) { try model.delete(path("1/2")) }
        #expect(throws: ModelError.lastTimer) { try model.editGroup(0) { $0.timers = [] } }
        #expect(model == before)
    }

    @Test("next and previous stay in the group and do not wrap; within the model, they continue to the next group")
    func neighbours() throws {
        var model = try matrix(2, 1, 1)
        #expect(throws: ModelError.noPrevious(before: try path("1/1"))) { try model.selectPrevious() }
        try model.selectNext()
        #expect(model.selected == (try path("1/2")))
        #expect(throws: ModelError.noNext(after: try path("1/2"))) { try model.selectNext() }
        try model.selectNext(within: .model)
        #expect(model.selected == (try path("2/1")))
        #expect(throws: ModelError.noPrevious(before: try path("2/1"))) { try model.selectPrevious() }
        try model.selectPrevious(within: .model)
        #expect(model.selected == (try path("1/2")))
        try model.select(path("3/1"))
        #expect(throws: ModelError.noNext(after: try path("3/1"))) { try model.selectNext(within: .model) }
        try model.select(path("1/1"))
        #expect(throws: ModelError.noPrevious(before: try path("1/1"))) { try model.selectPrevious(within: .model) }
    }

    @Test("advance wraps within the group")
    func advance() throws {
        var model = try matrix(1, 3)
        try model.select(path("2/2"))
        model.advance()
        #expect(model.selected == (try path("2/3")))
        model.advance()
        #expect(model.selected == (try path("2/1")))
    }

    @Test("select and edit refuse timers and groups that do not exist")
    func notThere() throws {
        var model = try matrix(2)
        let before = model
        let nowhere = TimerPath(group: -1, item: .max)
        #expect(throws: ModelError.noTimer(at: nowhere)) { try model.select(nowhere) }
        #expect(throws: ModelError.noTimer(at: nowhere)) { try model.edit(nowhere) { $0.name = "x" } }
        #expect(throws: ModelError.noGroup(1)) { try model.editGroup(1) { $0.name = "x" } }
        #expect(ModelError.noTimer(at: nowhere).description == "there is no timer 0/-9223372036854775808")
        #expect(model == before)
    }

    @Test("edit changes one timer, and cannot create two timers with the same id")
    func edit() throws {
        var model = try matrix(2)
        try model.edit(path("1/2")) { $0.thresholds = $0.thresholds.setting(start: 90) }
        #expect(model.starts == [[4, 90]])
        let twin = model.selectedTimer
        #expect(throws: ModelError.duplicateID(twin.id)) { try model.edit(path("1/2")) { $0 = twin } }
        #expect(throws: ModelError.duplicateID(twin.id)) { try model.create(twin, at: path("2/1")) }
        #expect(model.starts == [[4, 90]])
    }

    @Test("a model is created from valid groups; empty ones are removed")
    func made() throws {
        let full = try matrix(4).groups[0]
        let other = TimerGroup(timers: [TimerItem(name: "other")])
        var five = full
        five.timers.append(TimerItem())
        #expect(throws: ModelError.groupFull(1, count: 5)) { try TimerModel(groups: [other, five]) }
        #expect(throws: ModelError.lastTimer) { try TimerModel(groups: []) }
        #expect(throws: ModelError.lastTimer) { try TimerModel(groups: [TimerGroup()]) }
        #expect(throws: ModelError.noTimer(at: try path("2/2"))) {
            try TimerModel(groups: [full, other], selected: path("2/2"))
        }
        let model = try TimerModel(groups: [TimerGroup(), full, TimerGroup(), other], selected: path("4/1"))
        #expect(model.groups.count == 2)
        #expect(model.selectedTimer.name == "other")
        #expect(model.path(of: model.selectedTimer.id) == (try path("2/1")))
        #expect(model.path(of: UUID()) == nil)
    }
}
