extension TimerModel: Codable {
    /// The version that is written; this and all earlier versions can be read.
    public static let version = 2

    private enum CodingKeys: CodingKey, CaseIterable { case version, settings, selected, groups }
    private enum Version1Keys: String, CodingKey, CaseIterable {
        case version, groups
        case selectedGroup = "selected_group"
        case selectedItem = "selected_item"
    }

    /// Writes the model with its version number.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Self.version, forKey: .version)
        try fields.encode(settings, forKey: .settings)
        try fields.encode(selected, forKey: .selected)
        try fields.encode(groups, forKey: .groups)
    }

    /// Reads a model of ``version`` or earlier.
    ///
    /// Only `groups` is required: the default version is the current one, the default selection the first timer.
    /// Version 1 had no settings, and stored the selection as two numbers from 0, `selected_group` and `selected_item`.
    ///
    /// - Throws: ``ModelError`` or ``TimerEngine/ThresholdsError`` for an invalid model, a `DecodingError` for a field
    ///   that is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let first = TimerPath(group: 0, item: 0)
        switch try fields.decodeIfPresent(Int.self, forKey: .version) ?? Self.version {
        case 1:
            try decoder.refuseFields(notIn: Version1Keys.allCases)
            let fields = try decoder.container(keyedBy: Version1Keys.self)
            try self.init(
                groups: try fields.decode([TimerGroup].self, forKey: .groups),
                selected: TimerPath(
                    group: try fields.decodeIfPresent(Int.self, forKey: .selectedGroup) ?? 0,
                    item: try fields.decodeIfPresent(Int.self, forKey: .selectedItem) ?? 0))
        case Self.version:
            try decoder.refuseFields(notIn: CodingKeys.allCases)
            try self.init(
                groups: try fields.decode([TimerGroup].self, forKey: .groups),
                selected: try fields.decodeIfPresent(TimerPath.self, forKey: .selected) ?? first,
                settings: try fields.decodeIfPresent(Settings.self, forKey: .settings) ?? Settings())
        case let version:
            throw ModelError.unknownVersion(version)
        }
    }
}

extension Decoder {
    /// Throws for an unknown field, such as a misspelt one, which decoding would ignore.
    func refuseFields(notIn known: [some CodingKey]) throws {
        let names = Set(known.map(\.stringValue))
        if let other = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
            .first(where: { !names.contains($0) })
        {
            throw ModelError.unknownField((codingPath.map(\.name) + [other]).joined(separator: "."))
        }
    }
}

extension CodingKey {
    /// The key for messages; an index, from 0, in brackets.
    fileprivate var name: String { intValue.map { "[\($0)]" } ?? stringValue }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
