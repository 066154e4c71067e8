internal import ArgumentParser
internal import FoundationEssentials
internal import IoTNode

extension NodeConfiguration {
    /// Reads a configuration file; says all that is wrong with it on standard error and exits where it cannot be used.
    static func loadOrExit(_ path: String) throws(ExitCode) -> Loaded {
        do throws(ConfigurationError) {
            return try load(path: path, environment: ProcessInfo.processInfo.environment)
        } catch {
            var errors = StandardError()
            print(error, to: &errors)
            switch error {
            case .unreadable: throw .io
            case .faulty: throw .configuration
            }
        }
    }
}
