/// A key of the configuration, declared once: its name, its form, what holds without it, and what it is for.
struct Key<Value>: DeclaredKey {
    let name: String
    let schema: Schema<Value>
    let presence: Presence
    let about: String

    var expected: String { schema.expected }
    var shape: SchemaShape { schema.shape }

    /// A key that must be there.
    init(_ name: String, _ schema: Schema<Value>, _ about: String) {
        self.init(name: name, schema: schema, presence: .required, about: about)
    }

    /// A key with a default, written as in the file.
    init(_ name: String, _ schema: Schema<Value>, default text: String, _ about: String) {
        self.init(name: name, schema: schema, presence: .written(text), about: about)
    }

    /// A key that may be missing; `meaning` says what that means.
    init(_ name: String, _ schema: Schema<Value>, absent meaning: String, _ about: String) {
        self.init(name: name, schema: schema, presence: .optional(meaning), about: about)
    }

    private init(name: String, schema: Schema<Value>, presence: Presence, about: String) {
        self.name = name
        self.schema = schema
        self.presence = presence
        self.about = about
    }
}

/// A key, whatever its value is.
protocol DeclaredKey: Sendable {
    /// The key as it is written.
    var name: String { get }
    /// What its value may be, in words.
    var expected: String { get }
    /// What its value looks like.
    var shape: SchemaShape { get }
    /// What holds without it.
    var presence: Presence { get }
    /// What it is for, in one or two sentences.
    var about: String { get }
}

/// What holds where a key is missing.
enum Presence: Hashable, Sendable {
    /// It must be there.
    case required
    /// The default as it would be written.
    case written(String)
    /// What its absence means, in words.
    case optional(String)
}
