internal import FoundationEssentials
internal import TimerEngine

/// A value that a field of a payload may have. A number is a ``FieldNumber``, and a text has a ``TextKind``.
package protocol FieldValue {
    /// How a message describes the values that are expected.
    static var expected: String { get }

    /// Reads the value; nil for another kind of value and for one out of range.
    init?(field: JSON)
}

extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var expected: String { allCases.map(\.rawValue).alternatives }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(rawValue: text)
    }
}

extension ModeName: FieldValue {}
extension OutputState: FieldValue {}
extension TimerGroup.Display: FieldValue {}
extension TimerGroup.Alarm: FieldValue {}
extension TimerGroup.AtZero: FieldValue {}
extension Refusal.Code: FieldValue {}

extension Bool: FieldValue {
    package static var expected: String { "true or false" }

    package init?(field: JSON) {
        guard case .bool(let value) = field else { return nil }
        self = value
    }
}

extension Date: FieldValue {
    package static var expected: String { "a date as RFC 3339 has it, 2026-11-20T12:00:00Z" }

    package init?(field: JSON) {
        guard case .string(let text) = field, let date = Timestamp.date(text) else { return nil }
        self = date
    }
}

extension UUID: FieldValue {
    package static var expected: String { "a UUID such as 74696d65-722d-8e6f-8064-650000000101" }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(uuidString: text)
    }
}

extension TimerPath: FieldValue {
    package static var expected: String { "a path such as 2/1" }

    package init?(field: JSON) {
        guard case .string(let text) = field, let path = TimerPath(text),
            ClosedRange.places.contains(path.group + 1), ClosedRange.places.contains(path.item + 1)
        else { return nil }
        self = path
    }
}
