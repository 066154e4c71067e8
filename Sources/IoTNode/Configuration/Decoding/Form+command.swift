extension Schema<BoundCommand> {
    /// A verb, with an argument where it takes one: what a button or a remote does.
    static var command: Schema {
        let expected = "a command such as toggle, next, start 2/1 or add +60"
        return Schema(expected: expected, shape: .scalar) { node in
            guard let text = node.tree.text else {
                node.report(expected: expected)
                return nil
            }
            do throws(Refusal) {
                let command = try BoundCommand(text)
                node.context.commands.append((command, node))
                return command
            } catch {
                guard error.code == .unknownCommand else {
                    node.report(.other(error.message))
                    return nil
                }
                let verb = text.split(separator: " ").first.map(String.init) ?? ""
                let hint = nearest(to: verb, in: Verb.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
                node.report(expected: expected + hint)
                return nil
            }
        }
    }
}
