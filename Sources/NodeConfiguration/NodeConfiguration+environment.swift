internal import IoTNode
internal import TimerProtocol

extension NodeConfiguration {
    /// The beginning of all variables of this program.
    static let variablePrefix = "TIMER_NODE_"

    /// The tree of the file with the environment's values in place of the file's.
    ///
    /// A variable has the path of its key as name: `TIMER_NODE_MQTT_USERNAME` for `mqtt.username`. Commas separate the
    /// texts of a list. Keys in a list of sections, or under free names, have no variable. Unknown variables are faults.
    static func overriding(
        _ root: YAMLTree, with environment: [String: String], in context: DecodingContext
    ) -> YAMLTree {
        let variables = variables(of: keys.declared, path: [])
        let known = variables.map(\.name)
        var root = root
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(variablePrefix) {
            guard let variable = variables.first(where: { $0.name == name }) else {
                let near = nearest(to: name, in: known)
                context.report(.unknown(nearest: near, known: known), origin: .variable(name))
                continue
            }
            root.set(variable.tree(text), at: variable.path[...])
        }
        return root
    }

    /// The variables of all keys that can have one.
    static func variables(of keys: [DeclaredKey], path: [String]) -> [Variable] {
        keys.flatMap { key -> [Variable] in
            let path = path + [key.name]
            switch key.shape {
            case .scalar: return [Variable(path: path, isList: false)]
            case .scalars: return [Variable(path: path, isList: true)]
            case .section(let keys): return variables(of: keys, path: path)
            case .sections, .named: return []
            }
        }
    }

    /// An environment variable that overrides a key.
    struct Variable {
        /// The keys that lead to the overridden one.
        let path: [String]
        /// Whether commas separate several texts.
        let isList: Bool

        /// Such as `TIMER_NODE_MQTT_USERNAME`.
        var name: String { variablePrefix + path.joined(separator: "_").uppercased() }

        /// The variable's text as a tree.
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

extension YAMLTree {
    /// Puts a value at a path of keys.
    ///
    /// Missing mappings on the way are made. Anything else on the way stays as it is, and its reader reports it.
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
