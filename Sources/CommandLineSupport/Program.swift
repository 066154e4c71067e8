package import ArgumentParser
internal import Glibc
internal import LinuxSystem

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
