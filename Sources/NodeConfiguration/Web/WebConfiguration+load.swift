package import IoTNode

extension WebConfiguration {
    /// A configuration that can be used.
    package struct Loaded: Hashable, Sendable {
        package let configuration: WebConfiguration
        /// The warnings in the order of their lines.
        package let warnings: [ConfigurationFault]
    }

    /// Reads a configuration file and the files it names.
    ///
    /// - Parameters:
    ///   - path: the file's path, from whose folder relative paths in it are; nil for the environment alone.
    ///   - environment: the variables that may override it, `TIMER_WEB_…`, and `CREDENTIALS_DIRECTORY` with systemd's
    ///     credentials; all others are ignored.
    /// - Throws: ``ConfigurationError`` with every fault at once, or when the file cannot be read.
    package static func load(
        path: String?, environment: [String: String], purpose: NodeConfiguration.Purpose = .running,
        readFile: @escaping FileReader
    ) throws(ConfigurationError) -> Loaded {
        let yaml = try path.map { (path) throws(ConfigurationError) in try NodeConfiguration.read(path, by: readFile) }
        return try load(
            yaml: yaml ?? Array("{}".utf8), file: path ?? "the environment", environment: environment, purpose: purpose,
            readFile: readFile)
    }

    /// Reads a configuration from its text.
    ///
    /// - Throws: ``ConfigurationError/faulty(_:)`` with every fault at once.
    package static func load(
        yaml: [UInt8], file: String, environment: [String: String] = [:],
        purpose: NodeConfiguration.Purpose = .running, readFile: @escaping FileReader
    ) throws(ConfigurationError) -> Loaded {
        let context = DecodingContext(
            file: file, purpose: purpose, service: "server", hostName: "",
            credentialsFolder: environment["CREDENTIALS_DIRECTORY"], readFile: readFile)
        let configuration = NodeConfiguration.root(of: yaml, in: context).flatMap { root in
            schema.read(
                YAMLNode(path: "", tree: variables.overriding(root, with: environment, in: context), context: context))
        }
        let findings = context.sorted
        guard let configuration, findings.allSatisfy({ $0.severity == .warning }) else { throw .faulty(findings) }
        return Loaded(configuration: configuration, warnings: findings)
    }

    /// The page of Markdown with all keys, `docs/web-configuration.md`, made from their declarations.
    package static var reference: String {
        let names = variables.all.map { "`\($0.name)`" }.joined(separator: ", ")
        return """
            # Configuration of timer-web

            One YAML file holds all that timer-web is told, `/etc/timer-web/timer-web.yaml` where no other is named.
            It runs without one, too. `timer-web check FILE` says everything that is wrong with one: each fault with
            its line, the key, what was found and what was expected. A key without a value counts as missing. Anchors,
            aliases, tags and several documents are refused, and so is a file of more than
            \(NodeConfiguration.maximumFileSize / 1024) KiB.

            This page is made from the declarations that the file is read by; do not edit it.

            \(NodeConfiguration.tables(of: keys.declared, path: "").joined(separator: "\n\n"))

            ## Environment

            A variable overrides its key in the file; in lists, commas separate the elements. A variable that begins
            with `\(variables.prefix)` and is none of these is a fault.

            \(names)

            """
    }
}
