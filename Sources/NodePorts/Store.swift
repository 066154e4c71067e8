package import BrokerLink
package import TimerEngine

/// Keeps the state over restarts.
///
/// Work is done later and in order. Only ``load()`` waits for the disk.
package protocol Store: EventSource where Event == StoreEvent {
    /// The document that was saved last; nil if there is none. For the start of a node.
    func load() throws(StoreError) -> [UInt8]?

    /// The document of the runs that was saved last; nil if there is none. For the start of a node.
    func loadRuns() throws(StoreError) -> [UInt8]?

    /// Replaces the saved state, atomically; before it the runs, where there are any to save, since the new state may
    /// not know a run any more that has just ended. Where the runs cannot be saved, the state is not.
    ///
    /// A newer state replaces one that is still queued. ``StoreEvent/stored(_:)`` or ``StoreEvent/failed(_:_:)`` reports
    /// the end of each save that was begun.
    ///
    /// - Parameters:
    ///   - runs: all the runs; nil where they are saved already.
    ///   - number: identifies the save in that event.
    func save(_ state: any Savable, runs: (any Savable)?, number: Int)

    /// Keeps something under a name of its own, without replacing a file.
    ///
    /// ``StoreEvent/setAside(_:_:)`` reports the name, for a person, or the failure.
    func setAside(_ what: SetAside)
}

/// Something that a store saves. Whoever writes it to the disk asks for the bytes, on a thread that may take its time.
package protocol Savable: Sendable {
    /// What is written.
    var document: [UInt8] { get }
}

/// What a store keeps at most.
package enum StoreLimits {
    /// The most bytes that a document has. What a node saves at most is less: a test reckons it up.
    package static let documentSize = 2 * 1024 * 1024
}

/// What a store reports.
package enum StoreEvent: Hashable, Sendable {
    /// The save of this number reached the disk.
    case stored(Int)
    /// The save of this number failed.
    case failed(Int, StoreError)
    /// Something was set aside as this file, or could not be.
    case setAside(SetAside, Result<String, StoreError>)
}

/// Why a document could not be read or written.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which file, which step, and the system's reason.
    package let description: String

    /// Names the failure.
    package init(_ description: String) { self.description = description }
}

/// What has to be kept under another name before the saved state may be replaced.
package enum SetAside: Hashable, Sendable {
    /// The saved state as it is, under another name.
    case document(suffix: String)
    /// The saved runs as they are, under another name.
    case runs(suffix: String)
    /// The timers that were edited, as the command `timers` takes them.
    case edits([UInt8], suffix: String)
}

/// Keeps nothing, for a node without `storage`, whose core saves nothing.
package final class NoStore: Store {
    package init() {}

    package var interests: [Interest] { [] }
    package func takeEvents(ready: [Interest], at now: Instant) -> [StoreEvent] { [] }
    package func load() throws(StoreError) -> [UInt8]? { nil }
    package func loadRuns() throws(StoreError) -> [UInt8]? { nil }
    package func save(_ state: any Savable, runs: (any Savable)?, number: Int) {}
    package func setAside(_ what: SetAside) {}
}
