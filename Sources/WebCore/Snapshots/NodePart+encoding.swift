internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

extension NodePart {
    /// What a node says, as JSON; nil where it says nothing.
    func encoded(_ mirror: NodeMirror) -> EncodedPart? {
        switch self {
        case .name:
            return mirror.health?.name.map { EncodedPart(JSON.string($0).bytes) }
        case .availability:
            return mirror.availability.map { EncodedPart(JSON.string($0.rawValue).bytes) }
        case .heard:
            return EncodedPart(JSON.bool(mirror.isHeard).bytes)
        case .state:
            return mirror.state.map { EncodedPart($0.bytes) }
        case .counting:
            return mirror.counting.map { EncodedPart($0.bytes) }
        case .patterns:
            return mirror.patterns.flatMap { $0.isEmpty ? nil : EncodedPart(Self.encoded($0)) }
        case .timers:
            return mirror.timers.map { EncodedPart($0.bytes) }
        case .message:
            return mirror.message.map { EncodedPart($0.bytes(attentionAt: mirror.attentionSince)) }
        case .agenda:
            return mirror.agenda.map { EncodedPart(full: $0.bytes, forViewers: $0.withoutNotes.bytes) }
        case .runs:
            return mirror.runs.map { EncodedPart(full: $0.bytes, forViewers: nil) }
        case .health:
            return mirror.health.map { EncodedPart(full: $0.bytes, forViewers: nil) }
        case .signals:
            return EncodedPart(mirror.signals.encoded)
        case .offlineSince:
            return mirror.disconnectedSince.map { EncodedPart(JSON.number($0.milliseconds).bytes) }
        }
    }
}

extension NodePart {
    /// The patterns by their outputs, on the server's clock.
    private static func encoded(_ patterns: [String: BlinkPattern]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, pattern) in patterns.sorted(by: { $0.key < $1.key }) {
                writer.key(JSONKey(name))
                writer.object { writer in
                    writer.key("steps_ms")
                    writer.array(pattern.steps) { $0.value($1.count(of: .milliseconds(1))) }
                    writer.member("repeat", pattern.repeats)
                    writer.member("began", milliseconds: pattern.began)
                }
            }
        }
        return writer.bytes
    }
}

extension EventMessage {
    /// The event for everybody who may hear of it: viewers see nothing of the report, nor of the node's condition.
    var encoded: EncodedPart {
        switch kind {
        case .gpioFault, .gpioRecovered: return EncodedPart(full: bytes, forViewers: nil)
        case .runEnded(let used, let over, .some):
            var short = self
            short.kind = .runEnded(used: used, over: over)
            return EncodedPart(full: bytes, forViewers: short.bytes)
        case .runEnded, .modeChanged, .movedOn, .timerEdited, .message, .messageCleared, .meetingBegan, .meetingEnded,
            .reminder:
            return EncodedPart(bytes)
        }
    }
}

extension Counting {
    fileprivate var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("zero", milliseconds: zero)
            writer.member("since", milliseconds: since)
            writer.member("made", milliseconds: made)
            writer.member("estimate", isEstimate)
        }
        return writer.bytes
    }
}

extension ModeSignals {
    fileprivate var encoded: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        write(to: &writer, ())
        return writer.bytes
    }
}

extension ShownMessage {
    /// The message, with the server's instant since when it asks for attention.
    fileprivate func bytes(attentionAt instant: TimerEngine.Instant?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.fields(of: self)
            writer.member("attention_at", milliseconds: instant)
        }
        return writer.bytes
    }
}

extension AgendaMessage {
    fileprivate var withoutNotes: AgendaMessage {
        var message = self
        for index in message.agenda.meetings.indices { message.agenda.meetings[index].note = nil }
        return message
    }
}
