internal import ArgumentParser
internal import BrokerLink
internal import ConfigurationFiles
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration
internal import WebCore

/// All settings of the server: from the file, the environment, and the node on the same machine.
struct Settings {
    /// The service's configuration file. It is read if it exists and the command line names no other file.
    static let serviceFile = "/etc/timer-web/timer-web.yaml"
    /// The configuration file of a node on the same machine. Its broker is used if no other is configured.
    static let nodeFile = "/etc/timer-node/timer-node.yaml"
    /// The state directory of the service.
    static let servicesDirectory = "/var/lib/timer-web"

    var configuration: WebConfiguration
    var mqtt: NodeConfiguration.MQTT
    /// The file that was read; nil for none.
    let file: String?
    /// Messages about how the settings were obtained, for the log.
    private(set) var notes: [(level: LogLevel, text: String)] = []

    /// Reads everything.
    /// - Parameter file: the file named on the command line; nil for the service's file.
    /// - Throws: ``ConfigurationError`` with all errors in the file; those in the node's file become notes.
    init(
        file named: String?, environment: [String: String], purpose: NodeConfiguration.Purpose = .running,
        serviceFile: String = serviceFile, nodeFile: String = nodeFile
    ) throws(ConfigurationError) {
        file = named ?? (Self.isThere(serviceFile) ? serviceFile : nil)
        let loaded = try WebConfiguration.load(
            path: file, environment: environment, purpose: purpose, readFile: File.read)
        configuration = loaded.configuration
        mqtt = .init(brokers: [Broker(host: "127.0.0.1")], clientID: "")
        notes = loaded.warnings.map { (.warning, "\($0)") }
        if let written = configuration.mqtt { mqtt = written } else { useNodeBroker(nodeFile) }
    }

    /// Uses the broker of the node on this machine, if its file can be read.
    private mutating func useNodeBroker(_ file: String) {
        guard Self.isThere(file) else { return }
        do throws(ConfigurationError) {
            guard
                let mqtt = try NodeConfiguration.loadMQTT(
                    path: file, environment: [:], purpose: .checking, readFile: File.read)
            else { return }
            self.mqtt = mqtt
            // The client identifier belongs to the node. If the server used it too, the broker would disconnect the
            // node.
            self.mqtt.link.clientID = ""
            notes.append((.info, "using the broker of \(file)"))
        } catch {
            notes += error.lines.map { (.warning, $0) }
            notes.append((.warning, "using the broker mqtt://127.0.0.1, because \(file) has no usable one"))
        }
    }

    private static func isThere(_ file: String) -> Bool {
        do throws(FileError) { return try !File.read(file, upTo: 1).isEmpty } catch { return error.kind == .other }
    }
}

extension Settings {
    /// The folder for PINs and tokens.
    /// - Parameter isServer: whether the folder is for the server. A command uses the service's folder, if it exists.
    func stateDirectory(_ environment: [String: String], isServer: Bool) throws(StateDirectoryFault) -> String {
        if let directory = configuration.storage.directory { return directory }
        // systemd separates several directories with colons.
        if let directory = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(directory) }
        if !isServer, FileManager.default.destinationExists(Self.servicesDirectory) { return Self.servicesDirectory }
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/timer-web" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { throw StateDirectoryFault() }
        return home + "/.local/state/timer-web"
    }
}

/// The error that no folder for the PINs is configured.
struct StateDirectoryFault: Error, CustomStringConvertible {
    var description: String {
        "no folder for PINs and tokens: set storage.directory, or STATE_DIRECTORY or HOME in the environment"
    }
}

extension FileManager {
    /// Whether a path exists, even if only root may look into it, as with a service that has its own user.
    fileprivate func destinationExists(_ path: String) -> Bool { (try? attributesOfItem(atPath: path)) != nil }
}
