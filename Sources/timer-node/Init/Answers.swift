internal import BrokerLink
internal import ConfigurationFiles
internal import FoundationEssentials
internal import NodeConfiguration

/// What `timer-node init` has been told. It begins as a node that works anywhere: drawn lamps and no broker.
///
/// Each state of it is a configuration, see ``text``. So whether an answer is right is asked of the configuration's own
/// check, which has the reason too.
struct Answers: Hashable, Sendable {
    var profile = SignalProfile.podium
    /// `auto`, `simulated`, or the path, the name or the label of a chip.
    var chip = Self.simulatedChip
    /// The line of each output, by name or offset; empty for drawn lamps.
    var lines: [OutputName: String] = [:]
    /// Whether the lamps are on when their lines are low.
    var activeLow = false
    /// The broker's URL; nil for none.
    var broker: String?
    var username: String?
    var passwordFile: String?
    var id = "timer-node"
    /// The name for people; nil for the id.
    var name: String?

    static let simulatedChip = "simulated"

    /// The outputs in the order in which they are asked for and written.
    static let outputs: [OutputName] = ["green", "yellow", "red", "buzzer"]

    /// Reads the configuration that the answers make.
    ///
    /// - Parameters:
    ///   - file: where it is to be written; relative paths in it are from its folder.
    ///   - environment: where else the broker's password may be; nothing else of it counts.
    /// - Throws: ``WrongAnswer`` with the first fault.
    func load(
        file: String, environment: [String: String] = [:], readFile: @escaping FileReader
    ) throws(WrongAnswer) -> NodeConfiguration {
        // A password without a user name would be a fault.
        let passwords = username == nil ? [:] : environment.filter { $0.key == Self.passwordVariable }
        do throws(ConfigurationError) {
            return try NodeConfiguration.load(
                yaml: Array(text.utf8), file: file, environment: passwords, purpose: .checking, readFile: readFile
            ).configuration
        } catch {
            guard case .faulty(let faults) = error, let fault = faults.first(where: { $0.severity == .fault }) else {
                throw WrongAnswer("\(error)")
            }
            throw WrongAnswer("\(fault.problem)")
        }
    }

    /// The variable that may hold the broker's password.
    static let passwordVariable = "TIMER_NODE_MQTT_PASSWORD"
    /// Where the systemd unit takes the broker's password from.
    static let passwordFile = "/etc/credstore/timer-node.mqtt-password"
}
