import FoundationEssentials
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

/// `docs/topics.md`, by its headings.
struct TopicsPage {
    private let text: String

    init() throws { text = try String(contentsOfFile: repositoryFile("docs/topics.md"), encoding: .utf8) }

    /// What stands under a heading, up to the next one.
    func section(_ heading: String) throws -> Substring {
        let begin = try #require(text.firstRange(of: "\n\(heading)\n"), "there is no \(heading)").upperBound
        return text[begin...].prefix(upTo: text[begin...].firstRange(of: "\n#")?.lowerBound ?? text.endIndex)
    }

    /// The rows of a section's table, without its head, each by its cells as they are written.
    func table(_ heading: String) throws -> [[String]] {
        try section(heading).split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { PayloadContent.trimmed(String($0)) }
        }
    }

    /// The JSON texts of a section, each of which begins a line.
    func examples(_ heading: String) throws -> [JSON] {
        var texts: [String] = []
        var isInBlock = false
        for line in try section(heading).split(separator: "\n") {
            if line.hasPrefix("```") {
                isInBlock.toggle()
            } else if isInBlock, line.hasPrefix("{") {
                texts.append(String(line))
            } else if isInBlock {
                texts[texts.count - 1] += line
            }
        }
        return try texts.map { try JSON(parsing: Array($0.utf8)) }
    }
}

extension String {
    /// What stands between back-ticks.
    var code: [String] {
        split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }
}

extension JSON {
    /// The keys of an object and of those within, in order, each with the kind of its value; null may be any.
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
