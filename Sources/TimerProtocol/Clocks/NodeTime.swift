package import TimerEngine

/// How far a node's boot clock is ahead of ours, and when to ask for that.
///
/// On one machine both are the same clock. On two, the node's answers to the command `time` tell.
package struct NodeTime: Hashable, Sendable {
    /// An offset that is better by less than this is not worth a change.
    private static let worthwhile: Duration = .milliseconds(1)

    /// This machine's boot; nil where it is hidden.
    private let ownBoot: String?
    private var clock = OtherClock()
    /// The offset that is counted by.
    private var counted: Duration?
    /// The questions for the time; nil for a client that does not ask.
    private var requests: TimeRequests?
    /// The boot that the node's states count from; nil before the first state.
    private var boot: String?
    /// Whether time passes for the node's timer, or its lamps blink since an instant.
    package private(set) var isCounting = false
    /// Whether the node has yet to show that it is there. Such a node is asked even if its clock is known.
    package var isSilent = false
    /// The last state that was refused as older; nil once another one was taken.
    private var refused: StateMessage?

    package init(ownBoot: String?, requests: TimeRequests?) {
        self.ownBoot = ownBoot
        self.requests = requests
    }

    /// How far the clock that the node's states count from is ahead; nil where that is not known.
    package var offset: Duration? {
        guard let boot else { return nil }
        if boot == ownBoot { return .zero }
        return boot == clock.boot ? counted : nil
    }

    /// The answer that tells most of the offset, and the boot it is of; nil before the first one.
    package func best(at now: Instant) -> (boot: String, sample: OtherClock.Sample)? {
        guard let boot = clock.boot, let sample = clock.best(at: now) else { return nil }
        return (boot, sample)
    }

    /// When to ask next; nil for never.
    package var nextInstant: Instant? {
        isAsked ? requests?.nextInstant(isCounting: isCounting) : nil
    }

    private var isAsked: Bool { isWorthAsking || isSilent }

    private var isWorthAsking: Bool { boot != nil && boot != ownBoot }

    /// Goes on from an answer that was saved.
    package mutating func restore(boot: String, _ sample: OtherClock.Sample) {
        clock = OtherClock(boot: boot, sample: sample)
        counted = sample.offset
    }

    /// The node can hear questions: there is a connection, and both are new on it, or may have stood still.
    package mutating func connected(at now: Instant) {
        // Until it is known that the time has to be asked for, one answer says that the node is there.
        let count = isWorthAsking || !isSilent ? TimeRequests.atConnection : 1
        requests?.ask(count, at: now)
    }

    package mutating func disconnected() { requests?.reset() }

    /// The node told another state.
    package mutating func note(
        _ state: StateMessage, after previous: StateMessage?, at now: Instant
    ) {
        boot = state.clock.now.boot
        let wasCounting = isCounting
        isCounting = state.mode != .stopped
        guard isWorthAsking, let requests else { return }
        if boot != clock.boot {
            if previous == nil || !requests.isAsking { self.requests?.ask(TimeRequests.atConnection, at: now) }
        } else if isCounting, !wasCounting || state.startedAt != previous?.startedAt {
            self.requests?.ask(TimeRequests.atStart, at: now)
        }
    }

    /// The id of a question that is due; nil where none is.
    package mutating func consumeDue(at now: Instant) -> String? {
        isAsked ? requests?.consumeDue(at: now, isCounting: isCounting) : nil
    }

    /// A node answered a command; returns nil where that was no question of ours, else whether the time is counted by
    /// another offset now.
    package mutating func receive(_ response: Response, at now: Instant) -> Bool? {
        guard let asked = response.id.flatMap({ requests?.answered($0) }) else { return nil }
        guard case .time(_, let time)? = response.details else { return false }
        let isOther = clock.boot != time.boot
        clock.add(time, askedAt: asked, answeredAt: now)
        guard let best = clock.best(at: now)?.offset else { return false }
        if !isOther, let counted, max(best - counted, counted - best) < Self.worthwhile { return false }
        counted = best
        return true
    }
}

// MARK: - The newest state

extension NodeTime {
    /// Whether a state is refused because the node made it before the known one.
    ///
    /// The known state may be forged. If it was made later than now, the node did not make it, and an older state is taken.
    /// While the offset is unknown, an older state is taken, too. A refusal asks for the time again, because the offset may
    /// come from a forged answer.
    package mutating func refuses(
        _ new: StateMessage, after known: StateMessage?, at now: Instant
    ) -> Bool {
        guard let known, new.isOlder(than: known), !mayBeForged(known, at: now) else {
            refused = nil
            return false
        }
        refused = new
        if isWorthAsking { requests?.ask(TimeRequests.atStart, at: now) }
        return true
    }

    /// The refused state, if the present offset shows that the known one was made later than now; nil otherwise.
    package mutating func stateInPlace(of known: StateMessage?, at now: Instant) -> StateMessage? {
        guard let known, mayBeForged(known, at: now) else { return nil }
        return refused.take()
    }

    private func mayBeForged(_ state: StateMessage, at now: Instant) -> Bool {
        guard let offset else { return true }
        return state.clock.now.now - offset > now.sinceEpoch + .seconds(1)
    }
}
