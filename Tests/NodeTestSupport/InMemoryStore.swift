package import IoTNode
package import TimerEngine

/// Keeps the document in memory, at once or as slowly as is asked for.
package final class InMemoryStore: Store {
    /// The document as last saved.
    package private(set) var document: [UInt8]?
    /// What was set aside, by its name.
    package private(set) var others: [String: [UInt8]] = [:]
    /// How many states were written.
    package private(set) var writes = 0
    /// Whether the disk does nothing at present: what is asked for waits until it does again.
    package var isStuck = false

    private var saving: (state: SavedNodeState, number: Int)?
    private var settingAside: [SetAside] = []

    /// A store that holds `document`.
    package init(_ document: [UInt8]? = nil) { self.document = document }

    /// The document.
    package func load() throws(StoreError) -> [UInt8]? { document }

    /// Replaces the document when the loop looks next, unless a newer state comes before.
    package func save(_ state: SavedNodeState, number: Int) { saving = (state, number) }

    /// Keeps it under its name when the loop looks next.
    package func setAside(_ what: SetAside) { settingAside.append(what) }

    /// Nothing to wait for.
    package var interests: [Interest] { [] }

    /// At once while there is something to do.
    package var nextInstant: TimerEngine.Instant? {
        isStuck || (saving == nil && settingAside.isEmpty) ? nil : TimerEngine.Instant(sinceEpoch: .zero)
    }

    /// Does what was asked for.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !isStuck else { return [] }
        var events = settingAside.map { NodeEvent.setAside($0, .success(keep($0))) }
        settingAside = []
        if let (state, number) = saving {
            document = state.document
            writes += 1
            events.append(.stored(number))
            saving = nil
        }
        return events
    }

    private func keep(_ what: SetAside) -> String {
        switch what {
        case .document(let suffix):
            others["state.\(suffix)"] = document
            document = nil
            return "state.\(suffix)"
        case .edits(let timers, let suffix):
            others["timers.\(suffix)"] = timers
            return "timers.\(suffix)"
        }
    }
}
