extension Form<BoundCommand> {
    /// A verb, with an argument where it takes one: what a button or a remote does.
    static var command: Form {
        let expected = "a command such as toggle, next, start 2/1 or add +60"
        return Form(expected: expected, shape: .scalar) { item in
            guard let text = item.node.text else {
                item.report(expected: expected)
                return nil
            }
            do throws(Refusal) {
                let command = try BoundCommand(text)
                item.reading.commands.append((command, item))
                return command
            } catch {
                guard error.code == .unknownCommand else {
                    item.report(.other(error.message))
                    return nil
                }
                let verb = text.split(separator: " ").first.map(String.init) ?? ""
                let hint = nearest(to: verb, in: Verb.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
                item.report(expected: expected + hint)
                return nil
            }
        }
    }
}
