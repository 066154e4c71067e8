extension TimerModel {
    /// What goes for the whole model.
    public struct Settings: Hashable, Sendable {
        /// Whether a timer that is selected by next, previous or play starts at once; else it waits stopped.
        public var startTimerImmediately: Bool

        /// The settings of a new model.
        public init(startTimerImmediately: Bool = true) {
            self.startTimerImmediately = startTimerImmediately
        }
    }
}

extension TimerModel.Settings: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case startTimerImmediately = "start_timer_immediately"
    }

    /// Reads settings; what is missing is as in a new model.
    ///
    /// - Throws: ``ModelError/unknownField(_:)``, or a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseFields(notIn: CodingKeys.allCases)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            startTimerImmediately: try fields.decodeIfPresent(Bool.self, forKey: .startTimerImmediately) ?? true)
    }
}
