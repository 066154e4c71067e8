/// The keys of a section in the order of the reference, each declared once.
///
/// A section is read into a draft, which begins as a copy of the prototype. So the prototype's values are the defaults
/// of the keys.
package struct Keys<Draft>: Sendable {
    let prototype: @Sendable () -> Draft
    let all: [Key<Draft>]

    init(prototype: @autoclosure @escaping @Sendable () -> Draft, _ all: [Key<Draft>]) {
        self.prototype = prototype
        self.all = all
    }

    init(prototype: @autoclosure @escaping @Sendable () -> Draft, _ all: Key<Draft>...) {
        self.init(prototype: prototype(), all)
    }

    /// The key that is read into a property.
    subscript(path: PartialKeyPath<Draft>) -> Key<Draft> {
        guard let key = all.first(where: { $0.path == path }) else {
            preconditionFailure("there is no key for this property")
        }
        return key
    }

    /// The name of the key that is read into a property.
    package func name(of path: PartialKeyPath<Draft>) -> String { self[path].name }

    var declared: [DeclaredKey] {
        let prototype = prototype()
        return all.filter(\.isListed).map { key in
            DeclaredKey(
                name: key.name, expected: key.expected, shape: key.shape, absence: key.absence(prototype),
                about: key.about)
        }
    }
}

/// A key of a section: its name, the property that it is read into, its schema and its description.
struct Key<Draft>: Sendable {
    let name: String
    let path: any PartialKeyPath<Draft> & Sendable
    let expected: String
    let shape: SchemaShape
    let isRequired: Bool
    /// Whether it has a row in the reference page and an environment variable. Any other key is accepted but not shown.
    private(set) var isListed = true
    /// The meaning of a missing key, for the reference page.
    let absence: @Sendable (_ prototype: Draft) -> String
    let about: String
    /// Reads a value into the draft; returns false after reporting a fault.
    let read: @Sendable (YAMLNode, inout Draft) -> Bool

    private init<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>,
        isRequired: Bool = false, absence: @escaping @Sendable (Draft) -> String, _ about: String
    ) {
        self.name = name
        self.path = path
        expected = schema.expected
        shape = schema.shape
        self.isRequired = isRequired
        self.absence = absence
        self.about = about
        read = { node, draft in
            guard let value = schema.read(node) else { return false }
            draft[keyPath: path] = value
            return true
        }
    }
}

extension Key {
    /// The same key, omitted from the reference page.
    var readHidden: Key {
        var key = self
        key.isListed = false
        return key
    }

    /// A key that must be present.
    static func required<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>, _ about: String
    ) -> Key {
        Key(name, path, schema, isRequired: true, absence: { _ in "required" }, about)
    }

    /// A key that must be present, and whose property is nil until it is read.
    static func required<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value?> & Sendable, _ schema: Schema<Value>, _ about: String
    ) -> Key {
        required(name, path, schema.orNil, about)
    }

    /// A key whose default is the prototype's value.
    static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>, _ about: String
    ) -> Key {
        guard let format = schema.format else { preconditionFailure("the default of \(name) cannot be formatted") }
        return Key(name, path, schema, absence: { "`\(format($0[keyPath: path]))`" }, about)
    }

    /// A key whose default is the prototype's value, described in words.
    static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>,
        absent meaning: String, _ about: String
    ) -> Key {
        Key(name, path, schema, absence: { _ in meaning }, about)
    }

    /// A key whose property is nil without it; `meaning` describes that case.
    static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value?> & Sendable, _ schema: Schema<Value>,
        absent meaning: String, _ about: String
    ) -> Key {
        optional(name, path, schema.orNil, absent: meaning, about)
    }
}

/// A key as the reference page and the environment use it.
package struct DeclaredKey: Sendable {
    let name: String
    /// The allowed values, in words.
    let expected: String
    let shape: SchemaShape
    /// The meaning of a missing key: the default value, or a description.
    let absence: String
    /// Its description, in one or two sentences.
    let about: String

    /// Its name and the names of the keys under it.
    var names: [String] {
        switch shape {
        case .scalar, .scalars: [name]
        case .section(let keys), .sections(let keys), .named(let keys): [name] + keys.flatMap(\.names)
        }
    }
}

