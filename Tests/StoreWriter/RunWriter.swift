import BrokerLink
import FoundationEssentials
import Glibc
import IoTNode
import LinuxSystem
import NodeConfiguration
import NodePorts
import TimerEngine

/// A node in virtual time with a real store, which plays one 3 s run after another.
struct RunWriter {
    /// The number of runs that a process plays. It is below the limit of saved runs, so all runs are still in the file.
    private static let runs = 90

    private var core: NodeCore
    private let store: BackgroundStore
    private var now: Moment
    /// The run ids in the states that are not yet known to be saved, by the number of the state.
    private var ids: [Int: String] = [:]

    /// Creates a node that continues where the previous process was killed.
    ///
    /// - Parameter process: The number of this process; each begins 1,000 s after the previous one.
    static func play(_ file: FileStore, process: Int) throws {
        var configuration = NodeConfiguration(node: .init(id: "lectern", groups: []))
        configuration.storage = .init(directory: "/nowhere")
        configuration.timers = .init(thresholds: .zero.setting(start: 86_399))
        let second = process * 1000
        var writer = RunWriter(
            core: NodeCore(configuration: configuration, seed: UInt64(process)), store: try BackgroundStore(file),
            now: Moment(
                instant: Instant(sinceEpoch: .seconds(second)),
                date: Date(timeIntervalSince1970: 1_700_000_000 + Double(second))))
        writer.handle([.runsLoaded(try file.loadRuns()), .started(saved: try file.load(), boot: "a boot")])
        for _ in 1...runs {
            writer.send("start")
            writer.pass(.seconds(3))
        }
        while true { pause() }
    }

    private mutating func send(_ verb: String) {
        handle([.connection(.message(IncomingMessage(topic: "timer/lectern/command/\(verb)", payload: [])))])
    }

    private mutating func pass(_ time: Duration) {
        now = Moment(instant: now.instant + time, date: now.date(of: now.instant + time))
        handle([.timePassed])
    }

    /// Passes events to the core, and waits until the resulting states are saved.
    private mutating func handle(_ events: [NodeEvent]) {
        let turn = core.handle(events, at: now)
        let first = turn.first
        for effect in first + core.deferredEffects(of: turn) {
            guard case .save(let state, let runs, let number) = effect else { continue }
            ids[number] = state.run?.uuidString.lowercased()
            store.save(state, runs: runs, number: number)
        }
        while !ids.isEmpty {
            var results = pollfd(fd: store.interests[0].descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&results, 1, -1) == 1 else { continue }
            let events = store.takeEvents(ready: store.interests, at: now.instant)
            for case .stored(let number) in events {
                if let id = ids.removeValue(forKey: number) { StoreWriter.tell(id) }
            }
            handle(events.map(NodeEvent.store))
        }
    }
}
