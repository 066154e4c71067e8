import Foundation

/// Why a test cannot go on.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How long to wait for what certainly comes: longer than it takes where other programs keep all processors busy.
let longestWait: Duration = .seconds(180)

/// Waits for a condition; the time limit is there for what never comes, and can be generous.
///
/// - Parameter pause: what passes the time from one look to the next. In simulated time it is longer by default: there a
///   wait costs nothing, and a look costs system calls.
func waitUntil(
    _ what: String, timeout: Duration = longestWait,
    pause: () -> Void = { usleep(SimulatedChip.isTimeSimulated ? 50_000 : 5_000) },
    _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + timeout
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TestFailure("waited \(timeout) in vain for \(what)") }
        pause()
    }
}

/// The system's words for an error number.
func errorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
