import Foundation
import TestSupport
import Testing

@testable import TimerProtocol

/// The tables of fields in docs/topics.md are generated from the records: `make docs-tables` writes them, and this
/// compares them.
@Suite("A table of fields in docs/topics.md")
struct FieldTableTests {
    // They write the same file.
    @Test("matches its record", .serialized, arguments: TopicKind.allCases.filter { $0.schema != nil })
    func table(kind: TopicKind) throws {
        let heading = "### \(kind.rawValue.capitalized)"
        let schema = try #require(kind.schema)
        let file = repositoryFile("docs/topics.md")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let section = try #require(text.firstRange(of: "\n\(heading)\n"))
        let rest = section.upperBound..<text.endIndex
        let begin = try #require(text[rest].firstRange(of: "| Field | Value | Meaning |\n"), "\(heading) has no table")
        let end = text[begin.lowerBound...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
        let table = "| Field | Value | Meaning |\n|---|---|---|" + schema.rows(at: "").map { "\n\($0)" }.joined()
        if ProcessInfo.processInfo.environment["DOCS_TABLES"] == "write" {
            try text.replacingCharacters(in: begin.lowerBound..<end, with: table).write(
                toFile: file, atomically: true, encoding: .utf8)
        } else {
            #expect(String(text[begin.lowerBound..<end]) == table, "make docs-tables writes it")
        }
    }
}

extension TopicKind {
    /// The schema of the payload; nil if it is not JSON, or if docs/topics.md describes its fields in prose.
    fileprivate var schema: JSON? {
        switch self {
        case .state: StateMessage.schema(())
        case .runs: RunsMessage.schema(())
        case .message: ShownMessage.schema(())
        case .agenda: AgendaMessage.schema(())
        case .programme: ProgrammeMessage.schema(())
        case .health: HealthMessage.schema(())
        case .availability, .mode, .tick, .timers, .event, .response: nil
        }
    }
}

extension JSON {
    /// The table rows for the fields in an object's schema, including the fields of nested objects.
    fileprivate func rows(at place: String) -> [String] {
        // The rows for each output or mode.
        if let each = self["additionalProperties"] {
            return each["properties"] == nil ? [] : each.rows(at: "\(place)*.")
        }
        guard case .object(let properties)? = self["properties"] else { return [] }
        return properties.flatMap { property in
            let (key, schema) = (place + property.key, property.value)
            let about = schema["description"]?.string ?? ""
            let row = "| `\(key)` | \(schema.values) | \(about) |"
            return [row] + schema.rows(at: "\(key).") + (schema["items"]?.rows(at: "\(key)[].") ?? [])
        }
    }

    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The allowed values, in a few words.
    private var values: String {
        if case .array(let words)? = self["enum"] {
            return words.map { $0 == .null ? "null" : "`\($0.string ?? $0.text)`" }.joined(separator: ", ")
        }
        if case .array(let either)? = self["oneOf"] { return either.map(\.values).joined(separator: ", or ") }
        let types =
            if case .array(let types)? = self["type"] { types.compactMap(\.string) } else {
                [self["type"]?.string ?? ""]
            }
        return types.map { type in
            switch type {
            case "string":
                switch self["format"]?.string {
                case "date-time": "date"
                case "uuid": "UUID"
                default: "text"
                }
            case "integer": "whole number"
            case "boolean": "true or false"
            case "array": self["items"].map { "list: \($0.values)" } ?? "list"
            case "object": self["additionalProperties"].map { "by name: \($0.values)" } ?? type
            default: type
            }
        }.joined(separator: ", ")
    }
}
