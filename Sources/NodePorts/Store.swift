package import BrokerLink
package import TimerEngine

/// Keeps the state across restarts.
///
/// Work is queued and done in order. Only ``load()`` and ``loadRuns()`` wait for the disk.
package protocol Store: EventSource where Event == StoreEvent {
    /// Returns the state document that was saved last, perhaps after earlier ones, and before an incomplete one; nil if
    /// none was saved. Called when a node starts.
    func load() throws(StoreError) -> [UInt8]?

    /// Returns the runs document that was saved last; nil if none was saved. Called when a node starts.
    func loadRuns() throws(StoreError) -> [UInt8]?

    /// Saves the state: after any failure or power cut, either this state or the previous one is complete. If there are runs to save, they are saved first, since the new state may no
    /// longer contain a run that has just ended. If the runs cannot be saved, the state is not saved either.
    ///
    /// A newer state replaces one that is still queued. ``StoreEvent/stored(_:)`` or ``StoreEvent/failed(_:_:)``
    /// reports the end of each save that was started.
    ///
    /// - Parameters:
    ///   - runs: all the runs; nil if they are already saved.
    ///   - number: identifies the save in that event.
    func save(_ state: any Savable, runs: (any Savable)?, number: Int)

    /// Keeps a document in a separate file, without replacing an existing file.
    ///
    /// ``StoreEvent/setAside(_:_:)`` reports the file's name, as text for the user, or the failure.
    func setAside(_ what: SetAside)
}

/// A document that a store saves. The store requests the bytes when it writes them, on a thread that is not
/// time-critical.
package protocol Savable: Sendable {
    /// The bytes to write.
    var document: [UInt8] { get }
}

/// The limits of a store.
package enum StoreLimits {
    /// The maximum size of a document in bytes. A node saves less than this, which a test verifies.
    package static let documentSize = 3 * 1024 * 1024
}

/// A store event.
package enum StoreEvent: Hashable, Sendable {
    /// The save with this number reached the disk.
    case stored(Int)
    /// The save with this number failed.
    case failed(Int, StoreError)
    /// A document was set aside in this file, or could not be set aside.
    case setAside(SetAside, Result<String, StoreError>)
}

/// Why a document could not be read or written.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, the step that failed, and the system's reason.
    package let description: String

    /// Creates an error from its description.
    package init(_ description: String) { self.description = description }
}

/// A document that must be kept under another name before the saved state may be replaced.
package enum SetAside: Hashable, Sendable {
    /// The unchanged file of the saved state, under another name.
    case document(suffix: String)
    /// The unchanged file of the saved runs, under another name.
    case runs(suffix: String)
    /// The edited timers, in the format of the `timers` command.
    case edits([UInt8], suffix: String)

    /// What the log calls it.
    package var name: String {
        switch self {
        case .document, .runs: "the old file"
        case .edits: "the edits"
        }
    }
}

/// A store that keeps nothing, for a node without `storage`, whose core saves nothing.
package final class NoStore: Store {
    package init() {}

    package var interests: [Interest] { [] }
    package func takeEvents(ready: [Interest], at now: Instant) -> [StoreEvent] { [] }
    package func load() throws(StoreError) -> [UInt8]? { nil }
    package func loadRuns() throws(StoreError) -> [UInt8]? { nil }
    package func save(_ state: any Savable, runs: (any Savable)?, number: Int) {}
    package func setAside(_ what: SetAside) {}
}
