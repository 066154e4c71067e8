internal import BrokerLink
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// The content of the `watch` screen and the effects of its keys, as a value that needs neither a terminal nor a
/// broker.
struct WatchScreen {
    /// An action that a key requests, besides a change of the screen.
    enum Action: Hashable {
        case send(Command, to: String)
        case quit
        case suspend
        case redraw
    }

    /// The keys and their functions, for the help.
    private static let help = [
        ("space", "play or pause"), ("s x", "stop; silence the buzzer"), ("r f", "rewind, fast-forward"),
        ("n p", "next and previous timer"), ("+ -", "add or subtract a minute"), ("m", "message to the speaker"),
        ("l", "lock or unlock the buttons"), ("up down", "choose a node"), ("enter", "show only it, or all nodes"),
        ("q", "quit"),
    ]

    private let style: TerminalStyle
    /// The id of the node that keys act on; nil until there is one.
    private var selectedID: String?
    /// Whether the selected node takes up the whole screen even though there are several nodes.
    private var isZoomed = false
    private var showsHelp = false
    /// The message that is being typed; nil while keys are commands.
    private var draft: MessageDraft?
    /// The outcome of the last key.
    private var status = ""
    /// The command that waits for its response, and its description for the status.
    private var pending: (command: OutgoingCommand, text: String)?

    init(style: TerminalStyle) { self.style = style }

    /// Whether a message is being typed.
    var isTyping: Bool { draft != nil }

    private func nodes(_ client: NodeClient) -> [NodeMirror] { client.nodes.values.sorted { $0.id < $1.id } }

    private func selected(_ nodes: [NodeMirror]) -> Int { nodes.firstIndex { $0.id == selectedID } ?? 0 }

    /// Selects a node if none is selected, or if the selected one is gone. Call this before drawing, because a key must
    /// act on the node that was shown when it was pressed.
    mutating func select(in client: NodeClient) {
        if let selectedID, client.nodes[selectedID] != nil { return }
        selectedID = client.nodes.keys.min()
    }

    // MARK: - Keys

    /// Handles a key; returns the action that it requests, if any.
    mutating func press(_ key: Key, _ client: NodeClient) -> Action? {
        let nodes = nodes(client)
        if isTyping, ![.interrupt, .suspend, .redraw].contains(key) { return type(key) }
        if showsHelp, key != .interrupt, key != .character("q") {
            showsHelp = false
            return key == .suspend ? .suspend : .redraw
        }
        switch key {
        case .interrupt, .character("q"): return .quit
        case .suspend: return .suspend
        case .redraw: return .redraw
        case .backspace: return nil
        case .character("?"): showsHelp = true
        case .up, .down:
            guard nodes.count > 1 else { return nil }
            let place = selected(nodes) + (key == .up ? -1 : 1)
            selectedID = nodes[min(max(0, place), nodes.count - 1)].id
        case .enter: isZoomed.toggle()
        case .escape: isZoomed = false
        case .character(let character):
            let command = Self.command(character)
            guard command != nil || "ml".contains(character) else {
                status = "\(character) does nothing here; ? shows all keys"
                return nil
            }
            guard let selectedID, let node = client.nodes[selectedID] else {
                status = selectedID.map { "\($0) is gone" } ?? "there is no node to send this to"
                return nil
            }
            if let command { return .send(command, to: selectedID) }
            if character == "l" {
                return .send(.talk(node.state?.locked == nil ? .lock(.inputs) : .unlock), to: selectedID)
            }
            draft = MessageDraft(for: selectedID)
        }
        return nil
    }

    /// Handles a key while a message is being typed.
    private mutating func type(_ key: Key) -> Action? {
        switch draft?.press(key) {
        case .isSent(let command):
            let node = draft?.node
            draft = nil
            return node.map { .send(command, to: $0) }
        case .isLeft: draft = nil
        case .goesOn, nil: break
        }
        return nil
    }

    private static func command(_ character: Character) -> Command? {
        switch character {
        case " ": .player(.toggle)
        case "s": .player(.stop)
        case "r": .player(.rewind)
        case "f": .player(.fastForward)
        case "n": .player(.next)
        case "p": .player(.previous)
        case "+", "=": .player(.add(seconds: 60))
        case "-", "_": .player(.add(seconds: -60))
        case "x": .signal(.silence)
        default: nil
        }
    }

