/// What a node publishes, by the kind of topic.
public enum PublishedMessage: Hashable, Sendable {
    /// Whether the node is connected.
    case availability(Availability)
    /// What the timer is doing.
    case mode(ModeName)
    /// The second that has just begun.
    case tick(TickMessage)
    /// What the node does.
    indirect case state(StateMessage)
    /// The groups, timers and settings.
    indirect case timers(TimersMessage)
    /// Something that happened.
    indirect case event(EventMessage)
    /// The answer to a command.
    indirect case response(Response)
    /// The node's own condition.
    indirect case health(HealthMessage)
    /// The newest runs of the report.
    indirect case runs(RunsMessage)
    /// The message to the speaker.
    indirect case message(ShownMessage)
    /// The meetings.
    indirect case agenda(AgendaMessage)

    /// Reads what was received on a topic.
    ///
    /// - Throws: ``PayloadError`` where the payload is not one of this kind of topic.
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
        }
    }

    /// The message itself.
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
        }
    }

    /// The kind of topic that the message is published on.
    public var kind: TopicKind { type(of: message).kind }

    /// The payload.
    public var bytes: [UInt8] { message.bytes }
}
