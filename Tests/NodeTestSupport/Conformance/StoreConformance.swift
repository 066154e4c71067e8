package import BrokerLink
internal import IoTNode
package import NodePorts
import TimerEngine
import TimerProtocol

/// A store with its disk.
package protocol StoreHarness: AnyObject {
    var clock: any NodeClock { get }
    /// The store of another process on the same disk.
    func makeStore() throws -> any Store
    /// Whether the disk fails whatever is asked of it.
    func setFaulty(_ isFaulty: Bool) throws
    /// What is kept under a name that the store told; nil for nothing.
    func kept(as name: String) throws -> [UInt8]?
}

/// What ``Store`` promises.
package enum StoreConformance {
    package static let rules: [Rule<any StoreHarness>] = [
        Rule("has no document to load where none was saved") { harness in
            let store = try harness.makeStore()
            try require(try store.load(), is: nil, "the document")
            try EventPump(clock: harness.clock).requireIdle(store)
        },
        Rule("tells a save by its number, once, and gives the state to the next process") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            for number in [7, 8, 3] {
                store.save(state(number), runs: nil, number: number)
                try require(try pump.nextEvents(of: store, "the save"), is: [.stored(number)], "what it tells")
                try pump.requireIdle(store)
                try require(try saved(in: store), is: number, "what it has")
                try require(try saved(in: try harness.makeStore()), is: number, "what the next process has")
            }
        },
        Rule("saves the newest of many states in the end, and tells of those that it saved, each once and in order") {
            harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            for round in 0..<5 {
                let last = round * 100 + 99
                for number in round * 100...last { store.save(state(number), runs: nil, number: number) }
                let events = try pump.events(of: store, until: "the last save") { $0.contains(.stored(last)) }
                let numbers = events.compactMap { if case .stored(let number) = $0 { number } else { nil } }
                try require(numbers.count, is: events.count, "how many of \(events) are saves")
                try require(numbers, is: Set(numbers).sorted(), "the saves")
                try require(numbers.last, is: last, "the last save")
                try require(numbers.count < 100, "it did not leave out any")
                try require(try saved(in: store), is: last, "what it has")
                try pump.requireIdle(store)
            }
        },
        Rule("does what it is asked in order, and leaves out no save for one that comes after something else") {
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
            try require(events, is: [.stored(1), .setAside(old, .success(name)), .stored(3)], "what it tells")
            try require(try harness.kept(as: name).map(number), is: 1, "what it set aside")
            try require(try saved(in: store), is: 3, "what it has")
        },
        Rule("leaves no document where it set it aside, and keeps that under the name that it tells") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            store.save(state(1), runs: nil, number: 1)
            try pump.nextEvents(of: store, "the save")
            let name = try setAside(.document(suffix: "bad"), in: store, pump)
            try require(try store.load(), is: nil, "the document")
            try require(try harness.makeStore().load(), is: nil, "the next process's document")
            try require(try harness.kept(as: name).map(number), is: 1, "what it set aside")
        },
        Rule("leaves the document where it sets edits aside, and keeps them under the name that it tells") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            store.save(state(1), runs: nil, number: 1)
            try pump.nextEvents(of: store, "the save")
            let name = try setAside(.edits([1, 2, 3], suffix: "old"), in: store, pump)
            try require(try harness.kept(as: name), is: [1, 2, 3], "what it set aside")
            try require(try saved(in: store), is: 1, "what it has")
        },
        Rule("keeps what it sets aside under a name of its own, and replaces nothing") { harness in
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
        Rule("sets a document aside that is not there, by keeping nothing") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            let name = try setAside(.document(suffix: "old"), in: store, pump)
            try require(try harness.kept(as: name), is: nil, "what it set aside")
            try require(try store.load(), is: nil, "the document")
        },
        Rule("tells what fails, each by itself, and does the next when the fault is gone") { harness in
            let (store, pump) = (try harness.makeStore(), EventPump(clock: harness.clock))
            store.save(state(1), runs: nil, number: 1)
            try pump.nextEvents(of: store, "the save")
            try harness.setFaulty(true)
            for number in 2...3 {
                store.save(state(number), runs: nil, number: number)
                let events = try pump.nextEvents(of: store, "the failure")
                guard case .failed(number, _)? = events.first, events.count == 1 else {
                    throw BrokenRule("of the save \(number) it told \(events)")
                }
            }
            for what in [SetAside.document(suffix: "old"), .edits([1], suffix: "old")] {
                store.setAside(what)
                let events = try pump.nextEvents(of: store, "the failure")
                guard case .setAside(what, .failure)? = events.first, events.count == 1 else {
                    throw BrokenRule("of \(what) it told \(events)")
                }
            }
            try requireFailure(StoreError.self, "load") { _ = try store.load() }
            try harness.setFaulty(false)
            try require(try saved(in: store), is: 1, "what it has after the fault")
            store.save(state(4), runs: nil, number: 4)
            try require(try pump.nextEvents(of: store, "the save"), is: [.stored(4)], "what it tells")
            try require(try saved(in: store), is: 4, "what it has")
            try pump.requireIdle(store)
        },
    ]

    /// A state that is told from others by its boot.
    private static func state(_ number: Int) -> SavedNodeState {
        let moment = VirtualClock().now
        return SavedNodeState(
            boot: "\(number)", at: moment.instant, date: moment.date, player: TimerPlayer())
    }

    /// The number of a saved state.
    private static func number(_ document: [UInt8]) throws -> Int? {
        let json = document.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        guard case .string(let boot)? = try JSON(parsing: Array(json))["boot"] else { return nil }
        return Int(boot)
    }

    private static func saved(in store: any Store) throws -> Int? { try store.load().flatMap(number) }

    /// Sets something aside, and returns what it is kept as.
    private static func setAside(_ what: SetAside, in store: any Store, _ pump: EventPump) throws -> String {
        store.setAside(what)
        let events = try pump.nextEvents(of: store, "what it is kept as")
        try require(events.count, is: 1, "the number of events")
        return try name(of: what, in: events)
    }

    private static func name(of what: SetAside, in events: [StoreEvent]) throws -> String {
        for case .setAside(what, .success(let name)) in events { return name }
        throw BrokenRule("no name of \(what) among \(events)")
    }
}
