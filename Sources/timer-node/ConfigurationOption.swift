internal import ArgumentParser

/// The option for the configuration file.
struct ConfigurationOption: ParsableArguments {
    @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config = "/etc/timer-node/timer-node.yaml"
}
