internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

// The accounts of timers, and the budgets of groups.
extension TimerPlayer {
    /// Pauses what runs into its account, and goes on with another timer that has one.
    mutating func switchAccount(to selector: String?, at now: Instant) throws(Refusal) -> [Event] {
        let path = if let selector { try model.path(selector: selector) } else { try other }
        guard let timer = model[path], timer.carry else {
            throw Refusal(.notAllowed, "switch needs a timer with carry: true; timer \(path) has no account")
        }
        guard path != model.selected || !mode.isRunning else {
            throw Refusal(.notAllowed, "timer \(path) is running already")
        }
        return try Refusal.of(try start(path, at: now))
    }

    /// The other timer of a group of two.
    private var other: TimerPath {
        get throws(Refusal) {
            let (selected, count) = (model.selected, model.selectedGroup.timers.count)
            guard count == 2 else {
                throw Refusal(.notAllowed, "switch without a timer needs a group of two; this one has \(count)")
            }
            return TimerPath(group: selected.group, item: 1 - selected.item)
        }
    }
}

extension RunningTimer {
    /// The budget of the selected group; nil if it has none.
    func budget(at now: Instant) -> StateMessage.Budget? {
        let index = player.model.selected.group
        guard let whole = player.model.selectedGroup.budget, let used = player.used(ofGroup: index, at: now) else {
            return nil
        }
        var budget = StateMessage.Budget()
        let left = .seconds(whole) - used
        (budget.left, budget.of) = (max(.zero, left), whole)
        if player.mode.isRunning || player.mode == .alarm { budget.zero = (now + left).sinceEpoch }
        return budget
    }

    /// What names the selected group, whose position may change, and which may lose some of its timers.
    fileprivate var groupIDs: [UUID] { player.model.selectedGroup.timers.map(\.id) }
}

/// The groups whose spent budget has been announced.
struct SpentBudgets: Hashable, Sendable {
    /// The timers of these groups.
    var timers: [UUID] = []

    /// Whether it was announced that the budget of the selected group is spent.
    fileprivate func contains(groupOf timer: RunningTimer) -> Bool { timer.groupIDs.contains(where: timers.contains) }

    /// When the end of the current budget is announced; nil if it is not counted down, or has been announced.
    func nextInstant(_ timer: RunningTimer) -> Instant? {
        guard !contains(groupOf: timer), let began = timer.startedAt else { return nil }
        // The run has not been paused since then.
        let since = max(began, timer.modeSince ?? began)
        return timer.budget(at: since)?.zero.map { Instant(sinceEpoch: $0) }
    }
}

extension NodeCore {
    /// Announces that the budget of the selected group is spent.
    mutating func announceSpentBudget(into batch: inout EffectBatch) {
        let now = batch.now.instant
        // A budget that was raised can be spent again.
        if let left = timer.budget(at: now)?.left, left > .zero {
            spentBudgets.timers.removeAll(where: timer.groupIDs.contains)
        }
        guard !spentBudgets.contains(groupOf: timer), let zero = timer.budget(at: now)?.zero,
            Instant(sinceEpoch: zero) <= now
        else { return }
        // The timers that are gone name no group any more.
        spentBudgets.timers.removeAll { timer.player.model.path(of: $0) == nil }
        spentBudgets.timers += timer.groupIDs
        reports.budgetSpent(
            group: timer.player.model.selected.group + 1, at: Instant(sinceEpoch: zero), timer, into: &batch)
        outputs.attract(at: now)
    }

    /// Fills the accounts of a group, or all of them.
    mutating func resetAccounts(group: Int?, into batch: inout EffectBatch) throws(Refusal) {
        let model = timer.player.model
        if let group, !model.groups.indices.contains(group - 1) {
            throw Refusal(.notFound, "there is no group \(group): there are \(model.groups.count) groups")
        }
        let isAffected = group.map { $0 - 1 == model.selected.group } ?? true
        guard timer.player.mode == .stopped || !isAffected else {
            throw Refusal(
                .notAllowed, "reset_accounts needs a stopped timer; this one is \(ModeName(timer.player.mode).rawValue)"
            )
        }
        undo = nil
        timer.player.fillAccounts(ofGroup: group.map { $0 - 1 })
        let filled = model.groups.enumerated().filter { group == nil || $0.offset == group.map { $0 - 1 } }
        spentBudgets.timers.removeAll { id in filled.contains { $0.element.timers.contains { $0.id == id } } }
    }
}
