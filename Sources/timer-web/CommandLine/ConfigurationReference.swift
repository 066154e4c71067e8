internal import ArgumentParser
internal import NodeConfiguration

/// `timer-web configuration-reference`: prints docs/web-configuration.md, for developers.
struct ConfigurationReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the page of all configuration keys.", shouldDisplay: false)

    func run() { print(WebConfiguration.reference, terminator: "") }
}
