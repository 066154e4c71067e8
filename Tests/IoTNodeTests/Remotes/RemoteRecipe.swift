import FoundationEssentials
import NodeTestSupport
import TestSupport

@testable import IoTNode
@testable import TimerProtocol

/// A section of `docs/remotes.md`: the configuration it tells, and what its table says of each message.
struct RemoteRecipe {
    /// A row of the table.
    struct Row {
        let topic: String
        let payload: String
        /// The command; nil for nothing.
        let command: String?
    }

    let title: String
    /// The blocks of code by their language.
    var blocks: [(language: String, text: String)] = []
    var rows: [Row] = []

    /// The block that is a part of our configuration.
    var yaml: String { blocks.last { $0.text.hasPrefix("remotes:\n") }?.text ?? "" }

    /// All sections of the page, in order; what stands before the first is one too.
    static func all() throws -> [RemoteRecipe] {
        let page = try String(contentsOfFile: repositoryFile("docs/remotes.md"), encoding: .utf8)
        var recipes: [RemoteRecipe] = []
        var isInBlock = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInBlock.toggle()
                if isInBlock { recipes[recipes.count - 1].blocks.append((String(line.dropFirst(3)), "")) }
            } else if isInBlock {
                let blocks = recipes[recipes.count - 1].blocks.count
                recipes[recipes.count - 1].blocks[blocks - 1].text += line + "\n"
            } else if line.hasPrefix("#") {
                recipes.append(RemoteRecipe(title: String(line.drop { $0 == "#" || $0 == " " })))
            } else if line.hasPrefix("| `") {
                recipes[recipes.count - 1].rows.append(Row(line))
            }
        }
        return recipes
    }
}

extension RemoteRecipe.Row {
    /// A row as it is written: three cells, with code in back-ticks.
    fileprivate init(_ line: Substring) {
        let cells = line.split(separator: "|").map {
            $0.drop { $0 == " " }.split(separator: "`").first.map(String.init)
        }
        topic = cells[0] ?? ""
        payload = cells[1] ?? ""
        command = cells[2]?.hasPrefix("nothing") == true ? nil : cells[2]
    }
}
