internal import TimerProtocol

/// How a value is written: what is expected, in words, and the reading of it.
///
/// A form says what it expects once; the fault of a bad value, the reference of all keys and the reading come from it.
struct Schema<Value>: Sendable {
    /// What is expected, after "expected": `a duration …`.
    let expected: String
    /// Whether there are keys within.
    let shape: SchemaShape
    /// Reads a value that is there; nil after a fault was reported.
    let read: @Sendable (YAMLNode) -> Value?
}

/// What a form looks like from outside.
enum SchemaShape: Sendable {
    /// One text.
    case scalar
    /// A list of texts.
    case scalars
    /// A mapping of these keys.
    case section([any DeclaredKey])
    /// A list of such mappings.
    case sections([any DeclaredKey])
    /// Free names, each with such a mapping; without keys, each with something else.
    case named([any DeclaredKey])
}

/// A node with the path of keys that leads to it, and the reading that it belongs to.
struct YAMLNode {
    /// Such as `gpio.outputs.red.line`; empty for the whole file.
    let path: String
    /// What is written there.
    let tree: YAMLTree
    /// Where faults go.
    let context: DecodingContext

    /// The item of a key within.
    func child(_ key: String, _ tree: YAMLTree) -> YAMLNode {
        let key = mayHoldSecret ? Self.word(of: key) : key.excerpt
        return YAMLNode(path: path.isEmpty ? key : "\(path).\(key)", tree: tree, context: context)
    }

    /// Whether a secret may stand here that was written in a wrong way, as in `mqtt: {password=hunter2}`.
    var mayHoldSecret: Bool { ["", "mqtt", "mqtt.tls"].contains(path) }

    /// Of a key no more than the word that it begins with.
    private static func word(of key: String) -> String {
        let word = key.prefix { !$0.isWhitespace && !":=@".contains($0) }
        return word.count == key.count ? key.excerpt : "\(String(word).excerpt)…"
    }

    /// The item at a place of a list, counted from 1.
    func element(_ number: Int, _ tree: YAMLTree) -> YAMLNode {
        YAMLNode(path: "\(path)[\(number)]", tree: tree, context: context)
    }

    /// Reports that something else was expected here.
    func report(expected: String) {
        report(.unexpected(found: tree.found, expected: expected))
    }

    /// Reports a problem here.
    func report(_ problem: ConfigurationFault.Problem, severity: ConfigurationFault.Severity = .fault) {
        context.report(problem, severity: severity, origin: tree.origin, key: path)
    }
}
