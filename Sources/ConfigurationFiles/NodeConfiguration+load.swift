package import BrokerLink
package import NodeConfiguration
package import TimerEngine
package import TimerProtocol

extension NodeConfiguration {
    /// Reads a configuration file and the files it names.
    ///
    /// - Parameters:
    ///   - path: the file's path; relative paths in the file start at its folder.
    ///   - environment: the variables that may override it, `TIMER_NODE_…`, and `CREDENTIALS_DIRECTORY` with systemd's
    ///     credentials; all others are ignored.
    ///   - hostName: the machine's name, which a node without an id uses as its id.
    /// - Throws: ``ConfigurationError`` with every fault at once, or when the file cannot be read.
    package static func load(
        path: String, environment: [String: String], purpose: Purpose = .running, hostName: String,
        readFile: @escaping FileReader
    ) throws(ConfigurationError) -> Loaded {
        try load(
            yaml: read(path, by: readFile), file: path, environment: environment, purpose: purpose, hostName: hostName,
            readFile: readFile)
    }

    /// Reads only the section `gpio`, because the lamps must be switched off even if the rest of the file is faulty.
    ///
    /// - Throws: ``ConfigurationError`` with every fault in the section `gpio` and in the YAML syntax, or when the file
    ///   cannot be read.
    package static func loadGPIO(
        path: String, environment: [String: String], readFile: @escaping FileReader
    ) throws(ConfigurationError) -> GPIO {
        let context = DecodingContext(file: path, hostName: "", readFile: readFile)
        return try load(\.gpio, GPIO.schema, yaml: read(path, by: readFile), environment, context) ?? GPIO()
    }

    /// Reads only the section `mqtt`, for a node client.
    ///
    /// - Parameter path: the file; nil to use only the environment.
    /// - Returns: nil if there is no such section.
    /// - Throws: ``ConfigurationError`` as ``loadGPIO(path:environment:readFile:)`` does.
    package static func loadMQTT(
        path: String?, environment: [String: String], purpose: Purpose = .running, readFile: @escaping FileReader
    ) throws(ConfigurationError) -> MQTT? {
        let context = DecodingContext(
            file: path ?? "the environment", purpose: purpose, hostName: "",
            credentialsFolder: environment["CREDENTIALS_DIRECTORY"],
            readFile: readFile)
        let yaml =
            try path.map { (path) throws(ConfigurationError) in try read(path, by: readFile) } ?? Array("{}".utf8)
        return try load(\.mqtt, MQTT.schema, yaml: yaml, environment, context)
    }

    /// Reads only the section `timers`, from a string. Its groups may name any pattern, since only the node knows which
    /// exist.
    ///
    /// - Parameter file: the file's name, which faults begin with.
    /// - Returns: nil if there is no such section.
    /// - Throws: ``ConfigurationError`` as ``loadGPIO(path:environment:readFile:)`` does.
    package static func loadTimers(yaml: [UInt8], file: String) throws(ConfigurationError) -> TimerModel? {
        let context = DecodingContext(file: file, hostName: "") { (path, _) throws(FileError) in
            throw FileError(path: path, kind: .notPermitted, reason: "the timers section cannot name a file here")
        }
        context.takesAnyPattern = true
        return try load(\.timers, Timers.schema, yaml: yaml, [:], context)?.model
    }

    /// Reads only the section `agenda`, from a string. Its meetings may have any group, since only the node knows which
    /// exist.
    ///
    /// - Parameter file: the file's name, which faults begin with.
    /// - Returns: nil if there is no such section.
    /// - Throws: ``ConfigurationError`` as ``loadGPIO(path:environment:readFile:)`` does.
    package static func loadAgenda(yaml: [UInt8], file: String) throws(ConfigurationError) -> Agenda? {
        let context = DecodingContext(file: file, hostName: "") { (path, _) throws(FileError) in
            throw FileError(path: path, kind: .notPermitted, reason: "the agenda section cannot name a file here")
        }
        return try load(\.agenda, Agenda.schema, yaml: yaml, [:], context)
    }

    /// Reads the running order in a section `programme`, from a string.
    ///
    /// - Parameter file: the file's name, which faults begin with.
    /// - Returns: nil if there is no such section.
    /// - Throws: ``ConfigurationError`` as ``loadGPIO(path:environment:readFile:)`` does.
    package static func loadProgramme(yaml: [UInt8], file: String) throws(ConfigurationError) -> Programme? {
        let context = DecodingContext(file: file, hostName: "") { (path, _) throws(FileError) in
            throw FileError(path: path, kind: .notPermitted, reason: "the programme section cannot name a file here")
        }
        return try load(\.programme, Programme.schema, yaml: yaml, [:], context)
    }

