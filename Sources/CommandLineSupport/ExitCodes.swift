package import ArgumentParser
internal import LinuxSystem
package import NodeConfiguration

/// The exit codes from sysexits.h that the programs use; ArgumentParser exits with 64 for a wrong command line.
extension ExitCode {
    /// A required service is unavailable.
    package static let unavailable = ExitCode(69)
    /// The system refuses something essential, such as a descriptor or a port.
    package static let `internal` = ExitCode(70)
    /// A file could not be read or written.
    package static let io = ExitCode(74)
    /// The configuration has faults.
    package static let configuration = ExitCode(78)
}

/// Runs a body; if it fails, reports the error on standard error and exits with a code.
package func orExit<Value, Fault: Error & CustomStringConvertible>(
    _ code: ExitCode, _ body: () throws(Fault) -> Value
) throws(ExitCode) -> Value {
    do {
        return try body()
    } catch {
        StandardError.say(error)
        throw code
    }
}

/// Reads a configuration; if it cannot be used, reports all faults on standard error and exits with the code for that.
package func orExit<Value>(_ read: () throws(ConfigurationError) -> Value) throws(ExitCode) -> Value {
    do {
        return try read()
    } catch {
        StandardError.say(error)
        throw error.exitCode
    }
}

extension ConfigurationError {
    /// What a program exits with that cannot use its configuration.
    package var exitCode: ExitCode {
        switch self {
        case .unreadable: .io
        case .faulty: .configuration
        }
    }
}
