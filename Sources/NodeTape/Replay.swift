internal import BrokerLink
internal import IoTNode
package import NodeConfiguration
internal import TimerEngine

/// Runs today's core on a tape.
package struct Replay {
    /// A turn in which today's program decides otherwise.
    package struct Difference: Sendable {
        package let turn: Tape.Turn
        /// What today's program decides.
        package let today: [Decision]
    }

    /// The turns in which today's program decides otherwise.
    package private(set) var differences: [Difference] = []
    /// How many turns were compared.
    package private(set) var compared = 0
    /// How many turns were replayed, but not compared, because the beginning of their process is not on the tape, and
    /// the replay was not in step yet.
    package private(set) var uncompared = 0

    private let load: (TapeConfiguration) throws(ConfigurationError) -> NodeConfiguration

    /// Replays a tape.
    ///
    /// - Parameter load: reads a configuration.
    /// - Throws: ``TapeError/configuration(_:)`` if today's program does not accept a configuration on the tape.
    package init(
        _ tape: Tape, load: @escaping (TapeConfiguration) throws(ConfigurationError) -> NodeConfiguration
    ) throws(TapeError) {
        self.load = load
        var process: Process?
        for (number, segment) in tape.segments.enumerated() {
            var current: Process
            if let process, number > 0, segment.continues(tape.segments[number - 1]) {
                current = process
            } else {
                current = try start(segment)
            }
            process = nil
            for turn in segment.turns { try replay(turn, &current) }
            process = current
        }
    }

    /// A process of the node that is replayed.
    fileprivate struct Process {
        var core: NodeCore
        var comparison: Comparison
        /// Whether it decides as the process on the tape.
        var isInStep: Bool
        /// When the process on the tape wanted to be called next.
        var tapedNext: Instant?
    }

    private func start(_ segment: Tape.Segment) throws(TapeError) -> Process {
        let header = segment.header
        let isWhole = header.state == nil
        // With the same seed, the first runs would get ids that saved runs already have.
        let seed = isWhole ? header.seed : ~header.seed
        var core = NodeCore(configuration: try configuration(header.configuration), seed: seed)
        if let state = header.state {
            for events in [[.runsLoaded(segment.runs), .started(saved: state, boot: header.boot)], header.present] {
                _ = core.decisions(on: events, at: header.moment)
            }
        }
        return Process(
            core: core, comparison: Comparison(program: header.program, isWhole: isWhole), isInStep: isWhole)
    }

    private mutating func replay(_ turn: Tape.Turn, _ process: inout Process) throws(TapeError) {
        var today = process.wake(before: turn)
        switch turn.cause {
        case .events(let events):
            // The loop wakes a core only when the core has asked for it.
            let isDue = process.core.nextInstant.map { $0 <= turn.moment.instant } ?? false
            guard events != [.timePassed] || isDue || !process.isInStep else { break }
            today += process.core.decisions(on: events.map(process.comparison.translated), at: turn.moment)
        case .reconfiguration(let configuration):
            today += process.core.decisions(on: try self.configuration(configuration), at: turn.moment)
        }
        process.tapedNext = turn.next
        let isSame = process.comparison.isSame(turn.decisions, today)
        if !process.isInStep { process.isInStep = isSame && today.contains(where: \.isState) }
        guard process.isInStep else { return uncompared += 1 }
        compared += 1
        if !isSame { differences.append(Difference(turn: turn, today: today)) }
    }

    private func configuration(_ configuration: TapeConfiguration) throws(TapeError) -> NodeConfiguration {
        do throws(ConfigurationError) { return try load(configuration) } catch { throw .configuration(error.lines) }
    }
}

extension Replay.Process {
    /// How often the core is called between two turns. After as many calls it has long decided otherwise, and the time
    /// between the turns on a damaged tape may be centuries.
    private static let mostCalls = 1000

    /// Calls the core when it asks for it earlier than the process on the tape did.
    fileprivate mutating func wake(before turn: Tape.Turn) -> [Decision] {
        var decisions: [Decision] = []
        var last: Instant?
        var calls = 0
        // A core that asked for the same time as the process on the tape is called when that process was called, which
        // may have been late.
        while let next = core.nextInstant, next < turn.moment.instant, tapedNext.map({ next < $0 }) ?? true,
            last.map({ $0 < next }) ?? true, calls < Self.mostCalls
        {
            decisions += core.decisions(
                on: [.timePassed], at: Moment(instant: next, date: turn.moment.date(of: next)))
            last = next
            calls += 1
        }
        return decisions
    }
}

extension NodeCore {
    /// Handles events and returns what it decides.
    fileprivate mutating func decisions(on events: [NodeEvent], at now: Moment) -> [Decision] {
        let turn = handle(events, at: now)
        return decisions(in: turn)
    }

    /// Uses a new configuration and returns what it decides.
    fileprivate mutating func decisions(on configuration: NodeConfiguration, at now: Moment) -> [Decision] {
        let turn = reconfigure(configuration, at: now)
        return decisions(in: turn)
    }

    private mutating func decisions(in turn: consuming NodeTurn) -> [Decision] {
        let first = turn.first
        return (first + deferredEffects(of: turn)).compactMap { Decision($0) }
    }
}
