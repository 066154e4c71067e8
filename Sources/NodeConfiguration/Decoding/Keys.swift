/// The keys of a section in the order of the reference, each declared once.
///
/// A section is read into a draft, which begins as a copy of the prototype. So the initial values of the prototype are
/// the defaults of the keys.
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

/// A key of a section: its name, the property it is read into, its schema, and what it is for.
struct Key<Draft>: Sendable {
    let name: String
    let path: any PartialKeyPath<Draft> & Sendable
    let expected: String
    let shape: SchemaShape
    let isRequired: Bool
    /// Whether the reference has it, and it has a variable. Any other key is read so that it is no fault.
    private(set) var isListed = true
    /// What holds without the key, for the reference.
    let absence: @Sendable (_ prototype: Draft) -> String
    let about: String
    /// Reads a value into the draft; returns false after a fault was reported.
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
    /// The same key, which the reference does not have.
    var unlisted: Key {
        var key = self
        key.isListed = false
        return key
    }

    /// A key that must be there.
    static func required<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>, _ about: String
    ) -> Key {
        Key(name, path, schema, isRequired: true, absence: { _ in "required" }, about)
    }

    /// A key that must be there, and whose property is nil until it is read.
    static func required<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value?> & Sendable, _ schema: Schema<Value>, _ about: String
    ) -> Key {
        required(name, path, schema.orNil, about)
    }

    /// A key whose default is the prototype's value.
    static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>, _ about: String
    ) -> Key {
        guard let format = schema.format else { preconditionFailure("the default of \(name) cannot be written") }
        return Key(name, path, schema, absence: { "`\(format($0[keyPath: path]))`" }, about)
    }

    /// A key whose default is the prototype's value, said in words.
    static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value> & Sendable, _ schema: Schema<Value>,
        absent meaning: String, _ about: String
    ) -> Key {
        Key(name, path, schema, absence: { _ in meaning }, about)
    }

    /// A key whose property is nil without it; `meaning` says what that means.
    static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Draft, Value?> & Sendable, _ schema: Schema<Value>,
        absent meaning: String, _ about: String
    ) -> Key {
        optional(name, path, schema.orNil, absent: meaning, about)
    }
}

/// A key as the reference and the environment see it.
package struct DeclaredKey: Sendable {
    let name: String
    /// What its value may be, in words.
    let expected: String
    let shape: SchemaShape
    /// What holds without it: its default, or words.
    let absence: String
    /// What it is for, in one or two sentences.
    let about: String
}
