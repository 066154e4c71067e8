internal import TimerProtocol

/// A mapping of known keys, being read.
///
/// Unknown and duplicate keys are reported when it is made; ``read(_:)`` reports what is missing or of another form
/// and goes on, so that one reading finds all faults.
struct Section {
    private let node: YAMLNode
    private let values: [String: YAMLTree]

    /// Takes a mapping apart; what is null counts as an empty one.
    ///
    /// - Returns: nil, after a fault, where the item is no mapping.
    init?(_ node: YAMLNode, keys: [any DeclaredKey], expected: String) {
        guard let entries = node.entries(expected: expected) else { return nil }
        let known = keys.map(\.name)
        self.node = node
        values = Dictionary(entries.map { ($0.name, $0.node.tree) }) { first, _ in first }
        for entry in entries where !known.contains(entry.name) {
            node.context.report(
                .unknown(nearest: nearest(to: entry.name, in: known), known: known), origin: entry.origin,
                key: entry.node.path)
        }
    }

    /// The reading this belongs to.
    var context: DecodingContext { node.context }

    /// What is written for a key; nil where it is missing or null.
    func node<Value>(_ key: Key<Value>) -> YAMLNode? {
        guard let tree = values[key.name], !tree.isNull || key.shape.isSection else { return nil }
        return node.child(key.name, tree)
    }

    /// The value of a key, or its default; nil where there is neither, and after a fault.
    func read<Value>(_ key: Key<Value>) -> Value? {
        if let written = node(key) { return key.schema.read(written) }
        let origin = values[key.name]?.origin ?? node.tree.origin
        switch key.presence {
        case .required:
            report(.unexpected(found: "nothing", expected: key.expected), at: key, origin: origin)
            return nil
        case .written(let text):
            return key.schema.read(
                node.child(key.name, YAMLTree(content: .scalar(text, plain: true), origin: origin)))
        case .optional:
            return nil
        }
    }

    /// Puts the value of a key, or its default, where it belongs; without one nothing changes.
    func read<Value>(_ key: Key<Value>, into target: inout Value) {
        if let value = read(key) { target = value }
    }

    /// Reports a problem at a key, or where its section begins when it is missing.
    func report<Value>(
        _ problem: ConfigurationFault.Problem, at key: Key<Value>, severity: ConfigurationFault.Severity = .fault
    ) {
        report(problem, severity: severity, at: key, origin: values[key.name]?.origin ?? node.tree.origin)
    }

    private func report<Value>(
        _ problem: ConfigurationFault.Problem, severity: ConfigurationFault.Severity = .fault, at key: Key<Value>,
        origin: ConfigurationFault.Origin
    ) {
        node.child(key.name, YAMLTree(content: .sequence([]), origin: origin)).report(problem, severity: severity)
    }
}

extension SchemaShape {
    /// Whether nothing at all is a value: a section whose keys are all missing.
    fileprivate var isSection: Bool {
        if case .section = self { true } else { false }
    }
}

extension YAMLNode {
    /// The entries of a mapping, each name once; duplicates and names that are no text are reported.
    ///
    /// - Returns: nil, after a fault, where this is neither a mapping nor null.
    func entries(expected: String) -> [(name: String, origin: ConfigurationFault.Origin, node: YAMLNode)]? {
        guard case .mapping(let entries) = tree.content else {
            if tree.isNull { return [] }
            report(.unexpected(found: mayHoldSecret && tree.text != nil ? "a text" : tree.found, expected: expected))
            return nil
        }
        var seen: [String: ConfigurationFault.Origin] = [:]
        return entries.compactMap { entry in
            guard case .scalar(let name, let plain) = entry.key.content, !name.isEmpty || !plain else {
                child("?", entry.key).report(expected: "a key, which is a text")
                return nil
            }
            if let first = seen.updateValue(entry.key.origin, forKey: name) {
                seen[name] = first
                child(name, entry.key).report(.duplicate(of: first))
                return nil
            }
            return (name, entry.key.origin, child(name, entry.value))
        }
    }
}