/// A mapping that is being read into a draft by the keys declared for it.
///
/// Reading continues after a fault, to find all faults at once: the property of a faulty key keeps its default.
final class Section<Draft> {
    /// The values read so far.
    var draft: Draft
    private let keys: Keys<Draft>
    private let mapping: WrittenMapping
    /// The names of the keys that have been read.
    private var done: Set<String> = []
    private var faulty: Set<String> = []

    /// Splits a mapping into its keys, and reports unknown and duplicate ones. Null counts as an empty mapping.
    ///
    /// - Returns: nil, after a fault, if the node is neither a mapping nor null.
    init?(_ node: YAMLNode, keys: Keys<Draft>, expected: String) {
        guard let mapping = WrittenMapping(node, known: keys.all.map(\.name), expected: expected) else { return nil }
        self.mapping = mapping
        self.keys = keys
        draft = keys.prototype()
    }

    var context: DecodingContext { mapping.node.context }

    /// Reads all keys that have not yet been read, in the order of their declaration.
    ///
    /// - Parameter excluded: keys that are read later, or not at all.
    @discardableResult
    func readAll(except excluded: PartialKeyPath<Draft>...) -> Draft {
        for key in keys.all where !done.contains(key.name) && !excluded.contains(key.path) { read(key) }
        return draft
    }

    /// Reads these keys only.
    @discardableResult
    func read(_ paths: PartialKeyPath<Draft>...) -> Draft {
        for path in paths { read(keys[path]) }
        return draft
    }

    private func read(_ key: Key<Draft>) {
        done.insert(key.name)
        if let node = mapping.node(key.name, key.shape) {
            if !key.read(node, &draft) { faulty.insert(key.name) }
        } else if key.isRequired {
            mapping.report(.unexpected(found: "nothing", expected: key.expected), at: key.name)
            faulty.insert(key.name)
        }
    }

    /// Whether one of these keys has a value that could not be read, or is required and missing.
    func isFaulty(_ paths: PartialKeyPath<Draft>...) -> Bool {
        paths.contains { faulty.contains(name(of: $0)) }
    }

    func name(of path: PartialKeyPath<Draft>) -> String { keys[path].name }

    /// The node of a key; nil if the key is missing or null.
    func node(_ path: PartialKeyPath<Draft>) -> YAMLNode? {
        mapping.node(name(of: path), keys[path].shape)
    }

    /// Whether a key has a value in the file.
    func has(_ path: PartialKeyPath<Draft>) -> Bool { node(path) != nil }

    /// Reports a problem at a key, or at the beginning of the section if the key is missing.
    func report(
        _ problem: ConfigurationFault.Problem, at path: PartialKeyPath<Draft>,
        severity: ConfigurationFault.Severity = .fault
    ) {
        mapping.report(problem, at: name(of: path), severity: severity)
    }

    /// Reports a missing key that other keys make mandatory.
    func reportMissing(_ path: PartialKeyPath<Draft>) {
        report(.unexpected(found: "nothing", expected: keys[path].expected), at: path)
    }
}

/// The values of a mapping by the names of their keys.
private struct WrittenMapping {
    let node: YAMLNode
    private let values: [String: YAMLTree]

    init?(_ node: YAMLNode, known: [String], expected: String) {
        guard let entries = node.entries(expected: expected) else { return nil }
        self.node = node
        values = Dictionary(entries.map { ($0.name, $0.node.tree) }) { first, _ in first }
        for entry in entries where !known.contains(entry.name) { entry.reportUnknown(known: known) }
    }

    /// The value of a key; nil if it is missing or null. A section may be null: it then has no keys.
    func node(_ name: String, _ shape: SchemaShape) -> YAMLNode? {
        guard let tree = values[name] else { return nil }
        if tree.isNull {
            guard case .section = shape else { return nil }
        }
        return node.child(name, tree)
    }

    func report(
        _ problem: ConfigurationFault.Problem, at name: String, severity: ConfigurationFault.Severity = .fault
    ) {
        let origin = values[name]?.origin ?? node.tree.origin
        node.child(name, YAMLTree(content: .sequence([]), origin: origin)).report(problem, severity: severity)
    }
}
