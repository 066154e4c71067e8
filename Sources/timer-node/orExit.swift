internal import ArgumentParser

/// Runs a body; if it fails, reports the error on standard error and exits with a code.
func orExit<Value, Fault: Error & CustomStringConvertible>(
    _ code: ExitCode, _ body: () throws(Fault) -> Value
) throws(ExitCode) -> Value {
    do {
        return try body()
    } catch {
        StandardError.say(error)
        throw code
    }
}
