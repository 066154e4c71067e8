package import ArgumentParser
internal import Glibc
internal import LinuxSystem
package import NodeConfiguration

extension ParsableCommand {
    /// Runs this command as the program, and ends the process.
    ///
    /// SIGPIPE is ignored, so a write to a broker that is gone fails instead of ending the process. The process ends
    /// without the handlers that `exit` calls: OpenSSL cleans up in such a handler, while a thread that is still
    /// connecting to a broker may be inside OpenSSL.
    package static func runProgram() -> Never {
        BrokenPipe.ignore()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch { leave(because: error) }
        leave(ExitCode.success)
    }

    /// Prints the reason for the end of the process, and ends it.
    package static func leave(because error: any Error) -> Never {
        let (code, message) = (exitCode(for: error), fullMessage(for: error))
        var errors = StandardError()
        // Requested text, such as the help, is not an error.
        if !message.isEmpty { if code.isSuccess { print(message) } else { print(message, to: &errors) } }
        leave(code)
    }

    /// Flushes all output and ends the process; see ``runProgram()``.
    package static func leave(_ code: ExitCode) -> Never {
        // nil means all streams.
        fflush(nil)
        _exit(code.rawValue)
    }
}

/// The exit codes from sysexits.h that the programs use; ArgumentParser exits with 64 for a wrong command line.
extension ExitCode {
    /// A file that the user named is invalid.
    package static let data = ExitCode(65)
    /// A required service is unavailable.
    package static let unavailable = ExitCode(69)
    /// The system denies an essential resource, such as a descriptor or a port.
    package static let `internal` = ExitCode(70)
    /// A file could not be read or written.
    package static let io = ExitCode(74)
    /// The configuration is invalid.
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

/// Reads a configuration; if it is unreadable or invalid, reports all errors on standard error and exits with the
/// matching code.
package func orExit<Value>(_ read: () throws(ConfigurationError) -> Value) throws(ExitCode) -> Value {
    do {
        return try read()
    } catch {
        StandardError.say(error)
        throw error.exitCode
    }
}

extension ConfigurationError {
    /// The exit code of a program that cannot use its configuration.
    package var exitCode: ExitCode {
        switch self {
        case .unreadable: .io
        case .faulty: .configuration
        }
    }
}
