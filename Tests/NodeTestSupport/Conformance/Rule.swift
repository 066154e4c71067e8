/// One promise of a port: a check that each of its implementations passes.
///
/// The harness makes the port and stands on its other side: at the wires, at the broker, at the disk. A rule knows the port
/// and the harness, and never the implementation.
package struct Rule<Harness>: Sendable, CustomStringConvertible {
    /// The promise, as the end of a sentence that begins with the port.
    package let description: String
    /// Does what the promise is about, and throws where it is not kept.
    package let check: @Sendable (Harness) throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (Harness) throws -> Void) {
        self.description = description
        self.check = check
    }
}

/// What a port did instead of what it promises.
package struct BrokenRule: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws unless the condition holds.
func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
    guard condition else { throw BrokenRule(complaint()) }
}

/// Throws unless something is what it is to be.
func require<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String) throws {
    guard found == wanted else { throw BrokenRule("\(what): \(found), not \(wanted)") }
}

/// Throws unless the body throws an error of a type.
func requireFailure<Failure: Error>(_: Failure.Type, _ what: String, _ body: () throws -> Void) throws {
    do { try body() } catch is Failure { return }
    throw BrokenRule("\(what) did not fail")
}
