internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import NodeTape
internal import TimerProtocol

/// `timer-node replay TAPE`: prints a tape, and runs today's program on it.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Print a tape, and say where this version would have decided otherwise.",
        discussion: """
            A node records a tape if its configuration has the section tape. The table shows what the node was told and \
            what it decided, with times in UTC. Then this version of the program runs on the tape.

              timer-node replay /var/lib/timer-node/tape
              timer-node replay /var/lib/timer-node/tape --anonymous --save evening.tape
              timer-node replay evening.tape --all

            A tape contains no passwords. With --anonymous it contains no names either.

            Exits with 1 if this version decides otherwise, with 65 if the tape is not one or cannot be replayed, or \
            with 74 if a file cannot be read or written.
            """)

    @Argument(help: "The folder of a tape, or a file.", completion: .file())
    var tape: String

    @Flag(help: "Print everything, such as each second.")
    var all = false

    @Flag(help: "Replace all names.")
    var anonymous = false

    @Option(help: ArgumentHelp("Also write the tape to a file, to send it.", valueName: "file"), completion: .file())
    var save: String?

    /// More than a tape can be configured to have.
    private static let maximumSize = 1 << 30

    func run() throws {
        let files = try read()
        let (recorded, replay) = try orRefuse { () throws(TapeError) in
            var recorded = try Tape(files)
            if anonymous {
                recorded = try recorded.anonymous(recorded.configurations(read: NodeConfiguration.load(taped:)))
            }
            return (recorded, try Replay(recorded, load: NodeConfiguration.load(taped:)))
        }
        if let save { try orExit(.io) { () throws(SystemError) in try File.write(recorded.bytes, to: save) } }
        let prefix = recorded.topicPrefix(NodeConfiguration.load(taped:))
        try StandardOutput.write(recorded.text(prefix: prefix, isBrief: !all))
        try StandardOutput.write(replay.text(prefix: prefix))
        if !replay.differences.isEmpty { throw ExitCode.failure }
    }

    /// Uses the tape; if it cannot be used, says which one it is and why, and exits.
    private func orRefuse<Value>(_ use: () throws(TapeError) -> Value) throws(ExitCode) -> Value {
        do { return try use() } catch {
            StandardError.say("\(tape): \(error)")
            throw .data
        }
    }

    private func read() throws(ExitCode) -> [[UInt8]] {
        if File.isFolder(tape) { return try orExit(.io) { () throws(StoreError) in try TapeFolder.read(tape) } }
        return [try orExit(.io) { () throws(FileError) in try File.read(tape, upTo: Self.maximumSize) }]
    }
}

extension NodeConfiguration {
    /// Reads a configuration on a tape. The files that it names are not read.
    static func load(taped: TapeConfiguration) throws(ConfigurationError) -> NodeConfiguration {
        try load(
            yaml: taped.text, file: taped.file, environment: taped.environment, purpose: .checking,
            hostName: taped.hostName
        ) { (path, _) throws(FileError) in
            throw FileError(path: path, kind: .notPermitted, reason: "it is not on the tape")
        }.configuration
    }
}

/// Reads a node's configuration, and keeps what a tape needs of it.
final class ConfigurationReader {
    private let environment: [String: String]
    /// The configuration that was read last without a fault.
    private(set) var taped: TapeConfiguration

    init(_ file: String, _ environment: [String: String]) {
        self.environment = environment
        // A replay needs neither the values of passwords nor variables of other programs.
        let own = environment.filter { $0.key.hasPrefix("TIMER_NODE_") }
        taped = TapeConfiguration(
            file: file, text: [],
            environment: Dictionary(
                uniqueKeysWithValues: own.map { ($0, $0.contains("PASSWORD") ? "removed" : $1) }),
            hostName: Host.name)
    }

    func load() throws(ConfigurationError) -> NodeConfiguration.Loaded {
        var text: [UInt8] = []
        let file = taped.file
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        var hasCredential = false
        let loaded = try NodeConfiguration.load(
            path: file, environment: environment, hostName: taped.hostName
        ) { (path, limit) throws(FileError) in
            let bytes = try File.read(path, upTo: limit)
            if path == file { text = bytes }
            if let credentials, path.hasPrefix("\(credentials)/") { hasCredential = true }
            return bytes
        }
        taped.text = text
        // A replay takes a file that it may not read for a credential, so it must not know of a folder without one.
        taped.environment["CREDENTIALS_DIRECTORY"] = hasCredential ? credentials : nil
        return loaded
    }
}

/// A tape in a folder.
final class FolderTape: TapeSink {
    private let tape: BackgroundTape
    private let log: (String) -> Void
    /// The fault that was logged last; nil if a segment has been written since.
    private var logged: StoreError?

    init(_ settings: NodeConfiguration.TapeSettings, log: @escaping (String) -> Void) throws(SystemError) {
        self.log = log
        tape = try BackgroundTape(
            directory: settings.directory, size: settings.size, segmentSize: settings.segmentSize)
    }

    func beginSegment(_ header: [UInt8], runs: (any Savable)?) {
        if tape.fault == nil { logged = nil }
        tape.beginSegment(header, runs: runs, Tape.runs)
    }

    func append(_ record: [UInt8]) -> Bool {
        do throws(StoreError) {
            try tape.append(record)
            return true
        } catch {
            if logged != error { log("\(error)") }
            logged = error
            return false
        }
    }
}