    /// Reads only one section, ignoring the faults in all other sections.
    ///
    /// - Returns: nil if there is no such section.
    private static func load<Value>(
        _ section: PartialKeyPath<Self>, _ schema: Schema<Value>, yaml: [UInt8], _ environment: [String: String],
        _ context: DecodingContext
    ) throws(ConfigurationError) -> Value? {
        let elsewhere = DecodingContext(file: context.file, hostName: "", readFile: context.readFile)
        let value = root(of: yaml, in: context).flatMap { root in
            let entries = YAMLNode(
                path: "", tree: variables.overriding(root, with: environment, in: elsewhere), context: elsewhere
            )
            .entries(expected: "")
            let written = entries?.first { $0.name == keys.name(of: section) }?.node
            return written.flatMap { schema.read(YAMLNode(path: $0.path, tree: $0.tree, context: context)) }
        }
        let findings = context.sorted
        guard findings.allSatisfy({ $0.severity == .warning }) else { throw .faulty(findings) }
        return value
    }

    /// The bytes of a configuration file.
    static func read(_ path: String, by readFile: FileReader) throws(ConfigurationError) -> [UInt8] {
        do throws(FileError) {
            return try readFile(path, maximumFileSize + 1)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Reads a configuration from the content of a file.
    ///
    /// - Parameters:
    ///   - yaml: the file's bytes, up to ``maximumFileSize`` of UTF-8.
    ///   - file: the file's name, which faults begin with; relative paths in the file start at its folder.
    ///   - environment: the variables that may override it, `TIMER_NODE_…`, and `CREDENTIALS_DIRECTORY` with systemd's
    ///     credentials; all others are ignored.
    ///   - hostName: the machine's name, which a node without an id uses as its id.
    ///   - readFile: reads the files that the configuration names.
    /// - Throws: ``ConfigurationError/faulty(_:)`` with every fault at once.
    package static func load(
        yaml: [UInt8], file: String, environment: [String: String] = [:], purpose: Purpose = .running,
        hostName: String = "", readFile: @escaping FileReader
    ) throws(ConfigurationError) -> Loaded {
        let context = DecodingContext(
            file: file, purpose: purpose, hostName: hostName, credentialsFolder: environment["CREDENTIALS_DIRECTORY"],
            readFile: readFile)
        return try load(yaml, schema, variables, environment, context)
    }

    /// Reads a configuration of either program.
    static func load<Configuration>(
        _ yaml: [UInt8], _ schema: Schema<Configuration>, _ variables: EnvironmentVariables,
        _ environment: [String: String], _ context: DecodingContext
    ) throws(ConfigurationError) -> LoadedConfiguration<Configuration> {
        let configuration = root(of: yaml, in: context).flatMap { root in
            schema.read(
                YAMLNode(path: "", tree: variables.overriding(root, with: environment, in: context), context: context))
        }
        let findings = context.sorted
        guard let configuration, findings.allSatisfy({ $0.severity == .warning }) else { throw .faulty(findings) }
        return LoadedConfiguration(configuration, warnings: findings)
    }

    /// Returns the content of a file as a tree; nil after a fault.
    static func root(of yaml: [UInt8], in context: DecodingContext) -> YAMLTree? {
        guard yaml.count <= maximumFileSize else {
            context.report(.other("the file is longer than \(maximumFileSize) bytes"), origin: .line(1))
            return nil
        }
        do throws(YAMLError) {
            return try YAMLTree.parse(yaml)
        } catch {
            context.report(.other(error.problem), origin: .line(error.line))
            return nil
        }
    }
}

extension WebConfiguration {
    /// Reads a configuration file and the files it names.
    ///
    /// - Parameters:
    ///   - path: the file's path, whose folder is the base of relative paths in the file; nil to use only the
    ///     environment.
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

    /// Reads a configuration from the content of a file.
    ///
    /// - Throws: ``ConfigurationError/faulty(_:)`` with every fault at once.
    package static func load(
        yaml: [UInt8], file: String, environment: [String: String] = [:],
        purpose: NodeConfiguration.Purpose = .running, readFile: @escaping FileReader
    ) throws(ConfigurationError) -> Loaded {
        let context = DecodingContext(
            file: file, purpose: purpose, service: "server", hostName: "",
            credentialsFolder: environment["CREDENTIALS_DIRECTORY"], readFile: readFile)
        return try NodeConfiguration.load(yaml, schema, variables, environment, context)
    }
}
