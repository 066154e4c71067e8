/// States that are reached seldom, and in which faults were found or may hide. Each must be reached within 1,000 hours
/// of stories.
package enum RareState: String, CaseIterable, Hashable, Sendable {
    // A process that dies.
    /// It died after the runs had been written and before the state was.
    case killedBetweenTwoWrites
    /// A power cut left a part of a state document.
    case tornState
    /// It died after a command and before the state that the command made was saved.
    case killedBeforeSaving
    /// It came back during a run.
    case restartedInRun
    case restartedInPause
    case restartedInAlarm
    /// A run ended while there was no process.
    case runEndedWhileDown
    /// The sequence went on while there was no process.
    case movedOnWhileDown
    /// It was killed again within two seconds after its start.
    case killedTwice
    case powerCutInRun
    case stoppedWhileDiskStuck
    case stoppedWhileHung
    case undoneAfterRestart

    // A process that hangs.
    /// A button was pressed while the process did not run.
    case pressedWhileHung
    /// A run ended while the process did not run.
    case runEndedWhileHung
    /// The process hung for longer than the keep-alive.
    case hungBeyondKeepAlive

    // The chip.
    case alarmWithoutChip
    case startedWithoutChip
    /// The chip was away for less than a second during a run.
    case chipBackSoon
    case unpluggedInAlarm
    case unpluggedWhileButtonDown

    // The disk.
    case diskFullInRun
    case diskStuckInRun
    /// A start found the disk failing.
    case startedOnFailingDisk

    // The clocks.
    /// The wall clock was set during a run.
    case clockSetInRun
    /// It was set to before the beginning of the run.
    case clockSetBeforeStart
    /// It was set during a run that ends by the clock.
    case clockSetInClockRun
    case clockRunEnded

    // The connection.
    case pressedWithoutConnection
    case alarmWithoutConnection
    case movedOnWithoutConnection
    /// A command was done and its answer did not leave before the connection ended.
    case answerAfterReconnection
    /// A client repeated a command that had been done.
    case repeatedCommand
    /// A retained command was refused.
    case retainedCommand
    /// Somebody else's value on one of the node's topics was corrected.
    case correctedTopic
    /// A client's will was published although the client had connected again.
    case lateWill
    case refusedSubscription
    case refusedMessage
    case takenOver
    /// A broker froze for longer than the keep-alive.
    case frozenBeyondKeepAlive
    case partitionedInRun
    /// After a partition the brokers had kept different values.
    case healedDifferently
    case oldProtocol
    /// A node connected to another member of the cluster than before.
    case otherMember

    // The timer.
    case movedOn
    /// Several timers of a sequence had gone by at once.
    case movedOnTwiceAtOnce
    case timeAddedInAlarm
    /// More was left than the run had begun with.
    case moreThanStart
    case undone
    case undoneInSequence
    case lockedCommandRefused
    case begunEarlier
    case oneSecondRun
    case accountSwitched
    case budgetSpent

    // The evening.
    case meetingBegan
    case meetingBeganInRun
    /// A meeting began in the hour that comes twice.
    case meetingInRepeatedHour
    case reminder
    case entryBegan
    case entryReplacedRun

    // Followers.
    case followerRestartedInRun
    case leaderRebooted
    case leaderRestartedInRun
    case commandForwarded
    case noLeader
    case followerWithoutLeader
    case followerOfFollower
}
