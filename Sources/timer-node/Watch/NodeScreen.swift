internal import FoundationEssentials
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// The whole screen for one node.
struct NodeScreen {
    let node: NodeMirror
    let now: NodeClient.Moment
    let style: TerminalStyle

    /// Returns the rows for a screen of this size; at most `rows` of them.
    func rows(columns: Int, rows: Int) -> [ScreenRow] {
        // The rows that the digits leave free go to the message first, then to the meeting, then to the last run.
        var free = rows - 4 - (rows - 4 >= BigDigits.height ? BigDigits.height : 1)
        func taking(_ rows: [ScreenRow]) -> [ScreenRow] {
            let taken = Array(rows.prefix(max(0, free)))
            free -= taken.count
            return taken
        }
        let message = taking(message(columns, rows: rows >= 16 ? 4 : 1))
        let meeting = taking(meeting(columns))
        let last = taking(rows >= 16 ? [runs(columns)] : [])
        let details = [bar(columns), what(columns)] + message + [next(columns)] + meeting + last
        // A heading, the details, and an empty row above and below the digits if there is room.
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
        if let leader = node.state?.follows { row.add("  follows \(leader)") }
        let availability = node.availability?.rawValue ?? ""
        if let lock = node.lock, row.width + lock.columns + availability.columns + 4 <= columns {
            row.pad(to: columns - lock.columns - availability.columns - 2)
            row.add(lock, .init(colour: .yellow))
        }
        row.addAtEnd(availability, .init(colour: node.isOnline ? nil : .red))
        return row
    }

    /// The time in digits: the time left, or the overtime with a plus; nil until it is known.
    private var time: String? {
        if let over = node.overtime(at: now.instant) { return "+\(TimeDisplay.time(over.wholeSeconds))" }
        return node.shownSeconds(at: now.instant).map(TimeDisplay.time)
    }

    /// Returns the stoplight and the digits, as large as possible.
    private func picture(_ columns: Int, height: Int) -> [ScreenRow] {
        let digits = BigDigits(time ?? "")
        let look = ScreenRow.Look(colour: node.colour, isBold: true, blinks: node.mode == .alarm)
        let size = BigDigits.Size.all.last { size in
            size.height <= height && Stoplight.width(size) + 2 + digits.width(size) <= columns
        }
        guard let size else {
            // There is room for neither, so the time is plain text.
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
        row.add(String(repeating: style.full, count: passed), .init(colour: node.colour))
        row.add(String(repeating: style.empty, count: columns - passed))
        return row
    }

    /// Returns the row with the mode and the current timer.
    private func what(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        guard let mode = node.mode else {
            row.add(node.availability == nil ? "nothing is known about this node yet" : "its state is unknown")
            return row
        }
        row.add(node.signals[mode].word, .init(colour: node.colour, isBold: true))
        if let paused = node.state?.pausedMode { row.add(" in \(node.signals[paused].word)") }
        if let state = node.state {
            row.add("  \(state.timer.path) \(state.timer.name)")
            for text in [state.speaker, state.timer.event, state.timer.location, state.group.name] {
                if let text, !text.isEmpty { row.add(style.separator + text) }
            }
        }
        return row
    }

    /// Returns the message to the speaker in at most this number of rows; a longer message is cut.
    private func message(_ columns: Int, rows: Int) -> [ScreenRow] {
        guard let message = node.message else { return [] }
        var texts = (style.isUnicode ? message.text : message.text.ascii).wrapped(columns: columns)
        if texts.count > rows { texts[(rows - 1)...] = [texts[(rows - 1)...].joined(separator: " ")] }
        return texts.map { text in
            var row = row(columns)
            row.add(text, .init(isBold: true, isReversed: node.isFlashing(at: now.instant)))
            return row
        }
    }

    /// Returns the row with the meeting in progress and how late it is.
    private func meeting(_ columns: Int) -> [ScreenRow] {
        var row = row(columns)
        guard let meeting = node.state?.meeting else {
            guard let lead = node.state?.lead, let left = node.timeToLead(at: now) else { return [] }
            let end = "begins \(node.timeOfDay(lead.at))"
            row.add("\(lead.name)  in \(TimeDisplay.time(left.shownSeconds))", leaving: end.columns + 1)
            row.addAtEnd(end)
            return [row]
        }
        let end = "until \(node.timeOfDay(meeting.plannedEnd))"
        row.add(meeting.name + (node.delay(at: now).map { "  \($0)" } ?? ""), leaving: end.columns + 1)
        row.addAtEnd(end)
        return [row]
    }

    /// Returns the row with the next timer and the expected end.
    private func next(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        if let next = node.nextTimer { row.add("next: \(next.name) \(TimeDisplay.time(next.thresholds.start))") }
        if let end = node.expectedEnd(at: now) { row.addAtEnd("ends \(node.timeOfDay(end))") }
        return row
    }

    /// Returns the row with the current run, or else the last one, and the outputs that are sounding.
    private func runs(_ columns: Int) -> ScreenRow {
        var row = row(columns)
        if let used = node.used(at: now.instant), let rule = node.state?.run?.qualifying {
            row.add("used \(TimeDisplay.time(used.wholeSeconds))")
            let bounds = [("from", rule.minimum), ("to", rule.maximum)]
            let texts = bounds.compactMap { word, bound in bound.map { "\(word) \(TimeDisplay.time($0))" } }
            if !texts.isEmpty { row.add(", qualifies \(texts.joined(separator: " "))") }
            if let grace = node.state?.run?.grace, let maximum = rule.maximum,
                used.wholeSeconds > maximum, used.wholeSeconds <= maximum + grace
            {
                row.add(", over, within grace (\(grace) s)")
            }
        } else if let last = node.state?.last {
            row.add("last run: \(last.timer) used \(TimeDisplay.time(last.used.wholeSeconds))")
            if last.over >= .seconds(1) { row.add(", \(TimeDisplay.time(last.over.wholeSeconds)) over") }
        }
        let others = Stoplight.others(node.state?.outputs)
        if !others.isEmpty { row.addAtEnd("\(style.isUnicode ? "♪ " : "")\(others.joined(separator: ", "))") }
        return row
    }
}

// The mode as `watch` shows it.
extension NodeMirror {
    /// The colour of the current mode, or of the mode that is paused; nil for the terminal's default.
    var colour: TerminalStyle.Colour? { (state?.pausedMode ?? mode).flatMap { Stoplight.colour(signals[$0]) } }
}

// Messages, locks and meetings as `watch` shows them.
extension NodeMirror {
    /// The duration of each of the three flashes of a new message, and of each pause between them.
    private static let flash: Duration = .milliseconds(150)