    // MARK: - Responses

    /// Remembers a command that has been sent.
    mutating func sent(_ command: OutgoingCommand, to node: String) {
        pending = (command, "\(command.verb.rawValue) to \(node)")
        status = ""
    }

    /// Shows the outcome of the last command in the status.
    mutating func note(_ effects: [NodeClient.Effect]) {
        for effect in effects {
            switch effect {
            case .response(let command, let node, let response, _) where command == pending?.command:
                status = response.refusal.map { "\(node): \($0.message)" } ?? ""
            case .ended(let command, let end) where command == pending?.command:
                switch end {
                case .answered: break
                case .timedOut: status = "\(pending?.text ?? ""): no response"
                case .rejected(let reason): status = reason
                case .notConnected: status = "\(pending?.text ?? ""): not sent, no connection"
                }
                pending = nil
            default: break
            }
        }
    }

    // MARK: - Drawing

    /// Returns the rows of the screen.
    ///
    /// - Parameters:
    ///   - fault: why there is no connection, or what the broker has refused; nil if all is well.
    ///   - broker: the broker's address.
    func rows(
        _ client: NodeClient, columns: Int, rows: Int, fault: String?, broker: Broker, at now: NodeClient.Moment
    ) -> [ScreenRow] {
        let room = max(1, rows - 2)
        var screen = showsHelp ? help(columns) : body(client, columns, room, broker, now)
        screen = Array(screen.prefix(room))
        screen += Array(repeating: ScreenRow(style, columns: columns), count: room - screen.count)
        var status = ScreenRow(style, columns: columns)
        if let draft {
            status = draft.row(style, columns: columns)
        } else if let fault, self.status.isEmpty || !client.isConnected {
            status.add(client.isConnected ? fault : "no connection to \(fault)", .init(colour: .red))
        } else {
            status.add(self.status, .init(colour: .yellow))
        }
        var keys = ScreenRow(style, columns: columns)
        let short = "space play/pause  s stop  ? help  q quit"
        let long =
            "space play/pause  s stop  r rewind  f forward  n p next/previous  + - minute  m message  l lock  x silence  "
            + "? help  q quit"
        keys.add(isTyping ? "enter sends, esc cancels, empty clears" : columns >= long.count ? long : short)
        return Array((screen + [status, keys]).suffix(rows))
    }

    private func body(
        _ client: NodeClient, _ columns: Int, _ rows: Int, _ broker: Broker, _ now: NodeClient.Moment
    ) -> [ScreenRow] {
        let nodes = nodes(client)
        guard !nodes.isEmpty else {
            var row = ScreenRow(style, columns: columns)
            row.add(
                client.isConnected
                    ? "no node found yet under \(client.prefix)/ at \(broker)" : "connecting to \(broker)")
            return [row]
        }
        if nodes.count == 1 || isZoomed {
            let screen = NodeScreen(node: nodes[selected(nodes)], now: now, style: style)
            return screen.rows(columns: columns, rows: rows)
        }
        let screen = NodeListScreen(nodes: nodes, selected: selected(nodes), now: now, style: style)
        return screen.rows(columns: columns, rows: rows)
    }

    private func help(_ columns: Int) -> [ScreenRow] {
        Self.help.map { key, text in
            var row = ScreenRow(style, columns: columns)
            row.add(key, .init(isBold: true))
            row.pad(to: 9)
            row.add(text)
            return row
        }
    }

    /// Returns when the screen next changes without any event: at the next second of a countdown, or when a flash
    /// begins or ends; nil for never.
    func nextInstant(_ client: NodeClient, after now: Instant) -> Instant? {
        let nodes = nodes(client)
        let shown = isZoomed && !nodes.isEmpty ? [nodes[selected(nodes)]] : nodes
        return shown.flatMap { [$0.nextSecond(after: now), $0.nextFlash(after: now), $0.nextLeadSecond(after: now)] }
            .compactMap(\.self).min()
    }
}
