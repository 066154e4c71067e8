internal import ArgumentParser
internal import FoundationEssentials
internal import IoTNode

/// `timer-node run`: builds the parts and runs the loop.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the node.",
        discussion: """
            Ends with the lamps dark on SIGTERM and SIGINT. Logs go to standard error.

            Exits with 78 when the configuration has faults (see check), with 74 when it cannot be read.
            """)

    @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config = "/etc/timer-node/timer-node.yaml"

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let loaded = try NodeConfiguration.loadOrExit(config)
        let configuration = loaded.configuration

        // Before any other thread is there, so that all of them leave the signals to it.
        let signals = SignalSource()
        let manager = ServiceManager(environment: environment)
        let log = LogOutput(format: Self.format(configuration.log, environment))
        let others = [signals, WallClockSource(), log] + [manager].compactMap { $0 } as [any EventSource]
        let lamps = Lamps(configuration.gpio)
        var parts = NodeParts(
            clock: BootClock(), link: MosquittoLink(), outputs: lamps.outputs,
            inputs: GPIOInputs(configuration.gpio),
            store: Self.store(configuration.storage),
            otherSources: others + lamps.watches, displays: lamps.displays + [manager].compactMap { $0 },
            residentBytes: { ProcessMemory.residentBytes },
            log: Self.log(log, from: configuration.log.level))
        parts.load = { [config] in
            Result { () throws(ConfigurationError) in
                try NodeConfiguration.load(path: config, environment: environment)
            }
        }
        parts.rebuild = { parts, changed, configuration in
            if changed.contains(.lines) {
                let lamps = Lamps(configuration.gpio)
                parts.outputs = lamps.outputs
                parts.inputs = GPIOInputs(configuration.gpio)
                parts.otherSources = others + lamps.watches
                parts.displays = lamps.displays + [manager].compactMap { $0 }
            }
            if changed.contains(.store) { parts.store = Self.store(configuration.storage) }
            if changed.contains(.log) {
                log.format = Self.format(configuration.log, environment)
                parts.log = Self.log(log, from: configuration.log.level)
            }
        }
        for warning in loaded.warnings { parts.log(.warning, "\(warning)") }

        let core = NodeCore(configuration: configuration, seed: .random(in: .min ... .max))
        NodeLoop(core: core, parts: parts).run()
    }

    /// Where the state is kept; in memory where it is not.
    private static func store(_ storage: NodeConfiguration.Storage?) -> any Store {
        storage.map { FileStore(directory: $0.directory) } ?? InMemoryStore()
    }

    /// Makes the log's lines.
    private static func format(
        _ settings: NodeConfiguration.Log, _ environment: [String: String]
    ) -> (LogLevel, String) -> String {
        let isJournal = Journal.reads(standardErrorOf: environment)
        return { settings.format.line($0, $1, at: Date(), isJournal: isJournal) }
    }

    /// Writes what is to be logged.
    private static func log(_ output: LogOutput, from least: LogLevel) -> (LogLevel, String) -> Void {
        { if $0.isLogged(from: least) { output.write($0, $1) } }
    }
}

/// The lamps of a chip, or drawn ones, which show the time as well.
private struct Lamps {
    let outputs: any Outputs
    let displays: [any StatusDisplay]
    let watches: [any EventSource]

    init(_ gpio: NodeConfiguration.GPIO) {
        if gpio.chip == .simulated {
            let stoplight = SimulatedOutputs()
            outputs = stoplight
            displays = [stoplight]
            watches = []
        } else {
            outputs = GPIOOutputs(gpio)
            displays = []
            watches = [ChipWatch()].compactMap { $0 }
        }
    }
}
