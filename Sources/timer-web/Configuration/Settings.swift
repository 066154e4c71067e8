internal import ArgumentParser
internal import BrokerLink
internal import ConfigurationFiles
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration
internal import WebCore

/// All that the server is told: by the file, the environment, and the node on the same machine.
struct Settings {
    /// The file of the service, read where no other is named and where it is there.
    static let servicesFile = "/etc/timer-web/timer-web.yaml"
    /// The file of a node on the same machine, whose broker is used where nothing else is named.
    static let nodesFile = "/etc/timer-node/timer-node.yaml"
    /// The state directory of the service.
    static let servicesDirectory = "/var/lib/timer-web"

    var configuration: WebConfiguration
    var mqtt: NodeConfiguration.MQTT
    /// The file that was read; nil for none.
    let file: String?
    /// What somebody should know of how this came about.
    private(set) var notes: [(level: LogLevel, text: String)] = []

    /// Reads everything.
    ///
    /// - Parameter file: the file that somebody named; nil for that of the service.
    /// - Throws: ``ConfigurationError`` with all faults of the file; those of the node's file are notes.
    init(
        file named: String?, environment: [String: String], purpose: NodeConfiguration.Purpose = .running,
        servicesFile: String = servicesFile, nodesFile: String = nodesFile
    ) throws(ConfigurationError) {
        file = named ?? (Self.isThere(servicesFile) ? servicesFile : nil)
        let loaded = try WebConfiguration.load(
            path: file, environment: environment, purpose: purpose, readFile: File.read)
        configuration = loaded.configuration
        mqtt = .init(brokers: [Broker(host: "127.0.0.1")], clientID: "")
        notes = loaded.warnings.map { (.warning, "\($0)") }
        if let written = configuration.mqtt { mqtt = written } else { takeNodesBroker(nodesFile) }
    }

    /// Takes the broker of the node on this machine, where its file can be read.
    private mutating func takeNodesBroker(_ file: String) {
        guard Self.isThere(file) else { return }
        do throws(ConfigurationError) {
            guard
                let mqtt = try NodeConfiguration.loadMQTT(
                    path: file, environment: [:], purpose: .checking, readFile: File.read)
            else { return }
            self.mqtt = mqtt
            // The name is the node's; who has it would throw the node out.
            self.mqtt.link.clientID = ""
            notes.append((.info, "the broker is that of \(file)"))
        } catch {
            notes += error.lines.map { (.warning, $0) }
            notes.append((.warning, "the broker is mqtt://127.0.0.1, because \(file) names none that can be used"))
        }
    }

    private static func isThere(_ file: String) -> Bool {
        do throws(FileError) { return try !File.read(file, upTo: 1).isEmpty } catch { return error.kind == .other }
    }
}

extension Settings {
    /// The folder of PINs and tokens.
    ///
    /// - Parameter isServer: whether the server asks. A person asks for the service's, where there is one.
    func stateDirectory(_ environment: [String: String], isServer: Bool) throws(StateDirectoryFault) -> String {
        if let directory = configuration.storage.directory { return directory }
        // systemd separates several with colons.
        if let directory = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(directory) }
        if !isServer, FileManager.default.destinationExists(Self.servicesDirectory) { return Self.servicesDirectory }
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/timer-web" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { throw StateDirectoryFault() }
        return home + "/.local/state/timer-web"
    }
}

/// There is no folder for the PINs.
struct StateDirectoryFault: Error, CustomStringConvertible {
    var description: String {
        "there is no folder for PINs and tokens: neither storage.directory, nor STATE_DIRECTORY or HOME in the environment"
    }
}

extension FileManager {
    /// Whether there is something, even if only root may look into it, as with a service of its own user.
    fileprivate func destinationExists(_ path: String) -> Bool { (try? attributesOfItem(atPath: path)) != nil }
}
