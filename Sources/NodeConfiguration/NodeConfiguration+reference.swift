extension NodeConfiguration {
    /// The Markdown page with all keys, `docs/configuration.md`, generated from their declarations.
    package static var reference: String {
        """
        # Configuration

        One YAML file configures a node. `timer-node check FILE` reports every fault in it: the line, the key, what
        was found and what was expected. A key without a value counts as missing, a section without one as empty.
        Anchors, aliases, tags, several documents and files of more than \(maximumFileSize / 1024) KiB are refused.

        This page is generated; do not edit it.

        \(tables(of: keys.declared, path: "").joined(separator: "\n\n"))

        \(variables.reference)

        """
    }

    /// The table of these keys, followed by the tables of the keys within them.
    static func tables(of keys: [DeclaredKey], path: String) -> [String] {
        if keys.isEmpty { return [] }
        let rows = keys.map { "| `\($0.name)` | \($0.expected) | \($0.absence) | \($0.about) |" }
        let header = ["## " + (path.isEmpty ? "The file" : "`\(path)`"), "", "| Key | Value | Default | |"]
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
    /// The Markdown page with all keys, `docs/web-configuration.md`, generated from their declarations.
    package static var reference: String {
        """
        # Configuration of timer-web

        One YAML file configures timer-web, `/etc/timer-web/timer-web.yaml` unless another one is named. timer-web
        also runs without a file. `timer-web check FILE` reports every fault in it: the line, the key, what was found
        and what was expected. A key without a value counts as missing. Anchors, aliases, tags, several documents and
        files of more than \(NodeConfiguration.maximumFileSize / 1024) KiB are refused.

        This page is generated; do not edit it.

        \(NodeConfiguration.tables(of: keys.declared, path: "").joined(separator: "\n\n"))

        \(variables.reference)

        """
    }
}

extension EnvironmentVariables {
    /// The section of a reference page that lists the variables.
    fileprivate var reference: String {
        """
        ## Environment

        A variable overrides its key in the file; commas separate the elements of a list. Any other variable that begins
        with `\(prefix)` is a fault.

        \(all.map { "`\($0.name)`" }.joined(separator: ", "))
        """
    }
}
