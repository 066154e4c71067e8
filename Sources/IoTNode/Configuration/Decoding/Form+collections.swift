extension Form {
    /// A mapping of these keys.
    static func section(
        _ keys: [any DeclaredKey], _ build: @escaping @Sendable (Section) -> Value?
    ) -> Form {
        let expected = "a mapping with keys such as \(keys.prefix(2).map(\.name).joined(separator: " and "))"
        return Form(expected: expected, shape: .section(keys)) { item in
            Section(item, keys: keys, expected: expected).flatMap(build)
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
        of element: Form<Element>, count: ClosedRange<Int>, _ expected: String
    ) -> Form where Value == [Element] {
        let shape: FormShape = if case .section(let keys) = element.shape { .sections(keys) } else { .scalars }
        return Form(expected: expected, shape: shape) { item in
            guard case .sequence(let nodes) = item.node.content else {
                item.report(expected: expected)
                return nil
            }
            let values = nodes.enumerated().map { element.read(item.element($0.offset + 1, $0.element)) }
            guard count.contains(nodes.count) else {
                let found = nodes.isEmpty ? "an empty list" : "a list of \(nodes.count)"
                item.report(.unexpected(found: found, expected: expected))
                return nil
            }
            let read = values.compactMap(\.self)
            return read.count == values.count ? read : nil
        }
    }

    /// A mapping of free names, which are ids, in the order they are written.
    static func named<Element>(
        _ element: Form<Element>, _ expected: String
    ) -> Form where Value == [(name: String, value: Element)] {
        let shape: FormShape = if case .section(let keys) = element.shape { .named(keys) } else { .named([]) }
        return Form(expected: expected, shape: shape) { item in
            item.entries(expected: expected)?.compactMap { entry in
                guard Identifier.isValid(entry.name) else {
                    let name = YAMLNode(content: .scalar(entry.name, plain: false), origin: entry.origin)
                    entry.item.reading.report(
                        .unexpected(found: name.found, expected: Identifier.expected), origin: entry.origin,
                        key: entry.item.path)
                    return nil
                }
                return element.read(entry.item).map { (name: entry.name, value: $0) }
            }
        }
    }
}
