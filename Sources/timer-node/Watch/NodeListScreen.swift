internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// A list of several nodes, one per row.
struct NodeListScreen {
    let nodes: [NodeMirror]
    /// The index of the node that keys act on.
    let selected: Int
    let now: NodeClient.Moment
    let style: TerminalStyle

    /// Returns the rows for a screen of this size: a heading, and as many nodes around the selected one as fit.
    func rows(columns: Int, rows: Int) -> [ScreenRow] {
        var heading = ScreenRow(style, columns: columns)
        heading.add("\(nodes.count) nodes, \(nodes.count(where: \.isOnline)) online", .init(isBold: true))
        let room = max(1, rows - 1)
        let first = min(max(0, selected - room / 2), max(0, nodes.count - room))
        let name = min(nodes.map(\.id.columns).max() ?? 0, max(8, columns / 3))
        if nodes.count > room { heading.addAtEnd("\(first + 1) to \(min(first + room, nodes.count))") }
        return [heading]
            + nodes.indices.dropFirst(first).prefix(room).map {
                row(nodes[$0], isSelected: $0 == selected, name, columns)
            }
    }

    private func row(_ node: NodeMirror, isSelected: Bool, _ name: Int, _ columns: Int) -> ScreenRow {
        var row = ScreenRow(style, columns: columns)
        row.add(isSelected ? "> " : "  ", .init(isBold: true))
        row.add(
            node.id.columns <= name ? node.id : node.id.prefix(columns: name - 1) + style.ellipsis,
            .init(isBold: isSelected, isReversed: isSelected != node.isFlashing(at: now.instant)))
        row.pad(to: name + 3)
        guard node.isOnline || node.state != nil else {
            row.add(node.availability?.rawValue ?? "unknown")
            return row
        }
        let over = node.overtime(at: now.instant).map { "+\(TimeDisplay.time($0.wholeSeconds))" }
        let time = over ?? node.shownSeconds(at: now.instant).map(TimeDisplay.time) ?? ""
        row.add(String(repeating: " ", count: max(0, 8 - time.count)) + time + "  ", .init(isBold: true))
        let word = node.mode.map { node.signals[$0].word } ?? ""
        row.add(
            word.columns <= 10 ? word : word.prefix(columns: 9) + style.ellipsis,
            .init(colour: node.colour, blinks: node.mode == .alarm))
        row.pad(to: name + 3 + 8 + 2 + 11)
        if columns >= 72 { Stoplight(node.state?.outputs).addDots(to: &row, style) }
        if !node.isOnline { row.add("offline  ", .init(colour: .red)) }
        let end = self.end(of: node, columns)
        // On a small terminal, the names have priority.
        let reserve = columns >= 72 && !end.isEmpty ? end.columns + 1 : 0
        if let lock = node.lock { row.add("\(lock)  ", .init(colour: .yellow), leaving: reserve) }
        if let state = node.state {
            row.add([state.timer.name, state.speaker ?? ""].joined(style.separator), leaving: reserve)
        }
        if let message = node.message {
            row.add(
                "  \(message.text)", .init(isBold: true, isReversed: node.isFlashing(at: now.instant)), leaving: reserve
            )
        }
        if !end.isEmpty { row.addAtEnd(end) }
        return row
    }

    /// Returns how late the meeting is, if there is room, and when the run ends.
    private func end(of node: NodeMirror, _ columns: Int) -> String {
        let delay = columns >= 100 ? node.delay(at: now) : nil
        let end = node.expectedEnd(at: now).map { "ends \(node.timeOfDay($0))" }
        return [delay ?? "", end ?? ""].joined("  ")
    }
}

extension [String] {
    /// Returns the strings that are not empty, joined by a separator.
    fileprivate func joined(_ separator: String) -> String { filter { !$0.isEmpty }.joined(separator: separator) }
}
