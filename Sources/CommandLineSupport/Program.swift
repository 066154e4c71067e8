package import ArgumentParser
internal import Glibc
internal import LinuxSystem
package import NodeConfiguration

extension ParsableCommand {
    /// Runs the program that this command is, and ends the process.
    ///
    /// A broker that is gone is an error of a write, and not the end of the process. The process ends without the handlers
    /// that `exit` calls: a thread that is still connecting to a broker may be inside OpenSSL, and OpenSSL takes itself
    /// down in such a handler.
    package static func runProgram() -> Never {
        BrokenPipe.ignore()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch { leave(because: error) }
        leave(ExitCode.success)
    }

    /// Says why the process ends, and ends it.
    package static func leave(because error: any Error) -> Never {
        let (code, message) = (exitCode(for: error), fullMessage(for: error))
        var errors = StandardError()
        // A text that was asked for, such as the help, is no error.
        if !message.isEmpty { if code.isSuccess { print(message) } else { print(message, to: &errors) } }
        leave(code)
    }

    /// Ends the process when all that it has said is written; see ``runProgram()``.
    package static func leave(_ code: ExitCode) -> Never {
        // All streams.
        fflush(nil)
        _exit(code.rawValue)
    }
}

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
