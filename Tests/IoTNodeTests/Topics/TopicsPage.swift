import TestSupport

@testable import TimerProtocol

extension Page {
    /// `docs/topics.md`.
    static func topics() throws -> Page { try Page("docs/topics.md") }

    /// The JSON values of a section.
    func values(_ heading: String) throws -> [JSON] {
        try examples(heading).map { try JSON(parsing: Array($0.utf8)) }
    }
}

extension JSON {
    /// Returns the keys of an object and of its nested objects in order, each with the kind of its value; null counts
    /// as any kind.
    var shape: [String] {
        guard case .object(let members) = self else { return [] }
        return members.flatMap { member in
            ["\(member.key): \(member.value.name)"] + member.value.shape.map { "\(member.key).\($0)" }
        }
    }

    private var name: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
