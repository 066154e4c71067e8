internal import ArgumentParser

/// Runs a body; says on standard error what it fails with and exits with a code.
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
