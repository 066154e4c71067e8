#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Time accounts: a timer that keeps what is left, and the time that all runs of a group have taken.
extension TimerPlayer {
    /// Returns a stopped countdown for the selected timer: with the times that are put up, or else with what is left in
    /// the timer's account.
    var freshCountdown: TimerEngine.Countdown {
        var countdown = TimerEngine.Countdown(startingThresholds)
        if prepared == nil, model.selectedTimer.carry { countdown.reserve = accounts[model.selectedTimer.id]?.left }
        return countdown
    }

    /// Books the current run, which ends now, on the accounts of its timer.
    ///
    /// - Returns: How long all runs of the timer have taken; nil for a timer without an account.
    mutating func book(at now: TimerEngine.Instant) -> Duration? {
        let timer = model.selectedTimer
        let carries = timer.carry && oneOff == nil
        guard carries || model.selectedGroup.budget != nil else { return nil }
        var account = accounts[timer.id] ?? Account()
        let used = countdown.used(at: now)
        if model.selectedGroup.budget != nil { account.spent += used }
        if carries { (account.left, account.used) = (countdown.remaining(at: now), account.used + used) }
        accounts[timer.id] = account
        return carries ? account.used : nil
    }

    /// Fills the account of a timer. What its runs have spent of the group's budget stays spent.
    mutating func fillAccount(of timer: UUID) {
        let spent = accounts[timer]?.spent ?? .zero
        var account = Account()
        account.spent = spent
        accounts[timer] = spent > .zero ? account : nil
        if countdown.mode == .stopped { countdown = freshCountdown }
    }

    /// Fills the accounts of a group, or all of them. An account that is being used stays as it is.
    package mutating func fillAccounts(ofGroup index: Int?) {
        for (place, group) in model.groups.enumerated() where index == nil || place == index {
            for timer in group.timers { accounts[timer.id] = nil }
        }
        if countdown.mode == .stopped { countdown = freshCountdown }
    }

    /// The model with what is left in each account.
    package var modelWithAccounts: TimerModel {
        guard !accounts.isEmpty else { return model }
        var shown = model
        for path in model.paths {
            guard let timer = model[path], timer.carry, let left = accounts[timer.id]?.left else { continue }
            try? shown.edit(path) { $0.left = left }
        }
        return shown
    }

    /// How long all runs of a group have taken, including the current one; nil for a group without a budget.
    package func used(ofGroup index: Int, at now: TimerEngine.Instant) -> Duration? {
        guard model.groups.indices.contains(index), model.groups[index].budget != nil else { return nil }
        let booked = model.groups[index].timers.reduce(Duration.zero) { $0 + (accounts[$1.id]?.spent ?? .zero) }
        return model.selected.group == index ? booked + countdown.used(at: now) : booked
    }
}
