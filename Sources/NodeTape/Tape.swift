package import BrokerLink
internal import FoundationEssentials
package import IoTNode
internal import NodeConfiguration
package import TimerEngine

/// What a node was told and what it decided, in the order in which it happened.
package struct Tape: Sendable {
    /// The version of the format.
    static let version = 1
    fileprivate static let name = "timer-node-tape"

    /// The segments, from the oldest to the newest.
    package internal(set) var segments: [Segment] = []

    /// The kinds of records.
    enum Record: UInt8 {
        case header = 1
        /// The saved runs at the beginning of a segment.
        case runs = 2
        case turn = 3
        case reconfiguration = 4
    }

    /// What a replay needs to begin at a segment.
    package struct Header: Hashable, Sendable {
        /// The version of the program that recorded it.
        package var program = NodeVersion.current
        /// The seed of the process, which identifies it.
        package var seed: UInt64
        /// How many turns of the same process precede this segment, including those that could not be kept.
        package var number: Int
        package var moment: Moment
        /// The id of the machine's boot.
        package var boot: String
        package var configuration: TapeConfiguration
        /// The saved state; nil if the segment shows how the process began.
        package var state: [UInt8]?
        /// What the ports had reported last.
        package var present: [NodeEvent]
    }

    /// What was handled together.
    package struct Turn: Hashable, Sendable {
        package var moment: Moment
        package var cause: Cause
        package var decisions: [Decision]
        /// When the node wanted to be called next.
        package var next: Instant?
    }

    /// Why a node decided something.
    package enum Cause: Hashable, Sendable {
        case events([NodeEvent])
        case reconfiguration(TapeConfiguration)
    }

    /// A part of the tape.
    package struct Segment: Sendable {
        package var header: Header
        package var runs: [UInt8]?
        package var turns: [Turn] = []
        /// Whether the end is missing, as after a crash.
        package var isTorn = false

        /// Whether this segment follows another one without a gap.
        func continues(_ other: Segment) -> Bool {
            header.seed == other.header.seed && header.number == other.header.number + other.turns.count
        }
    }
}

// MARK: - Writing

extension Tape {
    /// Returns the record of the saved runs.
    package static func runs(_ document: [UInt8]) -> [UInt8] {
        var writer = TapeWriter()
        writer.runs(document)
        return writer.bytes
    }

    /// The whole tape, as one file.
    package var bytes: [UInt8] {
        var writer = TapeWriter()
        for segment in segments {
            writer.header(segment.header)
            if let runs = segment.runs { writer.runs(runs) }
            for turn in segment.turns {
                writer.beginTurn(turn.cause, at: turn.moment)
                for decision in turn.decisions { writer.decision(decision) }
                writer.endTurn(next: turn.next)
            }
        }
        return writer.bytes
    }
}

extension TapeWriter {
    /// Begins the record of a turn.
    mutating func beginTurn(_ cause: Tape.Cause, at moment: Moment) {
        beginRecord()
        switch cause {
        case .events(let events):
            tag(Tape.Record.turn.rawValue)
            self.moment(moment)
            list(events) { $0.event($1) }
        case .reconfiguration(let configuration):
            tag(Tape.Record.reconfiguration.rawValue)
            self.moment(moment)
            self.configuration(configuration)
        }
    }

    /// Ends the record of a turn, after its decisions.
    mutating func endTurn(next: Instant?) {
        tag(0)
        optional(next) { $0.instant($1) }
        endRecord()
    }

    fileprivate mutating func runs(_ document: [UInt8]) {
        beginRecord()
        tag(Tape.Record.runs.rawValue)
        array(document)
        endRecord()
    }

    mutating func moment(_ moment: Moment) {
        instant(moment.instant)
        date(moment.date)
    }

    mutating func configuration(_ configuration: TapeConfiguration) {
        text(configuration.file)
        array(configuration.text)
        list(configuration.environment.sorted { $0.key < $1.key }) {
            $0.text($1.key)
            $0.text($1.value)
        }
        text(configuration.hostName)
    }

