internal import TimerEngine

extension StateMessage: MessagePayload {
    /// The state as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object { write(to: &$0) }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in try Self(&fields) }
    }

    private func write(to writer: inout JSONWriter) {
        writer.member(.mode, mode.rawValue)
        writer.member(.pausedMode, pausedMode?.rawValue)
        writer.member(.remaining, remaining)
        writer.member(.preciseRemaining, preciseRemaining)
        writer.member(.elapsed, elapsed)
        writer.member(.progress, progress)
        writer.member(.display, display)
        writer.member(.start, start)
        writer.member(.warning, warning)
        writer.member(.final, final)
        writer.member(.startedAt, startedAt)
        writer.member(.endsAt, endsAt)
        writer.member(.overtime, overtime)
        writer.member(.timer) { timer.write(to: &$0) }
        writer.member(.group) { group.write(to: &$0) }
        writer.member(.next, next)
        if let last { writer.member(.last) { last.write(to: &$0) } } else { writer.member(.last, String?.none) }
        if let run { writer.member(.run) { run.write(to: &$0) } } else { writer.member(.run, String?.none) }
        writer.member(.outputs) { outputs.write(to: &$0) }
        if !patterns.isEmpty {
            writer.member(.patterns) { writer in
                for (name, pattern) in patterns.sorted(by: { $0.key < $1.key }) {
                    writer.member(JSONKey(name)) { pattern.write(to: &$0) }
                }
            }
        }
        writer.member(.speaker, speaker)
        writer.member(.locked, locked)
        if let meeting {
            writer.member(.meeting) { meeting.write(to: &$0) }
        } else {
            writer.member(.meeting, String?.none)
        }
        writer.member(.follows, follows)
        writer.member(.at, date)
        if let clock { writer.member(.clock) { clock.write(to: &$0) } }
        writer.member(.revision, revision)
    }

    private init(_ fields: inout PayloadFields) throws(Refusal) {
        self.init(
            mode: try fields.required(.mode),
            pausedMode: try fields.optional(.pausedMode),
            remaining: try fields.required(.remaining, in: .shownSeconds),
            preciseRemaining: try fields.required(.preciseRemaining, in: .lengths),
            elapsed: try fields.required(.elapsed, in: .lengths),
            progress: try fields.required(.progress, in: 0...1),
            display: try fields.required(.display, .plain),
            start: try fields.required(.start, in: .timerSeconds),
            warning: try fields.required(.warning, in: .timerSeconds),
            final: try fields.required(.final, in: .timerSeconds),
            startedAt: try fields.optional(.startedAt),
            endsAt: try fields.optional(.endsAt),
            overtime: try fields.optional(.overtime, in: .lengths),
            timer: try Timer(try fields.requiredObject(.timer)),
            group: try Group(try fields.requiredObject(.group)),
            next: try fields.optional(.next),
            last: try fields.object(JSONKey.last.name).map { (last) throws(Refusal) in try Run(last) },
            run: try fields.object(JSONKey.run.name).map { (run) throws(Refusal) in try CurrentRun(run) },
            outputs: try OutputStates(try fields.requiredObject(.outputs)),
            patterns: try fields.object(JSONKey.patterns.name)
                .map { (patterns) throws(Refusal) in try Self.patterns(patterns) } ?? [:],
            date: try fields.optional(.at),
            speaker: try fields.optional(.speaker, .plain),
            locked: try (fields.optional(.locked) as LockField?)?.level,
            meeting: try fields.object(JSONKey.meeting.name).map { (meeting) throws(Refusal) in try Meeting(meeting) },
            follows: try fields.optional(.follows, .identifier),
            clock: try fields.object(JSONKey.clock.name).map { (clock) throws(Refusal) in try Clock(clock) },
            revision: try fields.required(.revision, in: .counts))
    }
}

extension StateMessage {
    private static func patterns(_ fields: PayloadFields) throws(Refusal) -> [String: OutputPattern] {
        var fields = fields
        var patterns: [String: OutputPattern] = [:]
        for name in try OutputStates.names(fields) {
            patterns[name] = try fields.object(name).map { (pattern) throws(Refusal) in
                try OutputPattern(pattern)
            }
        }
        return patterns
    }
}

extension StateMessage.Timer {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.path, path)
        writer.member(.id, id)
        writer.member(.name, name)
        writer.member(.event, event)
        writer.member(.location, location)
    }

    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            path: try fields.required(.path), id: try fields.required(.id), name: try fields.required(.name, .plain),
            event: try fields.optional(.event, .plain), location: try fields.optional(.location, .plain))
    }
}

extension StateMessage.Group {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.index, index)
        writer.member(.name, name)
        writer.member(.display, display.rawValue)
    }

    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            index: try fields.required(.index, in: .places), name: try fields.required(.name, .plain),
            display: try fields.required(.display))
    }
}

extension StateMessage.Run {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.timer, timer)
        writer.member(.used, used)
        writer.member(.over, over)
    }

    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            timer: try fields.required(.timer), used: try fields.required(.used, in: .lengths),
            over: try fields.required(.over, in: .lengths))
    }
}
