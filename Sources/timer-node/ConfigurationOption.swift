internal import ArgumentParser

/// Which configuration a command goes by.
struct ConfigurationOption: ParsableArguments {
    @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config = "/etc/timer-node/timer-node.yaml"
}
