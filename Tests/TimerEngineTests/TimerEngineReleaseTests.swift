import Testing
import TimerEngine

/// Calls back when it goes.
private final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
}

/// What a client drops may call the engine as it goes; each of these would wait for itself for ever if the engine held its
/// lock by then.
@Suite("What is dropped by a call may call the engine")
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
            "resume brings another handler",
            { engine, farewell in engine.tickHandler = { _ in withExtendedLifetime(farewell) {} } },
            { $0.resume(tickHandler: { _ in }) }
        ),
        (
            "resume brings another transition handler",
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
            Issue.record("it waits for itself: \(name)")
            return
        }
        #expect(calls.value == 1)
        #expect(engine.warningTimeInSeconds == 1)
    }

    @Test("when a sequence of its events goes with a handler")
    func stream() {
        let engine = TimerEngine(startingTimeInSeconds: 10, clock: ManualClock())
        do {
            let events = engine.events()
            engine.tickHandler = { _ in withExtendedLifetime(events) {} }
        }
        #expect(returns { engine.tickHandler = nil })
    }
}
