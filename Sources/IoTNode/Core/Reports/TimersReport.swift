internal import FoundationEssentials
internal import TimerEngine

/// What the `timers` topic says: the model without the selection, which the state tells.
struct TimersReport: Hashable, Sendable {
    private let groups: [TimerGroup]
    private let settings: TimerModel.Settings

    init(_ model: TimerModel) {
        groups = model.groups
        settings = model.settings
    }

    var json: JSON {
        guard let model = try? TimerModel(groups: groups, settings: settings),
            let bytes = try? JSONEncoder.canonical.encode(model),
            case .object(let members) = try? JSON(parsing: Array(bytes))
        else { return .null }
        return .object(members.filter { $0.key != "selected" })
    }
}

extension JSONEncoder {
    /// The same value gives the same bytes.
    static var canonical: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
