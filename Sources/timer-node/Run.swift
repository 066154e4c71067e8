internal import ArgumentParser
internal import FoundationEssentials
internal import IoTNode
internal import Logging

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
        let loaded = try NodeConfiguration.loadOrExit(config)
        let configuration = loaded.configuration

        // Before any other thread is there, so that all of them leave the signals to it.
        let signals = SignalSource()
        let lamps = Lamps(configuration.gpio)
        let parts = NodeParts(
            clock: BootClock(), link: MosquittoLink(), outputs: lamps.outputs,
            inputs: GPIOInputs(configuration.gpio),
            store: configuration.storage.map { FileStore(directory: $0.directory) } ?? InMemoryStore(),
            otherSources: [signals, WallClockSource()] + lamps.watches, displays: lamps.displays,
            residentBytes: { ProcessMemory.residentBytes },
            log: Self.log(from: configuration.log.level))
        for warning in loaded.warnings { parts.log(.warning, "\(warning)") }

        let core = NodeCore(configuration: configuration, seed: .random(in: .min ... .max))
        NodeLoop(core: core, parts: parts).run()
    }

    /// Writes lines to standard error.
    private static func log(from level: LogLevel) -> (LogLevel, String) -> Void {
        var logger = Logger(label: "timer-node") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(level)
        return { logger.log(level: Logger.Level($0), "\($1)") }
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

extension Logger.Level {
    fileprivate init(_ level: LogLevel) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
