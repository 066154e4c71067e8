import BrokerLink
import Calendar
import ConfigurationFiles
import FoundationEssentials
import IoTNode
import NodeConfiguration
import NodePorts
import NodeTape
import TimerEngine
import TimerProtocol
import WebCore

/// What reads bytes that others wrote. Each target must neither crash nor hang, whatever the bytes; what it accepts and
/// writes again must read the same.
///
/// libFuzzer calls ``fuzz(_:_:)`` with the bytes. The variable `FUZZ_TARGET` names the target.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A command: the first byte chooses its verb, the rest is its payload.
    case commands
    /// A payload that clients and followers read: the first byte chooses the kind of topic.
    case payloads
    case yaml
    case state
    case runs
    case programme
    case csv
    case ics
    case tzif
    /// The fields of an HTTP request that say where it comes from, one a line, and a session cookie.
    case request
    /// A file with a tape.
    case tape

    /// Reads an input; a difference ends the process.
    package func read(_ bytes: [UInt8]) {
        switch self {
        case .commands: Self.readCommand(bytes)
        case .payloads: Self.readPayload(bytes)
        case .yaml: Self.readConfiguration(bytes)
        case .state: Self.start(saved: SavedDocument.state.seal(bytes), runs: nil)
        case .runs: Self.start(saved: nil, runs: SavedDocument.runs.seal(bytes))
        case .programme: Self.readProgramme(bytes)
        case .csv: if let programme = try? ProgrammeTable.read(Self.text(bytes)) { Self.check(programme) }
        case .ics: _ = try? ProgrammeCalendar.read(Self.text(bytes)) { _ in (CivilDate(daysSince1970: 20_000), 0) }
        case .tzif: Self.readZone(bytes)
        case .request: Self.readRequest(bytes)
        case .tape: Self.readTape(bytes)
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func readCommand(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let verbs = Verb.allCases.map(\.rawValue) + ["", "nothing"]
        let verb = verbs[Int(first) % verbs.count]
        var parser = RequestParser()
        let payload = Array(bytes.dropFirst())
        guard
            let request = try? parser.request(
                verb: verb.isEmpty ? nil : verb, scope: first < 128 ? .node : .several, payload: payload)
        else { return }
        var again = RequestParser()
        let copy = try? again.request(verb: request.command.verb.rawValue, scope: .node, payload: request.payload)
        // Dates are written to the millisecond, so only the verbs are compared.
        precondition(copy?.command.verb == request.command.verb, "a command that was written cannot be read")
    }

    private static func readPayload(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let kind = TopicKind.allCases[Int(first) % TopicKind.allCases.count]
        guard let message = try? PublishedMessage(kind, Array(bytes.dropFirst())) else { return }
        let written = message.bytes
        guard let copy = try? PublishedMessage(kind, written) else {
            preconditionFailure("a message that was written cannot be read: \(text(written))")
        }
        precondition(copy.bytes == written, "a message is not written as it was read: \(text(written))")
    }

    private static func readConfiguration(_ bytes: [UInt8]) {
        _ = try? NodeConfiguration.load(path: "fuzz.yaml", environment: [:], hostName: "fuzz") {
            (path, limit) throws(FileError) in
            guard path == "fuzz.yaml" else { throw FileError(path: path, kind: .missing, reason: "there is no file") }
            return Array(bytes.prefix(limit))
        }
    }

    /// Starts a node with a saved document, and lets it run for some seconds.
    private static func start(saved: [UInt8]?, runs: [UInt8]?) {
        var configuration = NodeConfiguration(node: .init(id: "lectern"))
        configuration.storage = .init(directory: "/nowhere")
        configuration.mqtt = .init(brokers: [Broker(host: "broker.test")], clientID: "lectern")
        var core = NodeCore(configuration: configuration, seed: 1)
        var now = Moment(
            instant: Instant(sinceEpoch: .seconds(1000)), date: Date(timeIntervalSince1970: 1_795_800_000))
        var events: [NodeEvent] = [.runsLoaded(runs), .started(saved: saved, boot: "a boot")]
        for second in 1...5 {
            let turn = core.handle(events, at: now)
            _ = core.deferredEffects(of: turn)
            events = second == 2 ? [.connection(.connected)] : [.timePassed]
            now = Moment(instant: now.instant + .seconds(second), date: now.date.addingTimeInterval(Double(second)))
        }
    }

    private static func readProgramme(_ bytes: [UInt8]) {
        var parser = RequestParser()
        guard
            let request = try? parser.request(verb: Verb.programme.rawValue, scope: .node, payload: bytes),
            case .programme(.replace(let programme, _)) = request.command
        else { return }
        check(programme)
    }

    /// A running order that is written as a table reads the same.
    private static func check(_ programme: Programme) {
        guard !programme.entries.isEmpty else { return }
        let written = ProgrammeTable.text(programme)
        let copy = try? ProgrammeTable.read(written)
        precondition(copy?.entries.count == programme.entries.count, "a table that was written cannot be read")
    }

    private static func readZone(_ bytes: [UInt8]) {
        guard let zone = try? TimeZoneRules(tzif: bytes) else { return }
        for second in stride(from: 0, to: 4_102_444_800, by: 97_000_000) {
            let offset = zone.offset(at: Date(timeIntervalSince1970: Double(second)))
            precondition(abs(offset) <= 26 * 3600, "an offset of \(offset) s")
        }
    }

    /// A tape that is written again reads the same, and nothing on it can end a replay.
    private static func readTape(_ bytes: [UInt8]) {
        guard let tape = try? Tape([bytes]) else { return }
        let written = tape.bytes
        precondition((try? Tape([written]))?.bytes == written, "a tape is not written as it was read")
        _ = tape.text(prefix: "timer/lectern/", isBrief: false)
        let replay = try? Replay(tape) { _ in
            var configuration = NodeConfiguration(node: .init(id: "lectern"))
            configuration.mqtt = .init(brokers: [Broker(host: "broker.test")], clientID: "lectern")
            return configuration
        }
        _ = replay?.text(prefix: "timer/lectern/")
    }

    private static func readRequest(_ bytes: [UInt8]) {
        let lines = text(bytes).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let line = { (number: Int) in number < lines.count ? lines[number] : "" }
        _ = ForwardedRequest(
            from: IPAddress(line(0)), host: line(1),
            trusting: [IPNetwork("127.0.0.0/8"), IPNetwork("::/0")].compactMap(\.self)
        ) { name in
            switch name {
            case "x-forwarded-for": [line(2)]
            case "forwarded": [line(3)]
            case "x-forwarded-host": [line(4)]
            default: [line(5)]
            }
        }
        if let ticket = SessionTicket(line(6)) {
            precondition(SessionTicket(ticket.text) == ticket, "a ticket that was written cannot be read")
        }
        _ = APIRoute.all(at: line(7))
    }
}

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("FUZZ_TARGET: found \(name), expected one of \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
}()

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe target.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
