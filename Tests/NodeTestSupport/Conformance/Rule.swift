/// A rule for a port: a check that each of its implementations must pass.
///
/// The harness creates the port and controls its other side: the wires, the broker, the disk. A rule uses only the port
/// and the harness, never the implementation.
package struct Rule<Harness>: Sendable, CustomStringConvertible {
    /// The rule, as the predicate of a sentence whose subject is the port.
    package let description: String
    /// Exercises the port, and throws if the rule is broken.
    package let check: @Sendable (Harness) throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (Harness) throws -> Void) {
        self.description = description
        self.check = check
    }
}

/// Describes how a port broke a rule.
package struct BrokenRule: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws unless the condition holds.
func require(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
    guard condition else { throw BrokenRule(complaint()) }
}

/// Throws unless a value is the expected one.
func require<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String) throws {
    guard found == wanted else { throw BrokenRule("\(what): \(found), not \(wanted)") }
}

/// Throws unless the body throws an error of the given type.
func requireFailure<Failure: Error>(_: Failure.Type, _ what: String, _ body: () throws -> Void) throws {
    do { try body() } catch is Failure { return }
    throw BrokenRule("\(what) did not fail")
}
