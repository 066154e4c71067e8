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
        abstract: "Watch nodes in the terminal, and control them by keys.",
        discussion: """
            One node has the whole screen; several are a list. The key ? shows all keys; m is for a message to the \
            speaker, l locks and unlocks. Colours are left out with \
            NO_COLOR=1. Where input or output is no terminal, each change is printed as a line.

              timer-node watch lectern
              timer-node watch --broker mqtt://broker.example
              timer-node watch lectern --json | jq .state.mode

            Exits with 0 when it is quit, with 64 when no broker is named. It goes on trying while the broker is away.
            """)

    @OptionGroup var options: BrokerOptions

    @Flag(help: "Print each change as a JSON object on a line, with the newest state and health.")
    var json = false

    @Argument(help: "The ids of the nodes; all of the broker without any.", completion: NodeID.completion)
    var nodes: [NodeID] = []

    func run() throws {
        let ids = nodes.isEmpty ? nil : nodes.map(\.id)
        let kinds = TopicKind.allCases.filter { $0 != .event && $0 != .runs }
        let (terminal, signals) = try orExit(.internal) { () throws(SystemError) in
            let terminal = json ? nil : try FullScreenTerminal()
            // A signal must not end the process before the terminal is restored; lines need no such care.
            return (terminal, terminal == nil ? nil : try ProcessSignals())
        }
        try options.withSession(nodes: ids, kinds: kinds, asksTime: true, signals: signals) {
            session throws(ClientFailure) in
            if let terminal {
                WatchOnTerminal(session, terminal, TerminalStyle(ProcessInfo.processInfo.environment)).run()
            } else {
                WatchInLines(session, isJSON: json).run()
            }
        }
    }
}

/// The screen of `watch`, drawn on a terminal.
final class WatchOnTerminal {
    private let session: ClientSession
    private let terminal: FullScreenTerminal
    private var screen: WatchScreen
    /// The rows that the terminal shows; empty where that is not known.
    private var drawn: [String] = []

    init(_ session: ClientSession, _ terminal: FullScreenTerminal, _ style: TerminalStyle) {
        self.session = session
        self.terminal = terminal
        screen = WatchScreen(style: style)
    }

    /// Runs until somebody quits, or a signal ends it.
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
                // What was pasted with a line end in it has more lines, whose letters are no commands.
                if wasTyping, key == .enter { break }
            }
        }
    }

    /// Does what a key asked for; returns whether the program goes on.
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
        // Where there is no room, all is drawn again once there is.
        drawn = terminal.write(text) ? rows : []
    }
}

/// The lines of `watch`, for a pipe.
final class WatchInLines {
    private let session: ClientSession
    private let isJSON: Bool
    /// What was printed last of each node.
    private var printed: [String: Printed] = [:]
    private var fault: String?
    /// Whether somebody was told, if need be, that there is nothing to see.
    private var hasHinted = false

    /// What a line depends on, but for what counts.
    private struct Printed: Equatable {
        let availability: Availability?
        let state: StateMessage?
        let message: ShownMessage?
        let health: HealthMessage?
        /// Whether the delay of the meeting is known, which takes the timers and the agenda too.
        let hasDelay: Bool
    }

    init(_ session: ClientSession, isJSON: Bool) {
        self.session = session
        self.isJSON = isJSON
    }

    /// Runs until nobody reads any more.
    func run() {
        while true {
            // What is retained comes within a moment.
            let limit = hasHinted || !session.client.isConnected ? nil : session.now.instant + .seconds(1)
            // A pipe that nobody reads any more is in error, which is all that is watched for.
            let step = session.step(until: limit, watching: [Interest(descriptor: STDOUT_FILENO, events: [])])
            if !step.ready.isEmpty { return }
            if let limit, step.effects.isEmpty, session.now.instant >= limit {
                hasHinted = true
                if session.client.nodes.isEmpty {
                    StandardError.say("nothing is heard yet of a node at \(session.broker)")
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

    /// Prints a line where it says something new; returns whether somebody still reads.
    private func printChange(of id: String) -> Bool {
        guard let node = session.client.nodes[id] else {
            printed[id] = nil
            return true
        }
        let new = Printed(
            availability: node.availability, state: node.state, message: node.message,
            // A refresh of the health alone is news for programs only; the delay is for people.
            health: isJSON ? node.health : nil, hasDelay: !isJSON && node.delay(at: session.now) != nil)
        // The state follows in the next message.
        guard printed[id] != new, node.state != nil || node.availability == .offline else { return true }
        printed[id] = new
        let line = NodeLine(node: node, now: session.now)
        print(isJSON ? line.json : line.text)
        return fflush(nil) == 0
    }
}
