import Testing
import TimerEngine

/// Calls a body when it is released.
private final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
}

/// An object that a client replaces may call the engine from its `deinit`. Each of these calls would deadlock if the
/// engine still held its lock.
@Suite("A released object may call the engine")
struct TimerEngineReleaseTests {
    private static let ways: [(String, @Sendable (TimerEngine, Farewell) -> Void, @Sendable (TimerEngine) -> Void)] = [
        ("refCon is set", { $0.refCon = $1 }, { $0.refCon = nil }),
        (
            "tickHandler is set",
            { engine, farewell in engine.tickHandler = { _ in withExtendedLifetime(farewell) {} } },
            { $0.tickHandler = nil }
        ),
        (
            "transitionHandler is set",
            { engine, farewell in engine.transitionHandler = { _, _, _ in withExtendedLifetime(farewell) {} } },
            { $0.transitionHandler = nil }
        ),
        (
            "resume replaces the handler",
            { engine, farewell in engine.tickHandler = { _ in withExtendedLifetime(farewell) {} } },
            { $0.resume(tickHandler: { _ in }) }
        ),
        (
            "resume replaces the transition handler",
            { engine, farewell in engine.transitionHandler = { _, _, _ in withExtendedLifetime(farewell) {} } },
            { $0.resume(transitionHandler: { _, _, _ in }) }
        ),
    ]

    @Test("when", arguments: ways.indices)
    func drop(_ index: Int) {
        let (name, put, drop) = Self.ways[index]
        let calls = Shared(0)
        let engine = TimerEngine(startingTimeInSeconds: 10, startImmediately: true, clock: ManualClock())
        engine.pause()
        put(
            engine,
            Farewell { [weak engine] in
                _ = engine?.currentTime
                engine?.warningTimeInSeconds += 1
                calls.change { $0 += 1 }
            })
        guard returns({ drop(engine) }) else {
            Issue.record("deadlock: \(name)")
            return
        }
        #expect(calls.value == 1)
        #expect(engine.warningTimeInSeconds == 1)
    }

    @Test("when a sequence of its events is released with a handler")
    func stream() {
        let engine = TimerEngine(startingTimeInSeconds: 10, clock: ManualClock())
        do {
            let events = engine.events()
            engine.tickHandler = { _ in withExtendedLifetime(events) {} }
        }
        #expect(returns { engine.tickHandler = nil })
    }
}
