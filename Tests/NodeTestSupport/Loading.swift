internal import ConfigurationFiles
import FoundationEssentials
import LinuxSystem
package import NodeConfiguration
import TimerProtocol

/// Loads a configuration whose file is called `node.yaml`, on a host called `Lectern.example`.
package func load(_ yaml: String, environment: [String: String] = [:]) throws(ConfigurationError)
    -> NodeConfiguration.Loaded
{
    try NodeConfiguration.load(
        yaml: Array(yaml.utf8), file: "node.yaml", environment: environment, hostName: "Lectern.example",
        readFile: File.read)
}

/// Returns the faults and warnings of a configuration as readable text.
package func findings(_ yaml: [UInt8], environment: [String: String] = [:]) -> [String] {
    do throws(ConfigurationError) {
        return try NodeConfiguration.load(
            yaml: yaml, file: "node.yaml", environment: environment, hostName: "lectern", readFile: File.read
        )
        .warnings.map(\.description)
    } catch {
        guard case .faulty(let faults) = error else { return [] }
        return faults.map(\.description)
    }
}

/// Returns the faults and warnings of a configuration as readable text.
package func findings(_ yaml: String, environment: [String: String] = [:]) -> [String] {
    findings(Array(yaml.utf8), environment: environment)
}

/// Runs `body` with the path of a temporary folder, and deletes the folder afterwards.
package func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/timer-node-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
}
