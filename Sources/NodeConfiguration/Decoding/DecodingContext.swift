internal import IoTNode
internal import TimerProtocol

/// One reading of a configuration: what surrounds the file, and the faults found so far.
final class DecodingContext {
    /// The file's name as it was given; other files are found from its folder.
    let file: String
    /// Whether a node is to run by it.
    let purpose: NodeConfiguration.Purpose
    /// The machine's name, which names a node that has no id.
    let hostName: String
    /// Reads another file, at most so many bytes of it.
    let readFile: FileReader
    /// The folder of systemd's credentials, where it hands over some.
    let credentialsFolder: String?
    /// The outputs that signals may name, once they are read.
    var outputs = NodeConfiguration.GPIO.stoplight.keys.sorted()
    /// The patterns that may be named, with those of the file once they are read.
    var patterns = Pattern.builtIn
    /// What buttons and remotes do, and where that is written; checked once everything else is read.
    var commands: [(command: BoundCommand, node: YAMLNode)] = []
    /// The topics of the node's own commands, which no remote may have, once they are known.
    var commandFilters: [TopicFilter] = []
    /// The faults and warnings in the order they were found.
    private(set) var findings: [ConfigurationFault] = []

    /// Begins without faults.
    init(
        file: String, purpose: NodeConfiguration.Purpose = .running, hostName: String, credentialsFolder: String? = nil,
        readFile: @escaping FileReader
    ) {
        self.file = file
        self.purpose = purpose
        self.hostName = hostName
        self.credentialsFolder = credentialsFolder
        self.readFile = readFile
    }

    /// Adds a finding.
    func report(
        _ problem: ConfigurationFault.Problem, severity: ConfigurationFault.Severity = .fault,
        origin: ConfigurationFault.Origin, key: String = ""
    ) {
        findings.append(
            ConfigurationFault(severity: severity, file: file, origin: origin, key: key, problem: problem))
    }

    /// The path of a file named in the configuration: as it is from the root, else from the configuration's folder.
    func resolve(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    /// The findings by line, those of environment variables last.
    var sorted: [ConfigurationFault] {
        func rank(_ fault: ConfigurationFault) -> Int {
            if case .line(let line) = fault.origin { line } else { .max }
        }
        return findings.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}