    mutating func header(_ header: Tape.Header) {
        beginRecord()
        tag(Tape.Record.header.rawValue)
        text(Tape.name)
        count(Tape.version)
        text(header.program)
        fixed(header.seed)
        count(header.number)
        moment(header.moment)
        text(header.boot)
        configuration(header.configuration)
        optional(header.state) { $0.array($1) }
        list(header.present) { $0.event($1) }
        endRecord()
    }
}

// MARK: - Reading

extension Tape {
    /// Reads the segments in some files, from the oldest to the newest. A file may have several segments.
    ///
    /// - Throws: ``TapeError`` if no file is a tape. A damaged record ends its file instead.
    package init(_ files: [[UInt8]]) throws(TapeError) { try self.init(files, rewriting: nil) }

    /// Reads segments, and changes each text and each document in them.
    init(_ files: [[UInt8]], rewriting rewrite: (([UInt8]) -> [UInt8])?) throws(TapeError) {
        for file in files { try read(file, rewrite) }
        if segments.isEmpty { throw files.allSatisfy(\.isEmpty) ? .empty : .foreign }
    }

    private mutating func read(_ file: [UInt8], _ rewrite: (([UInt8]) -> [UInt8])?) throws(TapeError) {
        var records = TapeReader(file[...])
        var isFirst = true
        while !records.isAtEnd {
            do throws(TapeError) {
                var record = TapeReader(try records.slice(try records.count()))
                record.rewrite = rewrite
                try read(&record, isFirst: isFirst)
            } catch {
                guard error == .damaged else { throw error }
                // The disk may have been full, or the power cut, when the file was begun.
                if !segments.isEmpty { segments[segments.count - 1].isTorn = true }
                return
            }
            isFirst = false
        }
    }

    private mutating func read(_ record: inout TapeReader, isFirst: Bool) throws(TapeError) {
        let kind = Record(rawValue: try record.tag())
        if isFirst, kind != .header { throw .foreign }
        switch kind {
        case .header: segments.append(Segment(header: try record.header()))
        case .runs: segments[segments.count - 1].runs = try record.array()
        case .turn:
            let moment = try record.moment()
            let events = try record.list { (reader) throws(TapeError) in try reader.event() }
            segments[segments.count - 1].turns.append(try record.turn(moment, .events(events)))
        case .reconfiguration:
            let moment = try record.moment()
            let configuration = try record.configuration()
            segments[segments.count - 1].turns.append(try record.turn(moment, .reconfiguration(configuration)))
        case nil: throw .damaged
        }
    }
}

extension TapeReader {
    fileprivate mutating func moment() throws(TapeError) -> Moment {
        let instant = try instant()
        return Moment(instant: instant, date: try date())
    }

    fileprivate mutating func turn(_ moment: Moment, _ cause: Tape.Cause) throws(TapeError) -> Tape.Turn {
        var decisions: [Decision] = []
        while let decision = try decision() { decisions.append(decision) }
        let next = try optional { (reader) throws(TapeError) in try reader.instant() }
        return Tape.Turn(moment: moment, cause: cause, decisions: decisions, next: next)
    }

    fileprivate mutating func configuration() throws(TapeError) -> TapeConfiguration {
        let (file, text) = (try text(), try array())
        let environment = try list { (reader) throws(TapeError) in (try reader.text(), try reader.text()) }
        return TapeConfiguration(
            file: file, text: text, environment: Dictionary(environment) { $1 }, hostName: try self.text())
    }

    fileprivate mutating func header() throws(TapeError) -> Tape.Header {
        let rewrite = rewrite.take()
        guard try text() == Tape.name else { throw .foreign }
        let version = try count()
        guard version == Tape.version else { throw .newer(version) }
        let (program, seed, number) = (try text(), try fixed(), try count())
        self.rewrite = rewrite
        let (moment, boot, configuration) = (try moment(), try text(), try configuration())
        let state = try optional { (reader) throws(TapeError) in try reader.array() }
        return Tape.Header(
            program: program, seed: seed, number: number, moment: moment, boot: boot, configuration: configuration,
            state: state, present: try list { (reader) throws(TapeError) in try reader.event() })
    }
}
