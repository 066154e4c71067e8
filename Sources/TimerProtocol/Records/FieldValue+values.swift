package import FoundationEssentials
package import TimerEngine

// The types that the value of a field may have. Numbers conform to ``FieldNumber``.

extension ScalarValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var expected: String { allCases.map(\.rawValue).alternatives }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(rawValue: text)
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(rawValue) }

    package static func schema(_ bounds: Void) -> JSON {
        ["type": "string", "enum": .array(allCases.map { .string($0.rawValue) })]
    }
}

extension ScalarValue where Self: LosslessStringConvertible {
    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(text)
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(description) }
}

extension ModeName: ScalarValue {}
extension OutputState: ScalarValue {}
extension LockLevel: ScalarValue {}
extension TimerGroup.Display: ScalarValue {}
extension TimerGroup.Alarm: ScalarValue {}
extension TimerGroup.AtZero: ScalarValue {}
extension Refusal.Code: ScalarValue {}

extension Bool: ScalarValue {
    package static var expected: String { "true or false" }

    package init?(field: JSON) {
        guard case .bool(let value) = field else { return nil }
        self = value
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(self) }
    package static func schema(_ bounds: Void) -> JSON { ["type": "boolean"] }
    package var isOmitted: Bool { !self }
}

extension Date: ScalarValue {
    package static var expected: String { "an RFC 3339 date such as 2026-11-20T12:00:00Z" }

    package init?(field: JSON) {
        guard case .string(let text) = field, let date = Timestamp.date(text) else { return nil }
        self = date
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(self) }
    package static func schema(_ bounds: Void) -> JSON { ["type": "string", "format": "date-time"] }

    /// The placeholder for a date that has not been read yet.
    package static let unread = Date(timeIntervalSince1970: 0)
}

extension UUID: ScalarValue {
    package static var expected: String { "a UUID such as 74696d65-722d-8e6f-8064-650000000101" }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(uuidString: text)
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(self) }
    package static func schema(_ bounds: Void) -> JSON { ["type": "string", "format": "uuid"] }

    /// The placeholder for an id that has not been read yet.
    package static let unread = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension TimerPath: ScalarValue {
    package static var expected: String { "a path such as 2/1" }

    package init?(field: JSON) {
        guard case .string(let text) = field, let path = TimerPath(text),
            ClosedRange.places.contains(path.group + 1), ClosedRange.places.contains(path.item + 1)
        else { return nil }
        self = path
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(self) }
    package static func schema(_ bounds: Void) -> JSON {
        ["type": "string", "pattern": "^[1-9][0-9]{0,5}/[1-9][0-9]{0,5}$"]
    }

    /// The placeholder for a path that has not been read yet.
    static let unread = TimerPath(group: 0, item: 0)
}

extension String: FieldValue {
    package static func read(_ value: PayloadValue, _ kind: TextKind) throws(Refusal) -> String {
        guard case .string(let text) = value.json else { throw value.refusal(expected: kind.expected) }
        if let violation = kind.violation(in: text) { throw value.refusal(found: violation, expected: kind.expected) }
        return text
    }

    package func write(to writer: inout JSONWriter, _ kind: TextKind) { writer.value(self) }
    package static func schema(_ kind: TextKind) -> JSON { ["type": "string", "description": .string(kind.expected)] }
    package var isOmitted: Bool { isEmpty }
}

extension Optional: FieldValue where Wrapped: FieldValue {
    package static func read(_ value: PayloadValue, _ bounds: Wrapped.Bounds) throws(Refusal) -> Wrapped? {
        value.json == .null ? nil : try Wrapped.read(value, bounds)
    }

    @inline(__always)
    package func write(to writer: inout JSONWriter, _ bounds: Wrapped.Bounds) {
        if let self { self.write(to: &writer, bounds) } else { writer.null() }
    }

    package static func schema(_ bounds: Wrapped.Bounds) -> JSON { Wrapped.schema(bounds).orNull }
    package var isOmitted: Bool { self == nil }
}

// MARK: - Lists

/// The values that a list may contain.
package struct ListBounds<Bounds> {
    /// The bounds of each element.
    package let each: Bounds
    /// The permitted number of elements, and the noun for them; nil for any number.
    package let count: (range: ClosedRange<Int>, noun: String)?
    /// The description of such a list in messages.
    package let expected: String

    package init(
        _ each: Bounds, count: (range: ClosedRange<Int>, noun: String)? = nil, expected: String = "an array"
    ) {
        self.each = each
        self.count = count
        self.expected = expected
    }
}

extension Array: FieldValue where Element: FieldValue {
    package static func read(_ value: PayloadValue, _ bounds: ListBounds<Element.Bounds>) throws(Refusal) -> [Element] {
        let values = try value.elements(expected: bounds.expected)
        if let (range, noun) = bounds.count, !range.contains(values.count) {
            let least =
                range.lowerBound > 0
                ? "\(range.lowerBound) to \(range.upperBound) of them" : "at most \(range.upperBound)"
            throw value.refusal(found: "\(values.count) \(noun)", expected: least)
        }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values { elements.append(try Element.read(value, bounds.each)) }
        return elements
    }

    package func write(to writer: inout JSONWriter, _ bounds: ListBounds<Element.Bounds>) {
        writer.array(self) { $1.write(to: &$0, bounds.each) }
    }

    package static func schema(_ bounds: ListBounds<Element.Bounds>) -> JSON {
        var members: [JSON.Member] = [
            .init(key: "type", value: "array"), .init(key: "items", value: Element.schema(bounds.each)),
        ]
        if let (range, _) = bounds.count {
            members.append(.init(key: "minItems", value: .integer(range.lowerBound)))
            members.append(.init(key: "maxItems", value: .integer(range.upperBound)))
        }
        return .object(members)
    }
    package var isOmitted: Bool { isEmpty }
}

// MARK: - Values by names

/// The values in an object whose keys are names.
package struct MapBounds<Bounds> {
    /// The bounds of each value.
    package let each: Bounds
    /// Whether the names must be valid output names; otherwise any names are allowed.
    package let isOfOutputs: Bool

    /// Output values, by output name.
    package static func outputs(_ each: Bounds) -> Self { Self(each: each, isOfOutputs: true) }
    /// Values with any names.
    package static func any(_ each: Bounds) -> Self { Self(each: each, isOfOutputs: false) }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
    package static func read(
        _ value: PayloadValue, _ bounds: MapBounds<Value.Bounds>
    ) throws(Refusal) -> [String: Value] {
        var fields = try value.fields()
        var values: [String: Value] = [:]
        for name in bounds.isOfOutputs ? try OutputStates.names(fields) : fields.names {
            guard let json = fields.remove(name) else { throw fields.missing(name) }
            values[name] = try Value.read(PayloadValue(json, name, of: fields), bounds.each)
        }
        return values
    }

    package func write(to writer: inout JSONWriter, _ bounds: MapBounds<Value.Bounds>) {
        writer.object { writer in
            for (name, value) in sorted(by: { $0.key < $1.key }) {
                writer.key(escaping: name)
                value.write(to: &writer, bounds.each)
            }
        }
    }

    package static func schema(_ bounds: MapBounds<Value.Bounds>) -> JSON {
        ["type": "object", "additionalProperties": Value.schema(bounds.each)]
    }
    package var isOmitted: Bool { isEmpty }
}
