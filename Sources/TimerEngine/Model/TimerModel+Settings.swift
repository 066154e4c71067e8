extension TimerModel {
    /// Settings of the whole model.
    public struct Settings: Hashable, Sendable {
        /// Whether a timer selected by next, previous or play starts at once; if not, it waits stopped.
        public var startTimerImmediately: Bool

        /// Creates the settings of a new model.
        public init(startTimerImmediately: Bool = true) {
            self.startTimerImmediately = startTimerImmediately
        }
    }
}

extension TimerModel.Settings: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case startTimerImmediately = "start_timer_immediately"
    }

    /// Reads settings; missing ones have the defaults of a new model.
    ///
    /// - Throws: ``ModelError/unknownField(_:)``, or a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseFields(notIn: CodingKeys.allCases)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            startTimerImmediately: try fields.decodeIfPresent(Bool.self, forKey: .startTimerImmediately) ?? true)
    }
}
