public import TimerEngine

/// The payload of the `timers` topic: the model without its selection, which the state tells.
public struct TimersMessage: Hashable, Sendable {
    /// The groups, timers and settings.
    ///
    /// The selection means nothing: in a message that was read, the first timer is selected.
    public let model: TimerModel

    /// A message about a model.
    public init(_ model: TimerModel) { self.model = model }

    /// Two models are told alike where they differ in their selection alone.
    public static func == (one: TimersMessage, other: TimersMessage) -> Bool {
        one.model.groups == other.model.groups && one.model.settings == other.model.settings
    }

    /// Hashes the model without its selection.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(model.groups)
        hasher.combine(model.settings)
    }
}

// MARK: - JSON

extension TimersMessage: MessagePayload {
    /// The model as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.model(model, withSelection: false)
        return writer.bytes
    }

    /// Reads a JSON object, as the node does for the command `timers`.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self.init(
            try PayloadFields.read(payload) { (fields) throws(Refusal) in
                try ModelPayload(fields, patterns: EmptyCollection?.none).model
            })
    }
}
