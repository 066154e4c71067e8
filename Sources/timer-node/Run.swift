internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import ConfigurationFiles
internal import FoundationEssentials
internal import GPIO
internal import IoTNode
internal import LinuxSystem
internal import Mosquitto
internal import NodeConfiguration
internal import NodePorts
internal import NodeTape

/// `timer-node run`: creates the node's components and runs its loop.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the node.",
        discussion: """
            SIGTERM and SIGINT switch the lamps off and end the node. Logs go to standard error.

              timer-node run --config timer-node.yaml

            Exits with 78 if the configuration is invalid (see check), with 74 if it cannot be read, or with 70 if a \
            necessary system call fails, such as the one that creates the descriptor for signals.
            """)

    @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config = NodeConfiguration.serviceFile

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let reader = ConfigurationReader(config, environment)
        let loaded = try orExit(reader.load)
        let configuration = loaded.configuration

        // Created before any other thread, so that all threads inherit the blocked signals.
        let (signals, manager) = try orExit(.internal) { () throws(SystemError) in
            (try ProcessSignals(), try ServiceManager(environment: environment))
        }
        let stores = Stores()
        let store = try orExit(.internal) { () throws(SystemError) in try stores.store(for: configuration.storage) }
        let output = LogOutput(format: Self.format(configuration.log, environment))
        let log = Self.log(output, from: configuration.log.level)
        let wallClock: WallClockSource?
        do throws(SystemError) { wallClock = try WallClockSource() } catch {
            wallClock = nil
            log(.warning, "changes to the system clock will not be detected: \(error)")
        }
        let others: [(any EventSource<NodeEvent>)?] = [
            signals.reporting { $0 == .reload ? .reloadRequested : .terminate },
            wallClock?.reporting { .wallClockSet }, output.reporting(),
            manager?.reporting(),
        ]
        let lamps = LampParts(configuration.gpio)
        manager?.remark = lamps.remark
        var parts = NodeParts(
            clock: BootClock(), connection: MosquittoConnection(), outputs: lamps.outputs,
            inputs: GPIOInputs(configuration.gpio),
            store: store,
            otherSources: others.compactMap(\.self) + lamps.watches,
            displays: lamps.displays + [manager].compactMap { $0 },
            residentBytes: { ProcessMemory.residentBytes },
            log: log)
        do throws(SystemError) {
            parts.timeZones = try BackgroundTimeZones(SystemTimeZones(environment: environment))
        } catch { log(.warning, "no time zones except UTC are available: \(error)") }
        parts.isClockTrusted = { WallClock.isTrusted() }
        let seed = UInt64.random(in: .min ... .max)
        let recorder = try configuration.tape.map { (settings) throws(ExitCode) in
            try orExit(.internal) { () throws(SystemError) in
                TapeRecorder(
                    reader.taped, seed: seed, segmentSize: settings.segmentSize,
                    sink: try FolderTape(settings) { log(.warning, $0) })
            }
        }
        parts.recorder = recorder
        parts.load = {
            do throws(ConfigurationError) {
                let loaded = try reader.load()
                recorder?.configuration = reader.taped
                return .success(loaded)
            } catch {
                return .failure(error)
            }
        }
        parts.replace = { parts, changed, configuration in
            if changed.contains(.lines) {
                let lamps = LampParts(configuration.gpio)
                manager?.remark = lamps.remark
                parts.outputs = lamps.outputs
                parts.inputs = GPIOInputs(configuration.gpio)
                parts.otherSources = others.compactMap(\.self) + lamps.watches
                parts.displays = lamps.displays + [manager].compactMap { $0 }
            }
            if changed.contains(.store) {
                do throws(SystemError) { parts.store = try stores.store(for: configuration.storage) } catch {
                    parts.log(.error, "the state stays in the previous folder: \(error)")
                }
            }
            if changed.contains(.log) {
                output.format = Self.format(configuration.log, environment)
                parts.log = Self.log(output, from: configuration.log.level)
            }
        }
        for warning in loaded.warnings { parts.log(.warning, "\(warning)") }

        let core = NodeCore(configuration: configuration, seed: seed)
        NodeLoop(core: core, parts: parts).run()
    }

    /// Returns the function that formats log lines.
    private static func format(
        _ settings: NodeConfiguration.Log, _ environment: [String: String]
    ) -> (LogLevel, String) -> String {
        let isJournal = Journal.reads(standardErrorOf: environment)
        return { settings.format.line($0, $1, at: Date(), isJournal: isJournal) }
    }

    /// Returns the function that writes log lines of at least a level.
    private static func log(_ output: LogOutput, from least: LogLevel) -> (LogLevel, String) -> Void {
        { if $0.isLogged(from: least) { output.write($0, $1) } }
    }
}

/// The stores, one per folder. If a new configuration returns to an earlier folder, it gets the same store, which may
/// still be writing there. This way, an older state is never written after a newer one.
private final class Stores {
    private var stores: [String: BackgroundStore] = [:]

    /// Returns the store of a folder; without a folder, a store that saves nothing.
    func store(for storage: NodeConfiguration.Storage?) throws(SystemError) -> any Store {
        guard let directory = storage?.directory else { return NoStore() }
        if let store = stores[directory] { return store }
        let store = try BackgroundStore(FileStore(directory: directory))
        stores[directory] = store
        return store
    }
}

/// The lamps of a chip, or simulated ones that also show the time.
private struct LampParts {
    let outputs: any Outputs
    let displays: [any StatusDisplay]
    let watches: [any EventSource<NodeEvent>]
    /// The remark about the lamps in the status for the service manager; nil for none.
    let remark: String?

    init(_ gpio: NodeConfiguration.GPIO) {
        if gpio.chip == .simulated {
            let stoplight = SimulatedOutputs()
            outputs = stoplight
            displays = [stoplight]
            watches = []
            remark = "lamps simulated: " + (gpio == .init() ? "no gpio.outputs" : "gpio.chip is simulated")
        } else {
            outputs = GPIOOutputs(gpio)
            displays = []
            watches = [ChipWatch()?.reporting { .chipsChanged }].compactMap(\.self)
            remark = nil
        }
    }
}
