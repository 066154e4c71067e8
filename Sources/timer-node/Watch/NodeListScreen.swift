internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// Several nodes, a row each.
struct NodeListScreen {
    let nodes: [NodeMirror]
    /// The place of the node that keys act on.
    let selected: Int
    let now: NodeClient.Moment
    let style: TerminalStyle

    /// The rows for so many columns: a heading, and as many nodes around the selected one as there is room for.
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
            .init(isBold: isSelected, isReversed: isSelected))
        row.pad(to: name + 3)
        guard node.isOnline || node.state != nil else {
            row.add(node.availability?.rawValue ?? "unknown")
            return row
        }
        let over = node.overtime(at: now.instant).map { "+\(TimeDisplay.time(Int($0.components.seconds)))" }
        let time = over ?? node.shownSeconds(at: now.instant).map(TimeDisplay.time) ?? ""
        row.add(String(repeating: " ", count: max(0, 8 - time.count)) + time + "  ", .init(isBold: true))
        let mode = node.mode?.rawValue ?? ""
        row.add(mode, .init(colour: (node.state?.pausedMode ?? node.mode)?.colour, blinks: node.mode == .alarm))
        row.pad(to: name + 3 + 8 + 2 + 11)
        if columns >= 72 { Stoplight(node.state?.outputs).addDots(to: &row, style) }
        if !node.isOnline { row.add("offline  ", .init(colour: .red)) }
        if let state = node.state { row.add(state.timer.name) }
        if let end = node.expectedEnd(at: now) { row.addAtEnd("ends \(LocalTime.text(end))") }
        return row
    }
}
