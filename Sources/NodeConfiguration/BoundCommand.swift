package import TimerProtocol

/// The command of a button or a remote: a verb, and an argument if it takes one, as in `toggle`, `start 2/1` or
/// `add +60`.
package struct BoundCommand: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    package let command: Command

    /// Reads a command: the verb, then what would be the payload of its topic.
    package init(_ text: String) throws(Refusal) {
        let parts = text.split(separator: " ", maxSplits: 1)
        var parser = RequestParser()
        command = try parser.request(
            verb: parts.first.map(String.init) ?? "", scope: .node, payload: Array((parts.dropFirst().first ?? "").utf8)
        ).command
        description = text
    }
}
