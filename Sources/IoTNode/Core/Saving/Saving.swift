internal import TimerEngine

/// How the core stands with its store.
struct Saving: Hashable, Sendable {
    /// Something to be set aside, and the words for it in the log.
    struct Pending: Hashable, Sendable {
        let what: SetAside
        let reason: String
    }

    /// What was last saved; nil has the present state saved again.
    var last: SavedState.Key?
    /// What is set aside first; nothing is saved before.
    var pending: [Pending] = []
    /// Why nothing can be saved.
    private(set) var fault: String?
    /// When to try again.
    private(set) var retryAt: TimerEngine.Instant?

    /// Nothing could be saved; returns whether that is news.
    mutating func failed(_ fault: String, at now: TimerEngine.Instant) -> Bool {
        defer { self.fault = fault }
        retryAt = now + .seconds(60)
        return self.fault != fault
    }

    /// The state is saved; returns whether it could not be before.
    mutating func succeeded() -> Bool {
        defer {
            fault = nil
            retryAt = nil
        }
        return fault != nil
    }

    /// Has the state saved again where it is time for that.
    mutating func retry(at now: TimerEngine.Instant) {
        guard let retryAt, retryAt <= now else { return }
        self.retryAt = nil
        last = nil
    }
}
