extension NodeConfiguration {
    /// The page of Markdown with all keys, `docs/configuration.md`, made from their declarations.
    package static var reference: String {
        """
        # Configuration

        One YAML file holds all that a node is told. `timer-node check FILE` says everything that is wrong with
        one: each fault with its line, the key, what was found and what was expected. A key without a value counts
        as missing, a section without one as there with all that is missing in it. Anchors, aliases, tags and several documents are refused, and so is a file of more than
        \(maximumFileSize / 1024) KiB.

        This page is made from the declarations that the file is read by; do not edit it.

        \(tables(of: keys.declared, path: "").joined(separator: "\n\n"))

        \(variables.reference)

        """
    }

    /// The table of some keys, followed by the tables of the keys within them.
    static func tables(of keys: [DeclaredKey], path: String) -> [String] {
        if keys.isEmpty { return [] }
        let rows = keys.map { "| `\($0.name)` | \($0.expected) | \($0.absence) | \($0.about) |" }
        let header = ["## " + (path.isEmpty ? "The file" : "`\(path)`"), "", "| Key | Value | Without it | |"]
        let table = (header + ["|---|---|---|---|"] + rows).joined(separator: "\n")
        return [table]
            + keys.flatMap { key -> [String] in
                let path = path.isEmpty ? key.name : "\(path).\(key.name)"
                switch key.shape {
                case .scalar, .scalars: return []
                case .section(let keys): return tables(of: keys, path: path)
                case .sections(let keys): return tables(of: keys, path: "\(path)[]")
                case .named(let keys): return tables(of: keys, path: "\(path).NAME")
                }
            }
    }
}

extension WebConfiguration {
    /// The page of Markdown with all keys, `docs/web-configuration.md`, made from their declarations.
    package static var reference: String {
        """
        # Configuration of timer-web

        One YAML file holds all that timer-web is told, `/etc/timer-web/timer-web.yaml` where no other is named.
        It runs without one, too. `timer-web check FILE` says everything that is wrong with one: each fault with
        its line, the key, what was found and what was expected. A key without a value counts as missing. Anchors,
        aliases, tags and several documents are refused, and so is a file of more than
        \(NodeConfiguration.maximumFileSize / 1024) KiB.

        This page is made from the declarations that the file is read by; do not edit it.

        \(NodeConfiguration.tables(of: keys.declared, path: "").joined(separator: "\n\n"))

        \(variables.reference)

        """
    }
}

extension EnvironmentVariables {
    /// The section of a reference that names them.
    fileprivate var reference: String {
        """
        ## Environment

        A variable overrides its key in the file; in lists, commas separate the elements. Any other variable that begins
        with `\(prefix)` is a fault.

        \(all.map { "`\($0.name)`" }.joined(separator: ", "))
        """
    }
}
