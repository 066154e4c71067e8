internal import TimerProtocol

/// The environment variables that override the keys of a file.
///
/// A variable is named after the path of its key: `TIMER_NODE_MQTT_USERNAME` for `mqtt.username`. Commas separate the
/// elements of a list. Keys in a list of sections, or under user-chosen names, have no variable.
package struct EnvironmentVariables {
    /// The beginning of the names of all variables of the program.
    let prefix: String
    let all: [Variable]

    /// The variables of all keys that can have one.
    ///
    /// - Parameter unnamed: a section whose name is omitted from the variables, because the prefix already contains it.
    init(prefix: String, keys: [DeclaredKey], unnamed: String? = nil) {
        self.prefix = prefix
        all = Self.paths(of: keys, path: []).map { path, isList in
            let names = path.first == unnamed ? path.dropFirst() : path[...]
            return Variable(path: path, name: prefix + names.joined(separator: "_").uppercased(), isList: isList)
        }
    }

    private static func paths(of keys: [DeclaredKey], path: [String]) -> [(path: [String], isList: Bool)] {
        keys.flatMap { key -> [(path: [String], isList: Bool)] in
            let path = path + [key.name]
            switch key.shape {
            case .scalar: return [(path, false)]
            case .scalars: return [(path, true)]
            case .section(let keys): return paths(of: keys, path: path)
            case .sections, .named: return []
            }
        }
    }

    /// Returns the file's tree with the values from the environment in place of its own. Unknown variables are faults.
    package func overriding(_ root: YAMLTree, with environment: [String: String], in context: DecodingContext)
        -> YAMLTree
    {
        let known = all.map(\.name)
        var root = root
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            guard let variable = all.first(where: { $0.name == name }) else {
                let near = nearest(to: name, in: known)
                context.report(.unknown(nearest: near, known: known), origin: .variable(name))
                continue
            }
            root.set(variable.tree(text), at: variable.path[...])
        }
        return root
    }

    /// An environment variable that overrides a key.
    struct Variable {
        /// The keys that lead to the overridden one.
        let path: [String]
        /// The name, such as `TIMER_NODE_MQTT_USERNAME`.
        let name: String
        /// Whether the value is a list, separated by commas.
        let isList: Bool

        /// Returns the variable's value as a tree.
        func tree(_ text: String) -> YAMLTree {
            func scalar(_ text: some StringProtocol) -> YAMLTree {
                let trimmed = text.drop { $0 == " " }
                return YAMLTree(content: .scalar(String(trimmed), plain: false), origin: .variable(name))
            }
            if !isList { return YAMLTree(content: .scalar(text, plain: false), origin: .variable(name)) }
            return YAMLTree(content: .sequence(text.split(separator: ",").map { scalar($0) }), origin: .variable(name))
        }
    }
}

extension NodeConfiguration {
    /// The variables of the node.
    package static let variables = EnvironmentVariables(prefix: "TIMER_NODE_", keys: keys.declared)
}

extension YAMLTree {
    /// Puts a value at a path of keys.
    ///
    /// Missing mappings on the path are created. Anything else on the path is left as it is, to be reported when read.
    fileprivate mutating func set(_ value: YAMLTree, at path: ArraySlice<String>) {
        guard let name = path.first else {
            self = value
            return
        }
        if isNull { content = .mapping([]) }
        guard case .mapping(var entries) = content else { return }
        let place = entries.firstIndex { $0.key.text == name }
        var child = place.map { entries[$0].value } ?? YAMLTree(content: .mapping([]), origin: value.origin)
        child.set(value, at: path.dropFirst())
        if let place {
            entries[place].value = child
        } else {
            let key = YAMLTree(content: .scalar(name, plain: true), origin: value.origin)
            entries.append(Entry(key: key, value: child))
        }
        content = .mapping(entries)
    }
}
