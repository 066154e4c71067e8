internal import TimerEngine

/// What the `timers` topic says: the model without the selection, which the state tells.
struct TimersReport: Hashable, Sendable {
    private let model: TimerModel

    init(_ model: TimerModel) { self.model = model }

    /// Two models are told alike where they differ in their selection alone.
    static func == (one: TimersReport, other: TimersReport) -> Bool {
        one.model.groups == other.model.groups && one.model.settings == other.model.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(model.groups)
        hasher.combine(model.settings)
    }

    /// The payload.
    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.model(model, withSelection: false)
        return writer.bytes
    }
}
