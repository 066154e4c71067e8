internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// Encodes states one after another. The model, the largest part, is encoded again only if it changed.
package struct SavedNodeStateWriter {
    private var known: (model: TimerModel, json: [UInt8])?

    package init() {}

    /// The bytes to save.
    package mutating func document(of state: SavedNodeState) -> [UInt8] {
        let model = state.player.model
        var json: [UInt8]
        if let known, known.model == model {
            json = known.json
        } else {
            var writer = JSONWriter(capacity: 1024)
            writer.model(model)
            json = writer.bytes
            known = (model, json)
        }
        var writer = JSONWriter(capacity: 1024 + json.count)
        writer.object { state.write(to: &$0, model: json) }
        return SavedDocument.state.seal(writer.bytes)
    }
}

extension SavedNodeState {
    /// The bytes to save.
    package var document: [UInt8] {
        var writer = SavedNodeStateWriter()
        return writer.document(of: self)
    }

    /// Writes what `Codable` reads.
    fileprivate func write(to writer: inout JSONWriter, model: [UInt8]) {
        writer.member("boot", boot)
        writer.memberIfPresent("at", instant: at)
        writer.member("date", date.timeIntervalSinceReferenceDate)
        if let configured {
            writer.key("configured")
            writer.model(configured)
        }
        writer.member("player") { writer in
            writer.key("model")
            writer.encoded(model)
            writer.player(player)
        }
        writer.memberIfPresent("started_at", instant: startedAt)
        writer.memberIfPresent("silenced_at", instant: silencedAt)
        if let announced { writer.member("announced") { $0.announced(announced) } }
        if let run { writer.member("run", run) }
        if let added { writer.member("added", added) }
        if let modelRevision { writer.member("model_revision", modelRevision) }
        writer.memberIfPresent("mode_since", instant: modeSince)
        if let speaker { writer.member("speaker", speaker) }
        if let locked { writer.member("locked", locked.rawValue) }
        if let message { writer.member("message") { $0.message(message) } }
        if let agenda { writer.member("agenda") { $0.agenda(agenda) } }
        if let follow { writer.member("follow") { $0.follow(follow) } }
    }
}

extension JSONWriter {
    fileprivate mutating func message(_ message: Talk.Shown) {
        member("text", message.text)
        memberIfPresent("at", instant: message.at)
        memberIfPresent("until", instant: message.until)
        member("attention", message.attention)
        member("keep", message.keep)
    }

    fileprivate mutating func announced(_ device: AnnouncedDevice) {
        member("prefix", device.prefix)
        member("node", device.node)
        member("style", device.style.rawValue)
        key("entities")
        array(device.entities) { $0.value($1.rawValue) }
    }

    /// The members of a player, except its model.
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
                writer.key("path")
                writer.value(run.path)
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

    mutating func memberIfPresent(_ key: String, instant: TimerEngine.Instant?) {
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
