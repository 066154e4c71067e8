import FoundationEssentials

/// A documentation page, accessed by its headings.
package struct Page {
    /// An error that says how a page differs from the expected content.
    package struct Fault: Error {
        package let description: String
    }

    private let text: String

    /// Reads a page in this repository, such as `docs/topics.md`.
    package init(_ path: String) throws { text = try String(contentsOfFile: repositoryFile(path), encoding: .utf8) }

    /// All lines.
    package var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the text below a heading, up to the next one.
    package func section(_ heading: String) throws(Fault) -> Substring {
        guard let begin = text.firstRange(of: "\n\(heading)\n")?.upperBound else {
            throw Fault(description: "there is no \(heading)")
        }
        return text[begin...].prefix(upTo: text[begin...].firstRange(of: "\n#")?.lowerBound ?? text.endIndex)
    }

    /// The headings that have examples, in order.
    package var headingsWithExamples: [String] {
        var headings: [String] = []
        var last = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") { last = String(line) }
            if line.hasPrefix("```"), headings.last != last { headings.append(last) }
        }
        return headings
    }

    /// Returns the rows of a section's table without the header, each as the text of its cells.
    package func table(_ heading: String) throws(Fault) -> [[String]] {
        try section(heading).split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
                cell.split(separator: " ").joined(separator: " ")
            }
        }
    }

    /// Returns the code blocks in a section.
    package func blocks(_ heading: String) throws(Fault) -> [String] {
        try section(heading).split(separator: "\n```", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { block in
                let lines = block.element.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
                return lines.map { "\($0)\n" }.joined()
            }
    }

    /// Returns the JSON examples in a section. Each example begins at the start of a line; a continuation line begins
    /// with a space, which is dropped.
    package func examples(_ heading: String) throws(Fault) -> [String] {
        var texts: [String] = []
        var isInBlock = false
        for line in try section(heading).split(separator: "\n") {
            if line.hasPrefix("```") {
                isInBlock.toggle()
            } else if isInBlock, line.hasPrefix("{") {
                texts.append(String(line))
            } else if isInBlock {
                guard !texts.isEmpty, line.hasPrefix(" ") else {
                    throw Fault(description: "\(line) does not belong to a JSON text")
                }
                texts[texts.count - 1] += line.dropFirst()
            }
        }
        return texts
    }
}

extension String {
    /// The substrings between backticks.
    package var code: [String] {
        split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }
}
