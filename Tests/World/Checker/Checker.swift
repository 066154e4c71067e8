package import TimerProtocol

/// Judges a history. It shares nothing with the node but the protocol: what must happen is reckoned here anew, from the
/// messages that the nodes publish and from the specification.
package struct Checker {
    private var views: [String: NodeView] = [:]
    private var lamps = LampLaw()
    private var talk = TalkLaw()
    private var answers = AnswerLaw()
    private var retained = RetainedLaw()
    private var runs = RunLaw()
    private var clients = ClientLaw()
    private var followers = FollowerLaw()
    private var agenda = AgendaLaw()
    private var ticks = TickLaw()
    private var buttons = ButtonLaw()
    private var mirrors = MirrorLaw()
    package private(set) var counts = Counts()
    private var rare = Reached()
    /// Until when messages may be late or lost.
    private var troubleUntil = Duration.zero
    /// How often each rare state was reached.
    package var reached: [RareState: Int] { rare.states }

    package init() {}

    /// Reads the next entry; returns the first law that it breaks, or nil.
    package mutating func read(_ entry: Entry) -> Violation? {
        counts.note(entry)
        var view = views[entry.machine] ?? NodeView()
        rare.read(entry, view)
        if case .trouble(let end) = entry.what { troubleUntil = max(troubleUntil, end) }
        defer {
            view.update(entry)
            views[entry.machine] = view
        }
        if let text = lamps.read(entry, view) { return violation(entry, "lamps", text) }
        if let text = talk.read(entry, view) { return violation(entry, "talk", text) }
        if let text = answers.read(entry, view) { return violation(entry, "answers", text) }
        if let text = retained.read(entry, view) { return violation(entry, "retained", text) }
        if let text = runs.read(entry) { return violation(entry, "runs", text) }
        if let text = clients.read(entry, views, troubleUntil) { return violation(entry, "clients", text) }
        if let text = followers.read(entry, views, troubleUntil) { return violation(entry, "followers", text) }
        if let text = agenda.read(entry, view) { return violation(entry, "agenda", text) }
        if let text = ticks.read(entry, view) { return violation(entry, "ticks", text) }
        if let text = buttons.read(entry, view) { return violation(entry, "buttons", text) }
        if let text = mirrors.read(entry, view) { return violation(entry, "mirrors", text) }
        if case .size(let count, let largest) = entry.what, count > Self.mostElements {
            return violation(entry, "growth", "\(count) elements, most of them in \(largest)")
        }
        return nil
    }

    /// The most elements that all collections of a node may have.
    private static let mostElements = 30_000

    private func violation(_ entry: Entry, _ law: String, _ text: String) -> Violation {
        Violation(time: entry.time, machine: entry.machine, law: law, text: text)
    }
}

/// What is known about a node from its history.
package struct NodeView {
    package var clock = BootClock(boot: "", origin: .zero, rate: 1)
    /// Whether there is a process, even if it hangs.
    package var isAlive = false
    package var isHung = false
    package var isConnected = false
    package var hasChip = true
    /// When it started, or last ran again after it had hung.
    package var aliveSince = Duration.zero
    /// When it was connected last.
    package var connectedSince = Duration.zero
    /// When a button moved last.
    package var lastButton: Duration?
    /// The state that the process published last, if it still is what the timer does.
    package var state: StateMessage?
    package var stateAt = Duration.zero
    /// Whether it shows another node's timer.
    package var isFollower: Bool { state?.follows != nil }

    mutating func update(_ entry: Entry) {
        switch entry.what {
        case .booted(let clock):
            self.clock = clock
            state = nil
        case .started:
            isAlive = true
            aliveSince = entry.time
        case .ended:
            (isAlive, isHung, isConnected) = (false, false, false)
            state = nil
        case .hung(let isHung):
            self.isHung = isHung
            if isHung { break }
            // A button that moved in the meantime counts now.
            if let lastButton, lastButton > aliveSince { self.lastButton = entry.time }
            aliveSince = entry.time
        case .chip(let isPresent):
            hasChip = isPresent
        case .button: lastButton = entry.time
        case .connected(let isConnected):
            self.isConnected = isConnected
            if isConnected { connectedSince = entry.time }
        case .said(_, .message(.state(let state))):
            self.state = state
            stateAt = entry.time
        case .lamps, .askedToStop, .clockSet, .heard, .said, .saved, .disk, .trouble, .partitioned, .rare, .size,
            .reloaded, .counted, .settled:
            break
        }
    }
}

/// What a world has seen.
package struct Counts: Hashable, Sendable {
    package var kills = 0
    package var powerCuts = 0
    package var commands = 0
    package var presses = 0
    package var lampChanges = 0
    package var states = 0
    package var saves = 0
    package var connections = 0

    package init() {}

    mutating func note(_ entry: Entry) {
        switch entry.what {
        case .ended(.killed): kills += 1
        case .ended(.powerCut): powerCuts += 1
        case .heard(let topic, _, _): if topic.isCommand { commands += 1 }
        case .button(_, isDown: true, _): presses += 1
        case .lamps: lampChanges += 1
        case .said(_, .message(.state)): states += 1
        case .saved: saves += 1
        case .connected(true): connections += 1
        default: break
        }
    }

    package static func + (one: Counts, other: Counts) -> Counts {
        var sum = one
        sum.kills += other.kills
        sum.powerCuts += other.powerCuts
        sum.commands += other.commands
        sum.presses += other.presses
        sum.lampChanges += other.lampChanges
        sum.states += other.states
        sum.saves += other.saves
        sum.connections += other.connections
        return sum
    }
}
