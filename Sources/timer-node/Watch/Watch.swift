internal import ArgumentParser
internal import BrokerLink
internal import BrokerSession
internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node watch [NODE…]`: shows nodes in the terminal, and controls them.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch nodes in the terminal, and control them with keys.",
        discussion: """
            One node takes up the whole screen; several are shown as a list. The key ? shows all keys; m sends a \
            message to the speaker, l locks and unlocks. NO_COLOR=1 switches colours off. If input or output is not a \
            terminal, each change is printed as a line.

              timer-node watch lectern
              timer-node watch --broker mqtt://broker.example
              timer-node watch lectern --json | jq .state.mode

            Exits with 0 when you quit, or with 64 if no broker is named. It keeps trying while it cannot connect.
            """)

    @OptionGroup var options: BrokerOptions

    @Flag(help: "Print each change as a JSON object on one line, with the newest state and health.")
    var json = false

    @Argument(help: "The ids of the nodes; by default all nodes on the broker.", completion: NodeID.completion)
    var nodes: [NodeID] = []

    func run() throws {
        let ids = nodes.isEmpty ? nil : nodes.map(\.id)
        let kinds = TopicKind.allCases.filter { $0 != .event && $0 != .runs }
        let (terminal, signals) = try orExit(.internal) { () throws(SystemError) in
            let terminal = json ? nil : try FullScreenTerminal()
            // A signal must not end the process before the terminal is restored; printing lines needs no such care.
            return (terminal, terminal == nil ? nil : try ProcessSignals())
        }
        try options.withSession(nodes: ids, kinds: kinds, asksTime: true, signals: signals) {
            session throws(ClientFailure) in
            if let terminal {
                TerminalWatch(session, terminal, TerminalStyle(ProcessInfo.processInfo.environment)).run()
            } else {
                LineWatch(session, isJSON: json).run()
            }
        }
    }
}

/// The screen of `watch`, drawn on a terminal.
final class TerminalWatch {
    private let session: ClientSession
    private let terminal: FullScreenTerminal
    private var screen: WatchScreen
    /// The rows that the terminal shows; empty if they are not known.
    private var drawn: [String] = []

    init(_ session: ClientSession, _ terminal: FullScreenTerminal, _ style: TerminalStyle) {
        self.session = session
        self.terminal = terminal
        screen = WatchScreen(style: style)
    }

    /// Runs until the user quits or a signal ends it.
    func run() {
        terminal.enter()
        defer { terminal.leave() }
        while true {
            screen.select(in: session.client)
            draw()
            let due = screen.nextInstant(session.client, after: session.now.instant)
            let step = session.step(until: due, watching: terminal.interests)
            screen.note(step.effects)
            let input = terminal.takeInput(ready: step.ready)
            if step.isTerminated || input.hasEnded { return }
            if input.needsRedraw { drawn = [] }
            for key in Key.keys(in: input.bytes) {
                let wasTyping = screen.isTyping
                if let action = screen.press(key, session.client), !perform(action) { return }
                // After Enter, the rest of the input is the next line of a pasted text, whose letters must not act as
                // commands.
                if wasTyping, key == .enter { break }
            }
        }
    }

    /// Performs the action of a key; returns whether the program continues.
    private func perform(_ action: WatchScreen.Action) -> Bool {
        switch action {
        case .quit: return false
        case .suspend:
            terminal.suspend()
            drawn = []
        case .redraw: drawn = []
        case .send(let command, let node):
            let sent = session.command(command, to: .node(node))
            screen.sent(sent, to: node)
            screen.note(session.handle(.send(sent)))
        }
        return true
    }

    /// Writes the rows that differ from what the terminal shows.
    private func draw() {
        let size = terminal.size
        let rows = screen.rows(
            session.client, columns: size.columns, rows: size.rows, fault: session.fault ?? session.rejection,
            broker: session.broker, at: session.now
        ).map(\.rendered)
        let isNew = drawn.count != rows.count
        var text = isNew ? "\u{1B}[2J" : ""
        for (place, row) in rows.enumerated() where isNew || drawn[place] != row {
            text += "\u{1B}[\(place + 1);1H\(row)\u{1B}[K"
        }
        guard !text.isEmpty else { return }
        // If there was no room for the text, everything is drawn again later.
        drawn = terminal.write(text) ? rows : []
    }
}

/// The output of `watch` without a terminal: a line for each change.
final class LineWatch {
    private let session: ClientSession
    private let isJSON: Bool
    /// The line last printed for each node.
    private var printed: [String: Printed] = [:]
    private var fault: String?
    /// Whether the deadline for the hint that no node was found has passed.
    private var hasHinted = false

    /// Everything that a line depends on, except the time that counts down.
    private struct Printed: Equatable {
        let availability: Availability?
        let state: StateMessage?
        let message: ShownMessage?
        let health: HealthMessage?
        /// Whether the delay of the meeting is known, which requires the timers and the agenda as well.
        let isDelayKnown: Bool
    }

    init(_ session: ClientSession, isJSON: Bool) {
        self.session = session
        self.isJSON = isJSON
    }

    /// Runs until the reader of standard output has gone.
    func run() {
        while true {
            // Retained messages arrive within a moment.
            let limit = hasHinted || !session.client.isConnected ? nil : session.now.instant + .seconds(1)
            // Watched only for errors: a pipe without a reader reports one.
            let step = session.step(until: limit, watching: [Interest(descriptor: STDOUT_FILENO, events: [])])
            if !step.ready.isEmpty { return }
            if let limit, step.effects.isEmpty, session.now.instant >= limit {
                hasHinted = true
                if session.client.nodes.isEmpty {
                    StandardError.say("no node found yet at \(session.broker)")
                }
            }
            for case .changed(let node, let kind) in step.effects where kind != .mode && kind != .tick {
                guard printChange(of: node) else { return }
            }
            let new = session.fault.map { "no connection to \($0)" } ?? session.rejection
            if let new, new != fault { StandardError.say(new) }
            fault = new
        }
    }

    /// Prints a line if it would be new; returns whether the output still has a reader.
    private func printChange(of id: String) -> Bool {
        guard let node = session.client.nodes[id] else {
            printed[id] = nil
            return true
        }
        let new = Printed(
            availability: node.availability, state: node.state, message: node.message,
            // Only programs need a line for a new health report; only people need one for a new delay.
            health: isJSON ? node.health : nil, isDelayKnown: !isJSON && node.delay(at: session.now) != nil)
        // Waits for the state, which follows in the next message.
        guard printed[id] != new, node.state != nil || node.availability == .offline else { return true }
        printed[id] = new
        let line = NodeLine(node: node, now: session.now)
        print(isJSON ? line.json : line.text)
        return fflush(nil) == 0
    }
}
