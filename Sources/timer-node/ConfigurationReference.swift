internal import ArgumentParser
internal import IoTNode
internal import NodeConfiguration

/// `timer-node configuration-reference`: prints docs/configuration.md, for developers.
struct ConfigurationReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the page of all configuration keys.", shouldDisplay: false)

    func run() {
        print(NodeConfiguration.reference, terminator: "")
    }
}
