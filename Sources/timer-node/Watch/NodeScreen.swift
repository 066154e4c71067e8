internal import FoundationEssentials
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// One node on the whole screen.
struct NodeScreen {
    let node: NodeMirror
    let now: NodeClient.Moment
    let style: TerminalStyle

    /// The rows for so many columns, at most so many of them.
    func rows(columns: Int, rows: Int) -> [ScreenRow] {
        let details = [bar(columns), what(columns), next(columns)] + (rows >= 16 ? [last(columns)] : [])
        // A heading, the details, and an empty row above and below the digits where there is room.
        let room = rows - 1 - details.count
        let spare = room > BigDigits.height + 2 ? 1 : 0
        let picture = picture(columns, height: room - 2 * spare)
        let blank = Array(repeating: ScreenRow(style, columns: columns), count: spare)
        return [heading(columns)] + blank + picture + blank + details
    }

    private func row(_ columns: Int) -> ScreenRow { ScreenRow(style, columns: columns) }

    private func heading(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        row.add(node.id, .init(isBold: true))
        row.addAtEnd(node.availability?.rawValue ?? "", .init(colour: node.isOnline ? nil : .red))
        return row
    }

    /// What the digits show: the time left, or the overtime with a plus; nil until it is known.
    private var time: String? {
        if let over = node.overtime(at: now.instant) { return "+\(TimeDisplay.time(Int(over.components.seconds)))" }
        return node.shownSeconds(at: now.instant).map(TimeDisplay.time)
    }

    /// The stoplight and the digits, as large as they fit.
    private func picture(_ columns: Int, height: Int) -> [ScreenRow] {
        let digits = BigDigits(time ?? "")
        let mode = node.state?.pausedMode ?? node.mode
        let look = ScreenRow.Look(colour: mode?.colour, isBold: true, blinks: node.mode == .alarm)
        let size = BigDigits.Size.all.last { size in
            size.height <= height && Stoplight.width(size) + 2 + digits.width(size) <= columns
        }
        guard let size else {
            // There is room for neither.
            var row = row(columns)
            row.add(time ?? "", look)
            return [row]
        }
        let (lines, light) = (digits.rows(size, full: style.full), Stoplight(node.state?.outputs))
        return (0..<size.height).map { index in
            var row = row(columns)
            if index < Stoplight.height(size) { light.add(index, size, to: &row, style) }
            row.pad(to: Stoplight.width(size) + 2)
            row.add(lines[index], look)
            return row
        }
    }

    private func bar(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        guard let progress = node.progress(at: now.instant) else { return row }
        let passed = Int((Double(columns) * progress).rounded(.down))
        row.add(String(repeating: style.full, count: passed), .init(colour: node.mode?.colour))
        row.add(String(repeating: style.empty, count: columns - passed))
        return row
    }

    /// The mode, and what runs.
    private func what(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        guard let mode = node.mode else {
            row.add(node.availability == nil ? "nothing is known of this node yet" : "its state is not known")
            return row
        }
        row.add(mode.rawValue, .init(colour: mode.colour, isBold: true))
        if let paused = node.state?.pausedMode { row.add(" in \(paused.rawValue)") }
        if let state = node.state {
            row.add("  \(state.timer.path) \(state.timer.name)")
            for text in [state.timer.event, state.timer.location, state.group.name] {
                if let text, !text.isEmpty { row.add(style.separator + text) }
            }
        }
        return row
    }

    /// What follows, and when it ends.
    private func next(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        if let next = node.nextTimer { row.add("next: \(next.name) \(TimeDisplay.time(next.thresholds.start))") }
        if let end = node.expectedEnd(at: now) { row.addAtEnd("ends \(LocalTime.text(end))") }
        return row
    }

    /// The last run, and what sounds.
    private func last(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        if let last = node.state?.last {
            row.add("last run: \(last.timer) used \(TimeDisplay.time(Int(last.used.components.seconds)))")
            if last.over >= .seconds(1) { row.add(", \(TimeDisplay.time(Int(last.over.components.seconds))) over") }
        }
        let others = Stoplight.others(node.state?.outputs)
        if !others.isEmpty { row.addAtEnd("\(style.isUnicode ? "♪ " : "")\(others.joined(separator: ", "))") }
        return row
    }
}
