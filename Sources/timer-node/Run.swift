internal import ArgumentParser
internal import IoTNode
internal import Logging

/// `timer-node run`: builds the parts and runs the loop.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the node.")

    @Option(help: "The configuration file.")
    var config = "/etc/timer-node/timer-node.yaml"

    func run() throws {
    }
}
