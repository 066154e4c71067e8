@testable import TimerProtocol

extension JSON {
    /// The paths of all object members, such as `groups[1].timers[1].id`.
    var fields: [String] {
        switch self {
        case .object(let members):
            members.flatMap { member in
                [member.key] + member.value.fields.map { member.key + ($0.hasPrefix("[") ? $0 : ".\($0)") }
            }
        case .array(let elements):
            elements.enumerated().flatMap { place, element in element.fields.map { "[\(place + 1)].\($0)" } }
        default: []
        }
    }

    /// The value of the member at a path.
    func value(at field: String) -> JSON? {
        var value: JSON?
        visit(field) {
            value = $0
            return $0
        }
        return value
    }

    /// The value with the member at a path replaced; nil removes the member.
    func replacing(_ field: String, with other: JSON?) -> JSON { visit(field) { _ in other } ?? .null }

    /// The value with the member at a path replaced by the result of `body`.
    @discardableResult
    private func visit(_ field: String, _ body: (JSON) -> JSON?) -> JSON? {
        func step(_ key: String, _ value: JSON) -> JSON? {
            if field == key { return body(value) }
            guard field.hasPrefix(key) else { return value }
            let rest = field.dropFirst(key.count)
            guard rest.hasPrefix(".") || rest.hasPrefix("[") else { return value }
            return value.visit(String(rest.hasPrefix(".") ? rest.dropFirst() : rest), body)
        }
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { member in step(member.key, member.value).map { Member(key: member.key, value: $0) }
                })
        case .array(let elements):
            return .array(elements.enumerated().compactMap { step("[\($0 + 1)]", $1) })
        default: return self
        }
    }
}
