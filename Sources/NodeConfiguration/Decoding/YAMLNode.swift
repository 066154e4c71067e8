internal import TimerProtocol

/// A piece of the file with the path of keys that leads to it, and the context that its faults go to.
package struct YAMLNode {
    /// Such as `gpio.outputs.red.line`; empty for the whole file.
    package let path: String
    package let tree: YAMLTree
    package let context: DecodingContext

    package init(path: String, tree: YAMLTree, context: DecodingContext) {
        (self.path, self.tree, self.context) = (path, tree, context)
    }

    /// The node of a key within.
    func child(_ key: String, _ tree: YAMLTree) -> YAMLNode {
        let key = mayHoldSecret ? Self.word(of: key) : key.excerpt
        return YAMLNode(path: path.isEmpty ? key : "\(path).\(key)", tree: tree, context: context)
    }

    /// The node at a place of a list, counted from 1.
    func element(_ number: Int, _ tree: YAMLTree) -> YAMLNode {
        YAMLNode(path: "\(path)[\(number)]", tree: tree, context: context)
    }

    /// Whether a secret may stand here because it was written in a wrong way, as in `mqtt: {password=hunter2}`.
    private var mayHoldSecret: Bool { ["", "mqtt", "mqtt.tls"].contains(path) }

    /// The word that a key begins with: a secret may follow it.
    private static func word(of key: String) -> String {
        let word = key.prefix { !$0.isWhitespace && !":=@".contains($0) }
        return word.count == key.count ? key.excerpt : "\(String(word).excerpt)…"
    }

    /// Reports that something else was expected here.
    func report(expected: String) {
        report(.unexpected(found: tree.found, expected: expected))
    }

    func report(_ problem: ConfigurationFault.Problem, severity: ConfigurationFault.Severity = .fault) {
        context.report(problem, severity: severity, origin: tree.origin, key: path)
    }
}

extension YAMLNode {
    /// An entry of a mapping.
    package struct Entry {
        package let name: String
        /// Where the name is written.
        let origin: ConfigurationFault.Origin
        /// The value.
        package let node: YAMLNode

        /// The name as a value of its own.
        var nameTree: YAMLTree { YAMLTree(content: .scalar(name, plain: false), origin: origin) }

        /// Reports that there may be no entry of this name.
        func reportUnknown(known: [String]) {
            let problem = ConfigurationFault.Problem.unknown(nearest: nearest(to: name, in: known), known: known)
            node.context.report(problem, origin: origin, key: node.path)
        }
    }

    /// The entries of a mapping, each name once. Duplicates and names that are no text are reported.
    ///
    /// - Returns: nil, after a fault, where this is neither a mapping nor null.
    package func entries(expected: String) -> [Entry]? {
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
            if let first = seen[name] {
                child(name, entry.key).report(.duplicate(of: first))
                return nil
            }
            seen[name] = entry.key.origin
            return Entry(name: name, origin: entry.key.origin, node: child(name, entry.value))
        }
    }
}
