package import BrokerLink
package import IoTNode
package import NodePorts
package import TimerEngine

/// Where a tape is kept.
package protocol TapeSink: AnyObject {
    /// Begins a new segment with its first record. The runs, if there are any, become the second record, encoded where
    /// that delays nothing; see ``Tape/runs(_:)``.
    func beginSegment(_ header: [UInt8], runs: (any Savable)?)

    /// Appends a record to the segment.
    ///
    /// - Returns: whether the record can be kept. If not, none can be kept until a new segment begins.
    func append(_ record: [UInt8]) -> Bool
}

/// The text of a node's configuration, and what else decides how it is read.
package struct TapeConfiguration: Hashable, Sendable {
    /// The file, to which relative paths and faults refer.
    package var file: String
    /// The bytes of the file. It never contains a password.
    package var text: [UInt8]
    /// The environment variables that override the file, without passwords.
    package var environment: [String: String]
    /// The name of the machine, which a node without an id uses.
    package var hostName: String

    package init(file: String, text: [UInt8], environment: [String: String] = [:], hostName: String = "") {
        (self.file, self.text, self.environment, self.hostName) = (file, text, environment, hostName)
    }
}

/// Records on a tape what a node is told, and what it decides.
///
/// The tape is a ring of segments. Each segment begins with what a replay needs to begin there: the configuration, the
/// saved documents, and what the ports reported last.
package final class TapeRecorder: TurnRecorder {
    private let sink: any TapeSink
    private let seed: UInt64
    /// The size from which a new segment is begun, in bytes.
    private let segmentSize: Int
    private var size = 0
    /// How many turns have ended, including those that could not be kept.
    private var turns = 0
    /// When to begin a new segment because records are lost; nil while none are.
    private var retryAt: Instant?
    private var writer = TapeWriter()
    private var moment: Moment?
    private var present = Present()
    /// The configuration that the node uses. It must be set before the node is reconfigured.
    package var configuration: TapeConfiguration

    /// What the ports reported last.
    private struct Present {
        var outputs: NodeEvent?
        var inputs: NodeEvent?
        var clock: NodeEvent?
        var zones: NodeEvent?
        var connection: NodeEvent?
        var boot = ""

        var events: [NodeEvent] { [outputs, inputs, clock, zones, connection].compactMap(\.self) }

        mutating func note(_ event: NodeEvent) {
            switch event {
            case .outputsAcquired, .outputsFailed: outputs = event
            case .inputsAcquired, .inputs(.failed): inputs = event
            case .clockChecked: clock = event
            case .timeZonesRead: zones = event
            case .connection(.connected): connection = event
            case .connection(.lost): connection = nil
            case .started(_, let boot): self.boot = boot
            default: break
            }
        }
    }

    /// Begins a tape.
    ///
    /// - Parameters:
    ///   - seed: the seed of the node's random numbers.
    ///   - segmentSize: the size from which a new segment is begun, in bytes.
    package init(_ configuration: TapeConfiguration, seed: UInt64, segmentSize: Int, sink: any TapeSink) {
        (self.configuration, self.seed, self.segmentSize, self.sink) = (configuration, seed, segmentSize, sink)
    }

    package func told(_ events: [NodeEvent], at now: Moment) {
        if turns == 0 { beginSegment(nil, at: now) }
        begin(.events(events), at: now)
        for event in events { present.note(event) }
    }

    package func reconfigured(at now: Moment) {
        begin(.reconfiguration(configuration), at: now)
    }

    private func begin(_ cause: Tape.Cause, at now: Moment) {
        writer.clear()
        writer.beginTurn(cause, at: now)
        moment = now
    }

    package func decided(_ effect: NodeEffect) { writer.effect(effect) }

    package func ended(next: Instant?, _ snapshot: (Moment) -> NodeCore.Snapshot) {
        writer.endTurn(next: next)
        turns += 1
        guard let moment else { return }
        size += writer.bytes.count
        if !sink.append(writer.bytes), retryAt == nil { retryAt = moment.instant + .seconds(60) }
        let mustRetry = retryAt.map { $0 <= moment.instant } ?? false
        if size >= segmentSize || mustRetry { beginSegment(snapshot(moment), at: moment) }
    }

    private func beginSegment(_ snapshot: NodeCore.Snapshot?, at now: Moment) {
        var header = TapeWriter()
        header.header(
            Tape.Header(
                seed: seed, number: turns, moment: now, boot: present.boot, configuration: configuration,
                state: snapshot?.state, present: snapshot == nil ? [] : present.events))
        sink.beginSegment(header.bytes, runs: snapshot?.runs)
        retryAt = nil
        size = header.bytes.count
    }
}
