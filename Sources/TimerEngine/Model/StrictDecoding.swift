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
