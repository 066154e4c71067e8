internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import IoTNode
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node watch [NODE…]`: shows nodes in the terminal, and controls them.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch nodes in the terminal, and control them by keys.",
        discussion: """
            One node has the whole screen; several are a list. The key ? shows all keys. Colours are left out with \
            NO_COLOR=1. Where the output is no terminal, each change is printed as a line.

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
        // A refresh of the health alone is news for programs only.
        let kinds = TopicKind.allCases.filter { $0 != .event && (json || $0 != .health) }
        try options.withSession(nodes: ids, kinds: kinds) { session throws(ClientFailure) in
            let terminal: FullScreenTerminal?
            do throws(SystemError) { terminal = json ? nil : try FullScreenTerminal() } catch {
                throw ClientFailure(code: .internal, description: "\(error)")
            }
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
            draw()
            let due = screen.nextInstant(session.client, after: session.now.instant)
            let step = session.step(until: due, watching: terminal.interests)
            screen.note(step.effects)
            let input = terminal.takeInput(ready: step.ready)
            if step.isTerminated || input.hasEnded { return }
            if input.needsRedraw { drawn = [] }
            for key in Key.keys(in: input.bytes) {
                guard let action = screen.press(key, session.client) else { continue }
                if !perform(action) { return }
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
            let sent = OutgoingCommand(id: UUID().uuidString.lowercased(), to: .node(node), command)
            screen.sent(sent, to: node)
            screen.note(session.handle(.send(sent)))
        }
        return true
    }

    /// Writes the rows that differ from what the terminal shows.
    private func draw() {
        let size = terminal.size
        let rows = screen.rows(
            session.client, columns: size.columns, rows: size.rows, fault: session.fault, broker: session.broker,
            at: session.now
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

    /// What a line depends on, but for what counts.
    private struct Printed: Equatable {
        let availability: Availability?
        let state: StateMessage?
        let health: HealthMessage?
    }

    init(_ session: ClientSession, isJSON: Bool) {
        self.session = session
        self.isJSON = isJSON
    }

    /// Runs until a signal ends it, or nobody reads any more.
    func run() {
        while true {
            // A pipe that nobody reads any more is in error, which is all that is watched for.
            let step = session.step(until: nil, watching: [Interest(descriptor: STDOUT_FILENO, events: [])])
            if step.isTerminated || !step.ready.isEmpty { return }
            for case .changed(let node, let kind) in step.effects where kind != .mode && kind != .tick {
                guard printChange(of: node) else { return }
            }
            if session.fault != fault {
                fault = session.fault
                if let fault { StandardError.say("no connection: \(fault)") }
            }
        }
    }

    /// Prints a line where it says something new; returns whether somebody still reads.
    private func printChange(of id: String) -> Bool {
        guard let node = session.client.nodes[id] else {
            printed[id] = nil
            return true
        }
        let new = Printed(availability: node.availability, state: node.state, health: isJSON ? node.health : nil)
        // The state follows in the next message.
        guard printed[id] != new, node.state != nil || node.availability == .offline else { return true }
        printed[id] = new
        let line = NodeLine(node: node, at: session.now)
        print(isJSON ? line.json : line.text)
        return fflush(nil) == 0
    }
}
