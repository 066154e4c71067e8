internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// Receiving the leader's messages.
extension Follower {
    /// Applies a message that the leader published; returns nil for any other message.
    mutating func receive(_ message: IncomingMessage, at now: Instant) -> News? {
        guard let topic = PublishedTopic(message.topic, prefix: leader.prefix), topic.node == leader.node else {
            return nil
        }
        var news = News()
        do {
            // An emptied topic carries no information, except the `message` topic: if it is empty, no message is shown.
            if !message.payload.isEmpty {
                try take(
                    try PublishedMessage(topic.kind, message.payload), message, into: &news, at: now)
            } else if topic.kind == .message {
                take(nil, isOld: true, into: &news, at: now)
            }
        } catch {
            let warning = "not following \(leader.node): \(topic.kind.rawValue): \(error)"
            if warnings.note(warning) { news.warning = warning }
        }
        return news
    }

    private mutating func take(
        _ content: PublishedMessage, _ message: IncomingMessage, into news: inout News, at now: Instant
    ) throws(Leader.Unusable) {
        switch content {
        case .availability(let availability):
            if availability == .online, known.availability == .offline { time.connected(at: now) }
            known.availability = availability
        case .state(let state):
            try take(state, at: now)
            news.steps += show(at: now)
        case .timers(let timers):
            (known.timers, saved.timers) = (timers, SavedFollow.text(of: timers))
            news.steps += show(at: now)
        case .message(let shown): take(shown, isOld: message.retained, into: &news, at: now)
        case .response(let response): try take(response, into: &news, at: now)
        case .event(let event): news.steps += take(event, at: now)
        default: break
        }
    }

    private mutating func take(_ state: StateMessage, at now: Instant) throws(Leader.Unusable) {
        let before = known.state
        if time.refuses(state, after: before, at: now) { return }
        guard try known.take(state) else { return }
        saved.state = SavedFollow.text(of: state)
        saved.isStoppedAlone = false
        (talk.speaker, talk.locked) = (state.speaker, state.locked)
        time.note(state, after: before, at: now)
    }

    private mutating func take(
        _ response: Response, into news: inout News, at now: Instant
    ) throws(Leader.Unusable) {
        if let isOther = time.receive(response, at: now) {
            saveOffset(at: now)
            news.isOutdated = known.state?.isOutdated(by: response) == true
            guard isOther else { return }
            if let state = time.stateInPlace(of: known.state, at: now) { try take(state, at: now) }
            news.steps += show(at: now)
        } else if let pending = response.id.flatMap({ forwarded.answered($0) }) {
            news.answer = (pending, response)
        }
    }

    /// Applies the event that the sequence moved on early. In the state, this looks like the next timer being started.
    private mutating func take(_ event: EventMessage, at now: Instant) -> [RunningTimer.Step] {
        guard case .movedOn(let from) = event.kind, !saved.isStoppedAlone else { return [] }
        let at = min(known.instant(of: event.date, offset: time.offset) ?? now, now)
        if let movedAt, movedAt + .milliseconds(500) > at { return [] }
        movedAt = at
        let to = timer.player.model.selected
        return [.init(event: .movedOn(from: from, to: to, at: at), position: timer.position(at: now))]
    }

    /// - Parameter isOld: whether it is unknown when the message was published.
    private mutating func take(
        _ message: ShownMessage?, isOld: Bool, into news: inout News, at now: Instant
    ) {
        guard message != known.message else { return }
        (known.message, saved.message) = (message, message.flatMap { SavedFollow.text(of: $0) })
        guard let message else { return talk.mirror(nil) }
        let told = known.instant(of: message.date, offset: time.offset)
        let at = min(told ?? now, now)
        let until = message.until.map { at + .seconds(message.date.distance(to: $0)) }
        talk.mirror(
            Talk.Shown(text: message.text, at: at, until: until, attention: message.attention, keep: true))
        talk.advance(to: now)
        // The lamps ask for attention only once, and only if the message arrived in time.
        let isNew = told.map { $0.duration(to: now) < .seconds(2) } ?? !isOld
        if message.attention, isNew { news.attention = at }
    }

    /// Resumes from the state that was saved during this boot, if it belongs to the same leader.
    mutating func restore(_ saved: SavedFollow, at now: Instant) -> [RunningTimer.Step] {
        guard saved.leader == leader else { return [] }
        if let clock = saved.clock {
            time.restore(boot: clock.boot, clock.sample)
            self.saved.clock = clock
        }
        var news = News()
        for (kind, text) in [(TopicKind.timers, saved.timers), (.state, saved.state), (.message, saved.message)] {
            guard let text, let content = try? PublishedMessage(kind, Array(text.utf8)) else { continue }
            let message = IncomingMessage(topic: "", payload: Array(text.utf8), retained: true)
            try? take(content, message, into: &news, at: now)
        }
        self.saved.isStoppedAlone = saved.isStoppedAlone
        if saved.isStoppedAlone { _ = timer.act(at: now) { $0.stop(at: now) } }
        return news.steps
    }
}

/// The commands that a follower has forwarded to its leader and that have not been answered yet.
struct ForwardedCommands: Sendable {
    /// How long the leader may take to respond.
    static let timeout: Duration = .seconds(2)
    /// The maximum number of pending commands; further commands are refused.
    private static let capacity = 256

    /// The source of a command.
    enum Origin: Sendable {
        /// A client sent it and expects a response.
        case received(CommandIntake.Received)
        /// A button or a remote sent it; the string names the source in the log.
        case input(String)
    }

    struct Pending: Sendable {
        /// The id that the follower chose.
        let id: String
        let command: Command
        let origin: Origin
        let deadline: Instant
        /// How many times the same command has arrived again meanwhile.
        var repeats = 0
    }

    private let name: String
    private var pending: [Pending] = []
    private var random: SplitMix64

    init(node: String, seed: UInt64) {
        name = "\(node)-"
        random = SplitMix64(state: seed)
    }

    var nextInstant: Instant? { pending.first?.deadline }

    /// Adds a command to forward; returns its id, or nil if too many are pending.
    mutating func add(_ command: Command, from origin: Origin, at now: Instant) -> String? {
        guard pending.count < Self.capacity else { return nil }
        let id = name + String(random.next(), radix: 16)
        pending.append(Pending(id: id, command: command, origin: origin, deadline: now + Self.timeout))
        return id
    }

    /// Whether the same message was forwarded and is still pending. If so, the repeat receives the same response.
    mutating func isRepeat(_ received: CommandIntake.Received) -> Bool {
        guard received.id != nil else { return false }
        let place = pending.firstIndex {
            guard case .received(let first) = $0.origin else { return false }
            return first.message.topic == received.message.topic && first.message.payload == received.message.payload
        }
        if let place { pending[place].repeats += 1 }
        return place != nil
    }

    /// Removes and returns the command that the leader answered; nil if the answer is for another client.
    mutating func answered(_ id: String) -> Pending? {
        pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
    }

    /// Removes and returns the commands that the leader did not answer in time.
    mutating func expire(at now: Instant) -> [Pending] {
        let late = pending.prefix { $0.deadline <= now }
        pending.removeFirst(late.count)
        return Array(late)
    }
}
