package import BrokerLink
package import NodeConfiguration

extension WebConfiguration {
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
        return try NodeConfiguration.load(yaml, schema, variables, environment, context)
    }
}
