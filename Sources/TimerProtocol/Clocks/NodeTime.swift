package import TimerEngine

/// The offset of a node's boot clock from ours, and the schedule for requesting the node's time.
///
/// On one machine, both are the same clock. On two machines, the offset is computed from the node's responses to the
/// command `time`.
package struct NodeTime: Hashable, Sendable {
    /// A better offset is adopted only if it differs by at least this much.
    private static let worthwhile: Duration = .milliseconds(1)

    /// The id of this machine's boot; nil if it is hidden.
    private let ownBoot: String?
    private var clock = OtherClock()
    /// The offset in use.
    private var counted: Duration?
    /// The requests for the time; nil for a client that sends none.
    private var requests: TimeRequests?
    /// The boot whose clock the node's states use; nil before the first state.
    private var boot: String?
    /// Whether the node's timer counts, or its lamps blink from a known instant.
    package private(set) var isCounting = false
    /// Whether the node has yet to show that it is present. The time is requested from such a node even if its clock is
    /// known.
    package var isSilent = false
    /// The last state that was refused as older; nil once another one has been accepted.
    private var refused: StateMessage?

    package init(ownBoot: String?, requests: TimeRequests?) {
        self.ownBoot = ownBoot
        self.requests = requests
    }

    /// The offset from our clock to the clock of the node's states; nil if unknown.
    package var offset: Duration? {
        guard let boot else { return nil }
        if boot == ownBoot { return .zero }
        return boot == clock.boot ? counted : nil
    }

    /// Returns the best sample of the offset and the boot that it belongs to; nil before the first one.
    package func best(at now: Instant) -> (boot: String, sample: OtherClock.Sample)? {
        guard let boot = clock.boot, let sample = clock.best(at: now) else { return nil }
        return (boot, sample)
    }

    /// When the next request is due; nil for never.
    package var nextInstant: Instant? {
        isAsked ? requests?.nextInstant(isCounting: isCounting) : nil
    }

    private var isAsked: Bool { isWorthAsking || isSilent }

    private var isWorthAsking: Bool { boot != nil && boot != ownBoot }

    /// Continues from a saved sample.
    package mutating func restore(boot: String, _ sample: OtherClock.Sample) {
        clock = OtherClock(boot: boot, sample: sample)
        counted = sample.offset
    }

    /// Records that the node can receive requests: the client or the node has just connected, and its machine may have
    /// been suspended.
    package mutating func connected(at now: Instant) {
        // Until it is known that requests for the time are needed, one response is enough to show that the node is
        // present.
        let count = isWorthAsking || !isSilent ? TimeRequests.atConnection : 1
        requests?.ask(count, at: now)
    }

    package mutating func disconnected() { requests?.reset() }

    /// Records a new state from the node.
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

    /// Returns the id of a request that is due, or nil if there is none.
    package mutating func consumeDue(at now: Instant) -> String? {
        isAsked ? requests?.consumeDue(at: now, isCounting: isCounting) : nil
    }

    /// Records a response. Returns nil if it does not answer one of our requests, otherwise whether the offset in use
    /// has changed.
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
    /// Whether a state is refused because the node created it before the known one.
    ///
    /// The known state may be forged. If its time is later than now, the node did not create it, and an older state is
    /// accepted. While the offset is unknown, an older state is also accepted. A refusal requests the time again,
    /// because the offset may come from a forged response.
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

    /// Returns the refused state if the time of the known state, converted with the current offset, is later than now;
    /// nil otherwise.
    package mutating func stateInPlace(of known: StateMessage?, at now: Instant) -> StateMessage? {
        guard let known, mayBeForged(known, at: now) else { return nil }
        return refused.take()
    }

    private func mayBeForged(_ state: StateMessage, at now: Instant) -> Bool {
        guard let offset else { return true }
        return state.clock.now.now - offset > now.sinceEpoch + .seconds(1)
    }
}
