extension JSON {
    /// The value in UTF-8, without white space.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The value as text, without white space.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONWriter {
    mutating func value(_ json: JSON) {
        switch json {
        case .null: null()
        case .bool(let value): self.value(value)
        case .integer(let value): self.value(value)
        case .number(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let values): array(values) { $0.value($1) }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.key(JSONKey(member.key))
                    writer.value(member.value)
                }
            }
        }
    }
}
