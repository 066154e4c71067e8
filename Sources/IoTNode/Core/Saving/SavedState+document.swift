internal import FoundationEssentials
internal import TimerEngine

extension SavedState {
    /// The bytes to save.
    var document: [UInt8] {
        var writer = JSONWriter(capacity: 2048)
        writer.object { write(to: &$0) }
        return SavedDocument.seal(writer.bytes)
    }

    /// Writes what `Codable` reads.
    private func write(to writer: inout JSONWriter) {
        writer.member("boot", boot)
        writer.memberIfPresent("at", instant: at)
        writer.member("date", date.timeIntervalSinceReferenceDate)
        writer.key("configured")
        let start = writer.bytes.count
        writer.model(configured)
        let model = writer.bytes[start...]
        writer.member("player") { writer in
            writer.key("model")
            // Most nodes have the timers of their file.
            if player.model == configured { writer.raw(model) } else { writer.model(player.model) }
            writer.player(player)
        }
        writer.memberIfPresent("started_at", instant: startedAt)
        writer.memberIfPresent("silenced_at", instant: silencedAt)
    }
}

extension JSONWriter {
    /// The members of a player, but for its model.
    fileprivate mutating func player(_ player: TimerPlayer) {
        member("countdown") { $0.countdown(player.countdown.record) }
        if let oneOff = player.oneOff {
            member("one_off") { writer in
                writer.member("thresholds") { $0.thresholds(oneOff.thresholds) }
                if let name = oneOff.name { writer.member("name", name) }
            }
        }
        if let run = player.lastRun {
            member("last_run") { writer in
                writer.member("path", run.path)
                writer.member("name", run.name)
                writer.member("used", exact: run.used)
                writer.member("over", exact: run.over)
            }
        }
    }

    private mutating func countdown(_ countdown: TimerEngine.Countdown.Record) {
        member("thresholds") { $0.thresholds(countdown.thresholds) }
        member("used") { $0.stopwatch(countdown.used) }
        member("over") { $0.stopwatch(countdown.over) }
        member("state", countdown.state)
        memberIfPresent("zero", instant: countdown.zero)
        if let ticked = countdown.ticked { member("ticked", ticked) }
        if let remaining = countdown.remaining { member("remaining", exact: remaining) }
        memberIfPresent("since", instant: countdown.since)
    }

    private mutating func stopwatch(_ watch: TimerEngine.Countdown.Record.Watch) {
        member("before", exact: watch.before)
        memberIfPresent("since", instant: watch.since)
    }

    fileprivate mutating func memberIfPresent(_ key: String, instant: TimerEngine.Instant?) {
        guard let instant else { return }
        member(key) { $0.member("sinceEpoch", exact: instant.sinceEpoch) }
    }

    /// A duration to the attosecond, as the standard library's `Codable` has it: 128 bits in two numbers.
    private mutating func member(_ key: String, exact duration: Duration) {
        self.key(key)
        open("[")
        value(Int(truncatingIfNeeded: duration.attoseconds >> 64))
        value(UInt(truncatingIfNeeded: duration.attoseconds))
        close("]")
    }
}
