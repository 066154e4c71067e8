import Foundation

/// The reason why a test cannot continue.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The time limit for events that are certain to happen: longer than they take when other programs keep all processors
/// busy.
let longestWait: Duration = .seconds(180)

/// Waits for a condition. The time limit only matters if the condition never becomes true, so it can be generous.
///
/// - Parameter pause: the pause between two checks. It is longer by default in simulated time, where waiting
///   costs nothing, but checking costs system calls.
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

/// The system's description of an error number.
func errorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
