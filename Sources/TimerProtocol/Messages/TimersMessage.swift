public import TimerEngine

/// The payload of the `timers` topic: the model without its selection, which is part of the state.
public struct TimersMessage: Hashable, Sendable {
    /// The groups, timers and settings.
    ///
    /// The selection has no meaning: in a message that was read, it is always the first timer.
    public let model: TimerModel
    /// The revision, which grows with each change of the model and survives restarts; nil from a node that does not
    /// publish it.
    public let revision: Int?

    /// A message about a model.
    ///
    /// - Parameter revision: the revision of the model.
    public init(_ model: TimerModel, revision: Int? = nil) {
        self.model = model
        self.revision = revision
    }

    /// Two messages are equal even if the selections of their models differ.
    public static func == (one: TimersMessage, other: TimersMessage) -> Bool {
        one.model.groups == other.model.groups && one.model.settings == other.model.settings
            && one.revision == other.revision
    }

    /// Hashes the model without its selection.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(model.groups)
        hasher.combine(model.settings)
        hasher.combine(revision)
    }
}

// MARK: - JSON

extension TimersMessage: MessagePayload {
    /// The topic that the message is published on.
    public static let kind = TopicKind.timers

    /// The model as a JSON object.
    public var bytes: [UInt8] {
        ModelPayload(model, revision: revision, selects: false).json(capacity: 1024)
    }

    /// Reads a JSON object in the same way as the node does for the command `timers`.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let payload = try ModelPayload.read(payload)
        self.init(payload.model, revision: payload.revision)
    }
}
