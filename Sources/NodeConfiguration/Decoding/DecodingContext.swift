package import BrokerLink
internal import TimerProtocol

/// What a configuration is read with, and what has been learnt and found so far.
package final class DecodingContext {
    /// The file's name as it was given. Paths in the file begin at its folder.
    package let file: String
    let purpose: NodeConfiguration.Purpose
    /// What runs by the file, as messages name it.
    let service: String
    /// The machine's name, which a node without an id takes as id.
    let hostName: String
    /// Reads a file that the configuration names.
    package let readFile: FileReader
    /// The folder of systemd's credentials; nil where it hands over none.
    let credentialsFolder: String?
    /// The outputs that signals may name: the simulated ones, until those of the file are read.
    var outputs = NodeConfiguration.GPIO.stoplight.keys.sorted()
    /// The patterns that signals, groups and commands may name: the built-in ones, and those of the file once they are
    /// read.
    var patterns = Pattern.builtIn
    /// Whether groups may name a pattern that is not among them, as where the timers are read by themselves.
    package var takesAnyPattern = false
    /// The commands of buttons and remotes. They are checked once everything else is read.
    var commands: [(command: BoundCommand, node: YAMLNode)] = []
    /// The topics of the node's own commands, which no remote may have; empty until the node and its broker are read.
    var commandFilters: [TopicFilter] = []
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

    /// The path of a file that the configuration names. A relative path begins at the configuration's folder.
    func resolve(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    /// The findings by line, those of environment variables last.
    package var sorted: [ConfigurationFault] {
        func rank(_ fault: ConfigurationFault) -> Int {
            if case .line(let line) = fault.origin { line } else { .max }
        }
        return findings.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}
