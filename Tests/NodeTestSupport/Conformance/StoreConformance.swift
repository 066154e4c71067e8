package import BrokerLink
internal import IoTNode
package import NodePorts
import TimerEngine
import TimerProtocol

/// A store and its disk.
package protocol StoreHarness: AnyObject {
    var clock: any NodeClock { get }
    /// Returns the store of another process on the same disk.
    func makeStore() throws -> any Store
    /// Sets whether the disk fails every operation.
    func setFaulty(_ isFaulty: Bool) throws
    /// Returns the bytes kept under a name that the store reported; nil if there are none.
    func kept(as name: String) throws -> [UInt8]?
}

/// The rules for a ``Store``.
package enum StoreConformance {
    package static let rules: [Rule<any StoreHarness>] = [
        Rule("has no document to load if none was saved") { harness in
            let store = try harness.makeStore()
            try require(try store.load(), is: nil, "the document")
            try EventPump(clock: harness.clock).requireIdle(store)
        },
        Rule("reports each save once, by its number, and the next process can load the state") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            for number in [7, 8, 3] {
                store.save(state(number), runs: nil, number: number)
                try require(try pump.nextEvents(of: store, "the save"), is: [.stored(number)], "the events")
                try pump.requireIdle(store)
                try require(try saved(in: store), is: number, "the saved state")
                try require(try saved(in: try harness.makeStore()), is: number, "the state of the next process")
            }
        },
        Rule("ends up with the newest of many states, and reports each state that it saved once and in order") {
            harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            for round in 0..<5 {
                let last = round * 100 + 99
                for number in round * 100...last { store.save(state(number), runs: nil, number: number) }
                let events = try pump.events(of: store, until: "the last save") { $0.contains(.stored(last)) }
                let numbers = events.compactMap { if case .stored(let number) = $0 { number } else { nil } }
                try require(numbers.count, is: events.count, "the number of saves in \(events)")
                try require(numbers, is: Set(numbers).sorted(), "the saves")
                try require(numbers.last, is: last, "the last save")
                try require(numbers.count < 100, "the store skipped no saves")
                try require(try saved(in: store), is: last, "the saved state")
                try pump.requireIdle(store)
            }
        },
        Rule("works in order, and does not skip a save in favour of one that follows another kind of request") {
            harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            let old = SetAside.document(suffix: "old")
            store.save(state(1), runs: nil, number: 1)
            store.setAside(old)
            store.save(state(2), runs: nil, number: 2)
            store.save(state(3), runs: nil, number: 3)
            let events = try pump.events(of: store, until: "the last save") { $0.contains(.stored(3)) }
                .filter { $0 != .stored(2) }
            let name = try name(of: old, in: events)
            try require(events, is: [.stored(1), .setAside(old, .success(name)), .stored(3)], "the events")
            try require(try harness.kept(as: name).map(number), is: 1, "the data set aside")
            try require(try saved(in: store), is: 3, "the saved state")
        },
        Rule("has no document after setting it aside, and keeps it under the name that it reports") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            store.save(state(1), runs: nil, number: 1)
            try pump.nextEvents(of: store, "the save")
            let name = try setAside(.document(suffix: "bad"), in: store, pump)
            try require(try store.load(), is: nil, "the document")
            try require(try harness.makeStore().load(), is: nil, "the next process's document")
            try require(try harness.kept(as: name).map(number), is: 1, "the data set aside")
        },
        Rule("keeps the document when it sets edits aside, and the edits under the name that it reports") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            store.save(state(1), runs: nil, number: 1)
            try pump.nextEvents(of: store, "the save")
            let name = try setAside(.edits([1, 2, 3], suffix: "old"), in: store, pump)
            try require(try harness.kept(as: name), is: [1, 2, 3], "the data set aside")
            try require(try saved(in: store), is: 1, "the saved state")
        },
        Rule("keeps everything that it sets aside under a unique name, and replaces nothing") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            var names: [String] = []
            for number in 1...3 {
                store.save(state(number), runs: nil, number: number)
                try pump.nextEvents(of: store, "the save")
                names.append(try setAside(.document(suffix: "old"), in: store, pump))
                names.append(try setAside(.edits([UInt8(number)], suffix: "old"), in: store, pump))
            }
            try require(Set(names).count, is: names.count, "the number of the names \(names)")
            for number in 1...3 {
                let (document, edits) = (names[number * 2 - 2], names[number * 2 - 1])
                try require(try harness.kept(as: document).map(StoreConformance.number), is: number, document)
                try require(try harness.kept(as: edits), is: [UInt8(number)], edits)
            }
        },
        Rule("keeps nothing when it sets aside a document that does not exist") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            let name = try setAside(.document(suffix: "old"), in: store, pump)
            try require(try harness.kept(as: name), is: nil, "the data set aside")
            try require(try store.load(), is: nil, "the document")
        },
        Rule("reports each failure separately, and works again after the fault") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            store.save(state(1), runs: nil, number: 1)
            try pump.nextEvents(of: store, "the save")
            try harness.setFaulty(true)
            for number in 2...3 {
                store.save(state(number), runs: nil, number: number)
                let events = try pump.nextEvents(of: store, "the failure")
                guard case .failed(number, _)? = events.first, events.count == 1 else {
                    throw BrokenRule("for save \(number) it reported \(events)")
                }
            }
            for what in [SetAside.document(suffix: "old"), .edits([1], suffix: "old")] {
                store.setAside(what)
                let events = try pump.nextEvents(of: store, "the failure")
                guard case .setAside(what, .failure)? = events.first, events.count == 1 else {
                    throw BrokenRule("for \(what) it reported \(events)")
                }
            }
            try requireFailure(StoreError.self, "load") { _ = try store.load() }
            try harness.setFaulty(false)
            try require(try saved(in: store), is: 1, "the saved state after the fault")
            store.save(state(4), runs: nil, number: 4)
            try require(try pump.nextEvents(of: store, "the save"), is: [.stored(4)], "the events")
            try require(try saved(in: store), is: 4, "the saved state")
            try pump.requireIdle(store)
        },
    ]

    /// Returns a state that can be recognised by its boot.
    private static func state(_ number: Int) -> SavedNodeState {
        let moment = VirtualClock().now
        return SavedNodeState(
            boot: "\(number)", at: moment.instant, date: moment.date, player: TimerPlayer())
    }

    /// Returns the number of a saved state.
    private static func number(_ file: [UInt8]) throws -> Int? {
        guard let json = file.split(separator: UInt8(ascii: "\n")).last,
            case .string(let boot)? = try JSON(parsing: Array(json))["boot"]
        else { return nil }
        return Int(boot)
    }

    private static func saved(in store: any Store) throws -> Int? { try store.load().flatMap(number) }

    /// Sets a document aside, and returns the name under which it is kept.
    private static func setAside(_ what: SetAside, in store: any Store, _ pump: EventPump) throws -> String {
        store.setAside(what)
        let events = try pump.nextEvents(of: store, "the name of the document that was set aside")
        try require(events.count, is: 1, "the number of events")
        return try name(of: what, in: events)
    }

    private static func name(of what: SetAside, in events: [StoreEvent]) throws -> String {
        for case .setAside(what, .success(let name)) in events { return name }
        throw BrokenRule("no name for \(what) in \(events)")
    }
}
