internal import TimerProtocol

/// How a value is written: what is expected, in words, and how it is read.
///
/// The words for what is expected stand here once. Faults and the reference take them from here.
package struct Schema<Value>: Sendable {
    /// What is expected, after "expected": `a duration …`.
    let expected: String
    let shape: SchemaShape
    /// Writes a value as it stands in a file; nil where no default is ever written.
    let format: (@Sendable (Value) -> String)?
    /// Reads a value that is there; returns nil after a fault was reported.
    package let read: @Sendable (YAMLNode) -> Value?

    init(
        expected: String, shape: SchemaShape, format: (@Sendable (Value) -> String)? = nil,
        read: @escaping @Sendable (YAMLNode) -> Value?
    ) {
        self.expected = expected
        self.shape = shape
        self.format = format
        self.read = read
    }

    /// The same for a property that is nil without a value.
    var orNil: Schema<Value?> {
        Schema<Value?>(expected: expected, shape: shape) { [read] node in read(node).map(Optional.some) }
    }
}

/// What is inside a value, as far as the reference and the environment need to know.
package enum SchemaShape: Sendable {
    /// One text.
    case scalar
    /// A list of texts.
    case scalars
    /// A mapping of these keys.
    case section([DeclaredKey])
    /// A list of such mappings.
    case sections([DeclaredKey])
    /// Free names, each with such a mapping; without keys, each with something else.
    case named([DeclaredKey])
}

// MARK: - Collections

extension Schema {
    /// A mapping of these keys.
    ///
    /// - Parameter build: reads the keys and makes the value of them; returns nil after a fault.
    static func section<Draft>(
        _ keys: Keys<Draft>, _ build: @escaping @Sendable (Section<Draft>) -> Value?
    ) -> Schema {
        let declared = keys.declared
        let expected = "a mapping with keys such as \(declared.prefix(2).map(\.name).joined(separator: " and "))"
        return Schema(expected: expected, shape: .section(declared)) { node in
            Section(node, keys: keys, expected: expected).flatMap(build)
        }
    }

    /// A mapping of these keys, which are all there is to the value.
    static func section(_ keys: Keys<Value>) -> Schema {
        section(keys) { $0.readAll() }
    }

    /// A list.
    ///
    /// - Parameters:
    ///   - element: the schema of each element.
    ///   - count: how many there may be.
    ///   - expected: the list in words.
    static func list<Element>(
        of element: Schema<Element>, count: ClosedRange<Int>, _ expected: String
    ) -> Schema where Value == [Element] {
        let shape: SchemaShape = if case .section(let keys) = element.shape { .sections(keys) } else { .scalars }
        return Schema(expected: expected, shape: shape) { node in
            guard case .sequence(let trees) = node.tree.content else {
                node.report(expected: expected)
                return nil
            }
            let values = trees.enumerated().map { element.read(node.element($0.offset + 1, $0.element)) }
            guard count.contains(trees.count) else {
                let found = trees.isEmpty ? "an empty list" : "a list of \(trees.count)"
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
                    entry.node.context.report(
                        .unexpected(found: entry.nameTree.found, expected: Identifier.expected), origin: entry.origin,
                        key: entry.node.path)
                    return nil
                }
                return element.read(entry.node).map { (name: entry.name, value: $0) }
            }
        }
    }
}
