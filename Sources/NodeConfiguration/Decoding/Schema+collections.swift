extension Schema {
    /// A mapping of these keys.
    static func section(
        _ keys: [any DeclaredKey], _ build: @escaping @Sendable (Section) -> Value?
    ) -> Schema {
        let expected = "a mapping with keys such as \(keys.prefix(2).map(\.name).joined(separator: " and "))"
        return Schema(expected: expected, shape: .section(keys)) { node in
            Section(node, keys: keys, expected: expected).flatMap(build)
        }
    }

    /// A list.
    ///
    /// - Parameters:
    ///   - element: the form of each element.
    ///   - count: how many there may be.
    ///   - expected: the list in words.
    /// - Returns: the form of such a list.
    static func list<Element>(
        of element: Schema<Element>, count: ClosedRange<Int>, _ expected: String
    ) -> Schema where Value == [Element] {
        let shape: SchemaShape = if case .section(let keys) = element.shape { .sections(keys) } else { .scalars }
        return Schema(expected: expected, shape: shape) { node in
            guard case .sequence(let nodes) = node.tree.content else {
                node.report(expected: expected)
                return nil
            }
            let values = nodes.enumerated().map { element.read(node.element($0.offset + 1, $0.element)) }
            guard count.contains(nodes.count) else {
                let found = nodes.isEmpty ? "an empty list" : "a list of \(nodes.count)"
                node.report(.unexpected(found: found, expected: expected))
                return nil
            }
            let read = values.compactMap(\.self)
            return read.count == values.count ? read : nil
        }
    }

    /// A mapping of free names, which are ids, in the order they are written.
    static func named<Element>(
        _ element: Schema<Element>, _ expected: String
    ) -> Schema where Value == [(name: String, value: Element)] {
        let shape: SchemaShape = if case .section(let keys) = element.shape { .named(keys) } else { .named([]) }
        return Schema(expected: expected, shape: shape) { node in
            node.entries(expected: expected)?.compactMap { entry in
                guard Identifier.isValid(entry.name) else {
                    let name = YAMLTree(content: .scalar(entry.name, plain: false), origin: entry.origin)
                    entry.node.context.report(
                        .unexpected(found: name.found, expected: Identifier.expected), origin: entry.origin,
                        key: entry.node.path)
                    return nil
                }
                return element.read(entry.node).map { (name: entry.name, value: $0) }
            }
        }
    }
}
