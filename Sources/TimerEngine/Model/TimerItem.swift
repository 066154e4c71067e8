#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A timer of a model: its times and its names.
public struct TimerItem: Hashable, Sendable, Identifiable {
    /// The identity, which moves and edits do not change.
    public let id: UUID
    /// The display name.
    public var name: String
    /// The starting, warning and final time.
    public var thresholds: TimerEngine.Thresholds
    /// How long a run has to take to qualify.
    public var qualifying: QualifyingTime
    /// What is timed: a session, a talk.
    public var event: String?
    /// Where it takes place.
    public var location: String?

    /// Creates a timer; the default times are 0/0/0, which cannot run.
    public init(
        id: UUID = UUID(), name: String = "", thresholds: TimerEngine.Thresholds = .zero,
        qualifying: QualifyingTime = .none, event: String? = nil, location: String? = nil
    ) {
        self.id = id
        self.name = name
        self.thresholds = thresholds
        self.qualifying = qualifying
        self.event = event
        self.location = location
    }

    /// The same timer under another id, by default a new one.
    public func identified(by id: UUID = UUID()) -> TimerItem {
        TimerItem(
            id: id, name: name, thresholds: thresholds, qualifying: qualifying, event: event, location: location)
    }
}

extension TimerItem: Codable {
    private enum CodingKeys: CodingKey, CaseIterable {
        case id, name, start, warning, final, minimum, maximum, event, location
    }

    /// Writes the timer as one flat object, with times in seconds and the id in lower case.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id.uuidString.lowercased(), forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(thresholds.start, forKey: .start)
        try fields.encode(thresholds.warning, forKey: .warning)
        try fields.encode(thresholds.final, forKey: .final)
        try fields.encodeIfPresent(qualifying.minimum, forKey: .minimum)
        try fields.encodeIfPresent(qualifying.maximum, forKey: .maximum)
        try fields.encodeIfPresent(event, forKey: .event)
        try fields.encodeIfPresent(location, forKey: .location)
    }

    /// Reads a timer; only `start` is required, and a missing id is generated.
    ///
    /// - Throws: ``TimerEngine/ThresholdsError`` or ``QualifyingTimeError`` if the times are not valid together,
    ///   ``ModelError/unknownField(_:)``, or a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseFields(notIn: CodingKeys.allCases)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decodeIfPresent(UUID.self, forKey: .id) ?? UUID(),
            name: try fields.decodeIfPresent(String.self, forKey: .name) ?? "",
            thresholds: try TimerEngine.Thresholds(from: decoder),
            qualifying: try QualifyingTime(
                minimum: try fields.decodeIfPresent(Int.self, forKey: .minimum),
                maximum: try fields.decodeIfPresent(Int.self, forKey: .maximum)),
            event: try fields.decodeIfPresent(String.self, forKey: .event),
            location: try fields.decodeIfPresent(String.self, forKey: .location))
    }
}
