import BrokerLink
import Foundation
import NodePorts
import Testing
import TimerEngine

@testable import IoTNode
@testable import LinuxSystem
@testable import TimerProtocol

@Suite("A background store")
struct BackgroundStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
    private let clock = BootClock()

    private func withStore(_ body: (BackgroundStore) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try BackgroundStore(FileStore(directory: folder.path)))
    }

    /// Returns a state that is identified by its boot.
    private func state(_ number: Int) -> SavedNodeState {
        SavedNodeState(
            boot: "\(number)", at: Instant(sinceEpoch: .seconds(1)), date: Date(timeIntervalSince1970: 1),
            player: TimerPlayer())
    }

    /// Returns the number of the state in a file of the folder.
    private func number(in file: String) throws -> Int? {
        let document = try Data(contentsOf: folder.appending(path: file))
        return Int(try SavedNodeState(Array(document)).boot)
    }

    /// Sleeps in `poll` like the loop, and returns the events up to the last expected one.
    private func events(_ store: BackgroundStore, until isLast: (StoreEvent) -> Bool) -> [StoreEvent] {
        var events: [StoreEvent] = []
        let end = clock.now.instant + .seconds(60)
        while !events.contains(where: isLast), clock.now.instant < end {
            let ready = clock.wait(for: store.interests, until: end)
            events += store.takeEvents(ready: ready, at: clock.now.instant)
        }
        return events
    }

    @Test("finally writes the newest of many states, and reports each one that it wrote, in order")
    func newest() throws {
        try withStore { store in
            for round in 0..<20 {
                let last = round * 100 + 99
                for number in round * 100...last { store.save(state(number), runs: nil, number: number) }
                let numbers = events(store) { $0 == .stored(last) }.compactMap { event in
                    if case .stored(let number) = event { number } else { nil }
                }
                #expect(numbers == numbers.sorted() && numbers.last == last)
                #expect(numbers.count < 100, "not every state is written")
                let saved = try number(in: "state.json")
                #expect(saved == last)
            }
            #expect(store.takeEvents(ready: store.interests, at: clock.now.instant).isEmpty)
        }
    }

    @Test("saves and sets aside in the requested order")
    func order() throws {
        try withStore { store in
            store.save(state(1), runs: nil, number: 1)
            store.setAside(.document(suffix: "old"))
            store.save(state(2), runs: nil, number: 2)
            store.save(state(3), runs: nil, number: 3)
            let all = events(store) { $0 == .stored(3) }
            let old = folder.appending(path: "state.json.old").path
            #expect(
                all.filter { $0 != .stored(2) } == [
                    .stored(1), .setAside(.document(suffix: "old"), .success(old)), .stored(3),
                ])
            let saved = try ["state.json.old", "state.json"].map(number)
            #expect(saved == [1, 3])
        }
    }

    @Test("reports failures and continues")
    func failures() throws {
        let store = try BackgroundStore(FileStore(directory: "/proc/nothing"))
        let reason = StoreError("cannot create /proc/nothing: No such file or directory")
        for number in 1...3 {
            store.save(state(number), runs: nil, number: number)
            #expect(events(store) { _ in true } == [.failed(number, reason)])
        }
        store.setAside(.document(suffix: "old"))
        #expect(events(store) { _ in true } == [.setAside(.document(suffix: "old"), .failure(reason))])
    }
}
