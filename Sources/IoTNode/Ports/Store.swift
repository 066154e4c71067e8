package import TimerEngine

/// Keeps the state over restarts. The real one is ``BackgroundStore``, the one for tests ``InMemoryStore``.
///
/// What is asked for is done later and in order, and nothing here but ``load()`` waits for the disk.
package protocol Store: EventSource {
    /// The document as last saved; nil where there is none. For a node that begins.
    func load() throws(StoreError) -> [UInt8]?

    /// Has the saved state replaced, whole or not at all.
    ///
    /// A newer state takes the place of one that is not begun yet. ``NodeEvent/stored(_:)`` or
    /// ``NodeEvent/storeFailed(_:_:)`` tells how each one that was begun ended.
    ///
    /// - Parameter number: what the event tells it by.
    func save(_ state: SavedNodeState, number: Int)

    /// Has something kept under another name, of its own: nothing that is there is replaced.
    ///
    /// ``NodeEvent/setAside(_:_:)`` tells what it is kept as, for a person, or why it could not be.
    func setAside(_ what: SetAside)
}

/// Why a document could not be read or written.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which file, which step, and the system's reason.
    package let description: String

    /// Names the failure.
    package init(_ description: String) { self.description = description }
}

/// What has to be kept before the saved state may be replaced.
package enum SetAside: Hashable, Sendable {
    /// The saved state as it is, under another name.
    case document(suffix: String)
    /// The timers that were edited, as the command `timers` takes them.
    case edits([UInt8], suffix: String)
}

/// Keeps nothing, for a node without `storage`, whose core saves nothing.
package final class NoStore: Store {
    package init() {}

    package var interests: [Interest] { [] }
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }
    package func load() throws(StoreError) -> [UInt8]? { nil }
    package func save(_ state: SavedNodeState, number: Int) {}
    package func setAside(_ what: SetAside) {}
}
