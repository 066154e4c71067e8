public import TimerEngine

/// A message that a node publishes, by the kind of its topic.
public enum PublishedMessage: Hashable, Sendable {
    /// Whether the node is connected.
    case availability(Availability)
    /// The mode of the timer.
    case mode(ModeName)
    /// The second that has just begun.
    case tick(TickMessage)
    /// The state of the node.
    indirect case state(StateMessage)
    /// The groups, timers and settings.
    indirect case timers(TimersMessage)
    /// Something that happened.
    indirect case event(EventMessage)
    /// The response to a command.
    indirect case response(Response)
    /// The health of the node.
    indirect case health(HealthMessage)
    /// The newest runs of the report.
    indirect case runs(RunsMessage)
    /// The message to the speaker.
    indirect case message(ShownMessage)
    /// The meetings.
    indirect case agenda(AgendaMessage)
    /// The running order.
    indirect case programme(ProgrammeMessage)

    /// Reads a payload that was received on a topic.
    ///
    /// - Throws: A ``PayloadError`` if the payload is not valid for this kind of topic.
    public init(_ kind: TopicKind, _ payload: [UInt8]) throws(PayloadError) {
        switch kind {
        case .availability: self = .availability(try Availability(payload))
        case .mode: self = .mode(try ModeName(payload))
        case .tick: self = .tick(try TickMessage(payload))
        case .state: self = .state(try StateMessage(payload))
        case .timers: self = .timers(try TimersMessage(payload))
        case .event: self = .event(try EventMessage(payload))
        case .response: self = .response(try Response(payload))
        case .health: self = .health(try HealthMessage(payload))
        case .runs: self = .runs(try RunsMessage(payload))
        case .message: self = .message(try ShownMessage(payload))
        case .agenda: self = .agenda(try AgendaMessage(payload))
        case .programme: self = .programme(try ProgrammeMessage(payload))
        }
    }

    /// The message.
    private var message: any MessagePayload {
        switch self {
        case .availability(let message): message
        case .mode(let message): message
        case .tick(let message): message
        case .state(let message): message
        case .timers(let message): message
        case .event(let message): message
        case .response(let message): message
        case .health(let message): message
        case .runs(let message): message
        case .message(let message): message
        case .agenda(let message): message
        case .programme(let message): message
        }
    }

    /// The kind of topic that the message is published on.
    public var kind: TopicKind { type(of: message).kind }

    /// The payload.
    public var bytes: [UInt8] { message.bytes }
}

/// The payload of one of the topics that a node publishes.
///
/// A node encodes a value as ``bytes``, and a client decodes an equal value from them. Fields that this version does
/// not know are ignored, since a client may be older than the node.
public protocol MessagePayload: Hashable, Sendable {
    /// The topic that the message is published on.
    static var kind: TopicKind { get }

    /// Decodes a payload.
    ///
    /// - Throws: A ``PayloadError`` if the payload is not valid for this topic.
    init(_ payload: [UInt8]) throws(PayloadError)

    /// The payload as it is published: UTF-8, and JSON without white space.
    var bytes: [UInt8] { get }
}

/// Why a payload is not valid for its topic.
public struct PayloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message for people: the value found, the value expected and, for JSON, the field.
    public let description: String

    package init(_ description: String) { self.description = description }
}

// MARK: - Payloads that are a word

extension MessagePayload where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Reads the word.
    ///
    /// - Throws: A ``PayloadError`` for any other word.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let text = try PayloadError.text(payload)
        guard let value = Self(rawValue: text) else {
            throw PayloadError("found \(text.quoted), expected \(Self.allCases.map(\.rawValue).alternatives)")
        }
        self = value
    }

    /// The word, encoded as UTF-8.
    public var bytes: [UInt8] { Array(rawValue.utf8) }
}

extension PayloadError {
    /// The string in a payload that is not JSON.
    fileprivate static func text(_ payload: [UInt8]) throws(PayloadError) -> String {
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw PayloadError("the payload is not valid UTF-8")
        }
        return text
    }
}

/// The payload of the `availability` topic: whether the node is connected to the broker.
public enum Availability: String, CaseIterable, MessagePayload {
    /// The topic that the message is published on.
    public static let kind = TopicKind.availability

    /// The node is connected.
    case online
    /// The node has stopped, or the broker has lost its connection.
    case offline
}

/// The payload of the `mode` topic, and the name of a mode in every other payload.
public enum ModeName: String, CaseIterable, MessagePayload {
    /// The topic that the message is published on.
    public static let kind = TopicKind.mode

    /// Not running.
    case stopped
    /// Running, with more than the warning time left.
    case countdown
    /// Running, at or below the warning time.
    case warning
    /// Running, at or below the final time.
    case final
    /// At zero.
    case alarm
    /// Paused, from any running mode.
    case paused

    /// The name of a mode.
    public init(_ mode: TimerEngine.Mode) {
        self =
            switch mode {
            case .stopped: .stopped
            case .countdown: .countdown
            case .warning: .warning
            case .final: .final
            case .alarm: .alarm
            case .paused: .paused
            }
    }

    /// Whether the timer counts down in this mode.
    public var isRunning: Bool {
        switch self {
        case .countdown, .warning, .final: true
        case .stopped, .alarm, .paused: false
        }
    }
}

/// The payload of the `tick` topic: the second that has just begun.
public struct TickMessage: MessagePayload {
    /// The topic that the message is published on.
    public static let kind = TopicKind.tick

    /// The whole seconds left, 0 or more.
    public let remaining: Int

    /// A tick with this many whole seconds left.
    public init(remaining: Int) { self.remaining = remaining }

    /// Reads a number in decimal digits.
    ///
    /// - Throws: A ``PayloadError`` for anything but digits, and for a number larger than any display shows.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let isNumber = !payload.isEmpty && payload.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let text = String(decoding: payload, as: UTF8.self)
        guard isNumber, let remaining = Int(text), ClosedRange.shownSeconds.contains(remaining) else {
            throw PayloadError("found \(text.quoted), expected \(Int.expected(.shownSeconds)) without a sign")
        }
        self.remaining = remaining
    }

    /// The number in decimal digits.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(decimal: remaining)
        return bytes
    }
}
