public import TimerEngine

/// The payload of the `timers` topic: the model without its selection, which the state tells.
public struct TimersMessage: Hashable, Sendable {
    /// The groups, timers and settings.
    ///
    /// The selection means nothing: in a message that was read, the first timer is selected.
    public let model: TimerModel
    /// Grows with each change of the model, and survives restarts; nil from a node that does not tell it.
    public let revision: Int?

    /// A message about a model.
    ///
    /// - Parameter revision: which change of the model this is.
    public init(_ model: TimerModel, revision: Int? = nil) {
        self.model = model
        self.revision = revision
    }

    /// Two models are told alike where they differ in their selection alone.
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
    /// The topic that it is published on.
    public static let kind = TopicKind.timers

    /// The model as a JSON object.
    public var bytes: [UInt8] {
        ModelPayload(model, revision: revision, selects: false).json(capacity: 1024)
    }

    /// Reads a JSON object, as the node does for the command `timers`.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let payload = try ModelPayload.read(payload)
        self.init(payload.model, revision: payload.revision)
    }
}
