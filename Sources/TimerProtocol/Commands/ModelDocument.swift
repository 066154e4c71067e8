public import TimerEngine

/// A model as the command `timers` has it: JSON, which the node checks when it carries out the command.
public struct ModelDocument: Hashable, Sendable {
    /// The fields of the model.
    package let json: JSON

    /// The JSON of a model, as a command or a topic has it. A topic's revision is left out, which is not the model's.
    package init(_ json: JSON) {
        guard case .object(let members) = json else {
            self.json = json
            return
        }
        self.json = .object(members.filter { $0.key != "model_revision" })
    }

    /// The JSON of a model.
    ///
    /// - Parameters:
    ///   - model: the groups, timers and settings.
    ///   - selects: whether the node selects what the model selects. Otherwise it keeps its own selection where the
    ///     selected timer is in the new model too.
    public init(_ model: TimerModel, selects: Bool = false) {
        // What is written of a model is JSON.
        json = (try? JSON(parsing: ModelPayload(model, selects: selects).json(capacity: 1024))) ?? .null
    }
}