    /// Returns whether a message that asks for attention is in a flash now.
    func isFlashing(at now: Instant) -> Bool { phase(at: now).map { $0.isMultiple(of: 2) } ?? false }

    /// Returns when the next flash begins or ends, or nil if there is none.
    func nextFlash(after now: Instant) -> Instant? {
        guard let attentionSince, let phase = phase(at: now) else { return nil }
        return attentionSince + Self.flash * (phase + 1)
    }

    /// Returns the number of the current flash or pause, from 0; nil after the last one.
    private func phase(at now: Instant) -> Int? {
        guard let attentionSince else { return nil }
        let phase = Int(attentionSince.duration(to: now) / Self.flash)
        return (0..<5).contains(phase) ? phase : nil
    }

    /// What is locked, in words; nil if nothing is.
    var lock: String? {
        switch state?.locked {
        case .inputs: "locked"
        case .commands: "locked, including commands"
        case nil: nil
        }
    }

    /// Returns the time of day of a date in the time zone of the node's agenda, like all times on the screen; in the
    /// local time zone if the agenda has none.
    func timeOfDay(_ date: Date) -> String { LocalTime.text(date, zone: agenda?.agenda.zone) }

    /// Returns the time to the beginning of the meeting that displays count down to, or nil if there is none.
    func timeToLead(at now: NodeClient.Moment) -> Duration? {
        guard let lead = state?.lead else { return nil }
        let left = Duration.milliseconds((now.date.distance(to: lead.at) * 1000).rounded())
        return left > .zero ? left : nil
    }

    /// Returns when the time to the next meeting is drawn again, or nil if there is none.
    func nextLeadSecond(after now: Instant) -> Instant? { state?.lead == nil ? nil : now + .seconds(1) }

    /// Returns the delay of the meeting in progress, such as `3:20 behind` or `1:05 ahead`; nil if it is not known.
    func delay(at now: NodeClient.Moment) -> String? {
        guard let meeting = state?.meeting, let end = expectedEndOfMeeting(at: now) else { return nil }
        let late = meeting.plannedEnd.distance(to: end).rounded()
        // With more than a day of difference, one of the clocks must be wrong.
        guard abs(late) <= 86_400 else { return nil }
        let seconds = Int(late)
        if seconds == 0 { return "on time" }
        return "\(TimeDisplay.time(abs(seconds))) \(seconds > 0 ? "behind" : "ahead")"
    }
}
