import Foundation
import Glibc
import Testing

@testable import TimerEngine

/// Returns the number of times that the current thread has gone to sleep so far, and the CPU time that it has used.
private func usage() -> (sleeps: Int, computing: Duration) {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(1), &usage)  // RUSAGE_THREAD
    return (usage.ru_nvcsw, Platform.read(CLOCK_THREAD_CPUTIME_ID).sinceEpoch)
}

private func boottime() -> Instant { Platform.read(CLOCK_BOOTTIME) }

/// Sets the stack size of each thread that this process creates from now on. The C function is not visible to Swift.
private func setStackSize(_ size: Int) -> Bool {
    typealias SetDefaults = @convention(c) (UnsafeRawPointer) -> Int32
    guard let symbol = unsafe dlsym(nil, "pthread_setattr_default_np") else { return false }
    let setDefaults = unsafe unsafeBitCast(symbol, to: SetDefaults.self)
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    unsafe pthread_attr_init(attributes)
    unsafe pthread_attr_setstacksize(attributes, size)
    return unsafe setDefaults(attributes) == 0
}

/// If it matters, a test runs in its own process, in which nothing else runs on the timer thread.
@Suite("The system clock")
struct SystemClockTests {
    @Test("is the clock that continues while the machine sleeps")
    func clock() {
        #expect(Platform.timerClock == CLOCK_BOOTTIME)
        let before = boottime()
        let now = TimerEngine.SystemClock().now
        #expect(before <= now && now <= boottime())
        #expect(abs(TimerEngine.SystemClock().date.timeIntervalSinceNow) < 60)
    }

    @Test("wakes all running engines from one thread, which sleeps between seconds and ends when nothing runs")
    func oneThread() async {
        await #expect(processExitsWith: .success) {
            #expect(!TimerThread.shared.isRunning)
            let threads = Shared<Set<UInt>>([])
            let counts = Shared<[(sleeps: Int, computing: Duration)]>([])
            let main = UInt(pthread_self())
            let engines = (0..<5).map { number in
                TimerEngine(
                    startingTimeInSeconds: 3,
                    tickHandler: { engine in
                        guard engine.currentTime < 3 else { return }
                        threads.change { _ = $0.insert(UInt(pthread_self())) }
                        if number == 0 { counts.change { $0.append(usage()) } }
                    })
            }
            for engine in engines { engine.start() }
            #expect(TimerThread.shared.isRunning)
            #expect(eventually { engines.allSatisfy { $0.mode == .alarm } })
            #expect(threads.value.count == 1)
            #expect(!threads.value.contains(main))
            for (earlier, later) in zip(counts.value, counts.value.dropFirst()) {
                #expect(later.sleeps - earlier.sleeps <= 25)
                #expect(later.computing - earlier.computing < .milliseconds(100), "no spin before the second")
            }
            #expect(eventually { !TimerThread.shared.isRunning })
        }
    }

    @Test("a call that is moved forward is on time, and one that is moved back is not early")
    func movedDeadline() async {
        await #expect(processExitsWith: .success) {
            let clock = TimerEngine.SystemClock()
            // The machine may be busy, but not at every attempt. A call that was not moved arrives only after most of a
            // second.
            let wasMoved = (0..<20).contains { _ in
                let engine = TimerEngine(startingTimeInSeconds: 3600, startImmediately: true)
                usleep(100_000)  // By now the thread waits for the second.
                let start = clock.now
                engine.currentPreciseTime = 0.02
                while engine.mode != .alarm || TimerThread.shared.isRunning { usleep(500) }
                return start.duration(to: clock.now) < .milliseconds(500)
            }
            #expect(wasMoved)

            let ticks = Shared<[(Int, Instant)]>([])
            let engine = TimerEngine(startingTimeInSeconds: 10, startImmediately: true) { engine in
                ticks.change { $0.append((engine.currentTime, clock.now)) }
            }
            usleep(300_000)
            let moved = clock.now
            engine.currentPreciseTime = 9.9
            #expect(eventually { ticks.value.last?.0 == 9 })
            if let tick = ticks.value.last { #expect(moved.duration(to: tick.1) >= .milliseconds(900)) }
            engine.stop()
        }
    }

    @Test("a timer for which no thread can be created reports that and is unchanged; it can be started later")
    func noThread() async {
        await #expect(processExitsWith: .success) {
            // A stack that is too large for the address space.
            try #require(setStackSize(1 << 60))
            let reports = Shared(0)
            let engine = TimerEngine(startingTimeInSeconds: 10, startImmediately: true) { _ in
                reports.change { $0 += 1 }
            }
            #expect(engine.mode == .stopped && reports.value == 0)
            guard case .clock(let error) = engine.lastRefusal else {
                Issue.record("\(String(describing: engine.lastRefusal))")
                return
            }
            #expect(error.description == "cannot create a thread for the timers: error 11")
            engine.currentTime = 5
            #expect(engine.lastRefusal == nil, "a call that needs no thread succeeds")
            #expect(!engine.resume())
            #expect(engine.mode == .paused(mode: .countdown, pauseTime: 5))
            engine.end()
            #expect(throws: TimerEngine.Refusal.self) { try engine.add(5) }
            #expect(engine.mode == .alarm)
            let text =
                #"{"startingTimeInSeconds":9,"warningTimeInSeconds":0,"finalTimeInSeconds":0,"#
                + #""startTime":1,"lastMode":"countdown"}"#
            #expect(throws: TimerEngine.ClockError.self) {
                try JSONDecoder().decode(TimerEngine.self, from: Data(text.utf8))
            }
            let model = try TimerModel(groups: [TimerGroup(timers: [TimerItem(thresholds: times(10))])])
            let player = PlayerEngine(model)
            #expect(throws: PlayerError.clock(error)) { try player.start() }
            #expect(player.mode == .stopped)

            try #require(setStackSize(8 << 20))
            engine.start()
            #expect(engine.lastRefusal == nil && engine.isTicking)
            engine.stop()
        }
    }

    @Test("an engine runs again after its alarm, and continues after a pause at the right instants")
    func again() {
        let alarms = Shared(0)
        let ticks = Shared<[(Int, Instant)]>([])
        let clock = TimerEngine.SystemClock()
        let engine = TimerEngine(
            startingTimeInSeconds: 1,
            transitionHandler: { _, _, to in if to == .alarm { alarms.change { $0 += 1 } } },
            tickHandler: { engine in ticks.change { $0.append((engine.currentTime, clock.now)) } })
        for run in 1...2 {
            let start = clock.now
            engine.start()
            #expect(eventually { alarms.value == run })
            #expect(start.duration(to: clock.now) >= .seconds(1))
        }

        engine.start()
        usleep(300_000)
        engine.pause()
        let left = engine.currentPreciseTime
        usleep(1_200_000)
        #expect(engine.currentPreciseTime == left && alarms.value == 2)
        let resumed = clock.now
        engine.resume()
        #expect(eventually { alarms.value == 3 })
        if let last = ticks.value.last {
            #expect(last.0 == 0)
            #expect(resumed.duration(to: last.1).inSeconds >= left)
        }
    }
}
