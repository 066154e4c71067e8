import Foundation

/// `timer-node init` in a terminal, with answers to its questions.
final class InitDialogue {
    /// The program.
    let process: ChildProcess
    private let terminal: PseudoTerminal
    /// The length of the terminal's text when the last answer was typed.
    private var answered = 0

    init(_ arguments: String...) throws {
        terminal = try PseudoTerminal()
        process = try terminal.start([try SpawnedNode.program, "init"] + arguments)
    }

    /// Waits for a question, and types an answer with Enter, or a key such as `\u{3}` for Ctrl-C.
    func answer(_ question: String, _ text: String) throws {
        try waitFor(question) { $0.contains(question) && $0.hasSuffix("]: ") }
        answered = terminal.text.count
        terminal.type(text.contains { $0 < " " } ? text : text + "\n")
    }

    /// Waits for text after the last answer.
    func expect(_ text: String) throws { try waitFor(text) { $0.contains(text) } }

    /// Waits for the program to exit.
    func waitForExit() throws -> ChildProcess.ExitStatus { try process.waitForExit() }

    /// The text that the terminal has shown.
    var text: String { terminal.text.replacing("\r\n", with: "\n") }

    private func waitFor(_ what: String, _ condition: (String) -> Bool) throws {
        do {
            try waitUntil("“\(what)”") { condition(String(terminal.text.dropFirst(answered))) }
        } catch {
            throw TestFailure("\(error) in:\n\(text)")
        }
    }
}
