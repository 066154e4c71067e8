package import BrokerLink
internal import TimerProtocol

/// A parsed part of the file.
package struct YAMLTree {
    package enum Content {
        /// A scalar; `plain` if it is written without quotes.
        case scalar(String, plain: Bool)
        /// A list.
        case sequence([YAMLTree])
        /// Keys with their values as written, duplicates included.
        case mapping([Entry])
    }

    package struct Entry {
        package let key: YAMLTree
        package var value: YAMLTree

        package init(key: YAMLTree, value: YAMLTree) { (self.key, self.value) = (key, value) }
    }

    package var content: Content
    package let origin: ConfigurationFault.Origin

    package init(content: Content, origin: ConfigurationFault.Origin) {
        (self.content, self.origin) = (content, origin)
    }

    /// Whether the value is missing: `key:`, `~` or `null`.
    package var isNull: Bool {
        if case .scalar(let text, plain: true) = content { ["", "~", "null"].contains(text) } else { false }
    }

    /// The text of a scalar that is not null.
    var text: String? {
        if case .scalar(let text, plain: _) = content, !isNull { text } else { nil }
    }

    /// The value as a fault shows it.
    var found: String {
        switch content {
        case _ where isNull: "nothing"
        case .scalar(let text, plain: _): text.quoted
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The keys of a mapping as they are written.
    var keys: [String] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.compactMap(\.key.text)
    }
}

/// A part of the file, with the path of keys that leads to it and the context that collects its faults.
package struct YAMLNode {
    /// The path, such as `gpio.outputs.red.line`; empty for the whole file.
    package let path: String
    package let tree: YAMLTree
    package let context: DecodingContext

    package init(path: String, tree: YAMLTree, context: DecodingContext) {
        (self.path, self.tree, self.context) = (path, tree, context)
    }

    /// Returns the node of a key in this mapping.
    func child(_ key: String, _ tree: YAMLTree) -> YAMLNode {
        let key = mayHoldSecret ? Self.word(of: key) : key.excerpt
        return YAMLNode(path: path.isEmpty ? key : "\(path).\(key)", tree: tree, context: context)
    }

    /// Returns the node of a list element, counted from 1.
    func element(_ number: Int, _ tree: YAMLTree) -> YAMLNode {
        YAMLNode(path: "\(path)[\(number)]", tree: tree, context: context)
    }

    /// Whether a key here may contain a secret because of a syntax mistake, as in `mqtt: {password=hunter2}`.
    private var mayHoldSecret: Bool { ["", "mqtt", "mqtt.tls"].contains(path) }

    /// Returns the first word of a key, without the rest, which may be a secret.
    private static func word(of key: String) -> String {
        let word = key.prefix { !$0.isWhitespace && !":=@".contains($0) }
        return word.count == key.count ? key.excerpt : "\(String(word).excerpt)…"
    }

    /// Reports that the value here is not the expected one.
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
        /// The location of the name.
        let origin: ConfigurationFault.Origin
        /// The value.
        package let node: YAMLNode

        /// The name as a separate tree.
        var nameTree: YAMLTree { YAMLTree(content: .scalar(name, plain: false), origin: origin) }

        /// Reports that an entry of this name is not allowed.
        func reportUnknown(known: [String]) {
            let problem = ConfigurationFault.Problem.unknown(nearest: nearest(to: name, in: known), known: known)
            node.context.report(problem, origin: origin, key: node.path)
        }
    }

    /// Returns the entries of a mapping, each name once. Duplicates and names that are not strings are reported.
    ///
    /// - Returns: nil, after a fault, if this is neither a mapping nor null.
    package func entries(expected: String) -> [Entry]? {
        guard case .mapping(let entries) = tree.content else {
            if tree.isNull { return [] }
            report(.unexpected(found: mayHoldSecret && tree.text != nil ? "a string" : tree.found, expected: expected))
            return nil
        }
        var seen: [String: ConfigurationFault.Origin] = [:]
        return entries.compactMap { entry in
            guard case .scalar(let name, let plain) = entry.key.content, !name.isEmpty || !plain else {
                child("?", entry.key).report(expected: "a key that is a string")
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

/// The inputs for reading a configuration, with the names and faults found so far.
package final class DecodingContext {
    /// The file's name as the caller passed it. Paths in the file are relative to its folder.
    package let file: String
    let purpose: NodeConfiguration.Purpose
    /// The name in messages of the program that uses the file.
    let service: String
    /// The machine's name, which a node without an id uses as its id.
    let hostName: String
    /// Reads a file that the configuration names.
    package let readFile: FileReader
    /// The folder of systemd's credentials; nil if there are none.
    let credentialsFolder: String?
    /// The outputs that signals may name: the simulated ones until the outputs in the file have been read.
    var outputs = NodeConfiguration.GPIO.stoplight.keys.sorted()
    /// The patterns that signals, groups and commands may name: the built-in ones, and the patterns in the file once
    /// they have been read.
    var patterns = Pattern.builtIn
    /// Whether groups may also name unknown patterns. True if only the timers are read, without the patterns.
    package var takesAnyPattern = false
    /// The commands of buttons and remotes, with where they are written. They are checked once everything else has been
    /// read. A ``YAMLNode`` refers to this context, so one here would never be freed.
    var commands: [(command: BoundCommand, origin: ConfigurationFault.Origin, key: String)] = []
    /// The topics of the node's own commands, which remotes must not match; empty until `node` and `mqtt` have been
    /// read.
    var commandFilters: [TopicFilter] = []
    /// The first level or levels of the nodes' topics, which mirrors must not use; read before the mirrors.
    var topicPrefix = "timer"
    /// The faults and warnings in the order they were found.
    private(set) var findings: [ConfigurationFault] = []

    package init(
        file: String, purpose: NodeConfiguration.Purpose = .running, service: String = "node", hostName: String,
        credentialsFolder: String? = nil, readFile: @escaping FileReader
    ) {
        self.file = file
        self.purpose = purpose
        self.service = service
        self.hostName = hostName
        self.credentialsFolder = credentialsFolder
        self.readFile = readFile
    }

    package func report(
        _ problem: ConfigurationFault.Problem, severity: ConfigurationFault.Severity = .fault,
        origin: ConfigurationFault.Origin, key: String = ""
    ) {
        findings.append(
            ConfigurationFault(severity: severity, file: file, origin: origin, key: key, problem: problem))
    }

    /// Returns the path of a file that the configuration names. A relative path starts at the configuration's folder.
    func resolve(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    /// The findings sorted by line, with findings in environment variables last.
    package var sorted: [ConfigurationFault] {
        func rank(_ fault: ConfigurationFault) -> Int {
            if case .line(let line) = fault.origin { line } else { .max }
        }
        return findings.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}
