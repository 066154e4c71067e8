import BrokerLink
import FoundationEssentials
import IoTNode
import NodeConfiguration
import NodePorts
import NodeTape
import NodeTestSupport
import TimerEngine
import TimerProtocol
import WorldChecker

/// A computer with its clocks, disk, chip and network, and the node's process that its service manager keeps running.
final class Machine {
    let id: String
    let seed: UInt64
    private unowned let world: World
    var configuration: NodeConfiguration
    private(set) lazy var disk = Disk(world, self)
    private(set) lazy var chip = Chip(world, self)
    /// What the processes were told and decided; nil if it is not recorded.
    private(set) var tape: MemoryTape?

    private(set) var bootClock: BootClock
    private var bootCount = 0
    /// The wall clock minus the world's time.
    private var wallClock: Double
    private let rate: Double

    /// The running process, or nil if none is running.
    private var process: Process?
    private var isPowered = true
    private var isServiceOn = true
    private var isHung = false
    /// Counts processes, so that what was meant for an earlier one does not happen to a later one.
    private var processCount: UInt64 = 0
    /// When the process must run next, in the world's time; nil for never. Computed when it may have changed.
    private var due: Duration?
    private var mayBeDue = true

    /// How long a packet takes from here to the broker on a good network, in seconds.
    static let usualDelay: ClosedRange<Double> = 0.0002...0.001
    /// How long a packet takes from here to the broker, in seconds.
    var delay = usualDelay
    private(set) var isCutOff = false

    private struct Process {
        let loop: NodeLoop
        let connection: ModelConnection
        let other: Other
    }

    init(
        _ world: World, id: String, seed: UInt64, configuration: NodeConfiguration, uptime: Duration, ppm: Double,
        wallClock wallClockAtStart: Double, isTaped: Bool = false
    ) {
        tape = isTaped ? MemoryTape() : nil
        (self.world, self.id, self.seed, self.configuration) = (world, id, seed, configuration)
        rate = 1 + ppm / 1e6
        bootClock = BootClock(boot: "\(id)-boot-0", origin: .zero - uptime, rate: rate)
        wallClock = wallClockAtStart
        world.note(.booted(bootClock), on: self)
    }

    // MARK: Clocks

    var moment: Moment { Moment(instant: instant(at: world.time), date: date) }
    var date: Date { Date(timeIntervalSince1970: wallClock + world.time.inSeconds) }
    /// A clock counts nanoseconds.
    func instant(at time: Duration) -> Instant {
        Instant(sinceEpoch: .nanoseconds(Int(bootClock.reading(at: time) / .nanoseconds(1))))
    }

    func setWallClock(by seconds: Double) {
        wallClock += seconds
        world.note(.clockSet(seconds), on: self)
        happens(.wallClockSet)
    }

    // MARK: The process

    /// Starts the process, unless there is one or the machine has no power.
    func start() {
        guard process == nil, isPowered, isServiceOn else { return }
        processCount += 1
        let (connection, other) = (ModelConnection(world, self), Other())
        let world = world
        connection.onPublish = { [unowned self, unowned world] in world.noteSaid($0, by: self) }
        connection.onHear = { [unowned self, unowned world] in
            world.note(.heard(topic: $0.topic, payload: $0.payload, isRetained: $0.retained), on: self)
        }
        connection.onChange = { [unowned self, unowned world] in world.note(.connected($0), on: self) }
        var parts = NodeParts(
            clock: MachineClock(self), connection: connection, outputs: chip, inputs: chip, store: disk,
            otherSources: [other], residentBytes: { 4_000_000 },
            log: { [unowned self, unowned world] in world.tell(self, $1) })
        parts.timeZones = WorldZones(machine: self)
        let processSeed = seed &+ processCount &* 104_729
        let recorder = tape.map {
            TapeRecorder($0.keep(configuration), seed: processSeed, segmentSize: 50_000, sink: $0)
        }
        parts.recorder = recorder
        parts.load = { [unowned self, unowned world] in
            world.note(.reloaded, on: self)
            if let tape { recorder?.configuration = tape.keep(configuration) }
            return .success(.init(configuration))
        }
        world.note(.started, on: self)
        let core = NodeCore(configuration: configuration, seed: processSeed)
        let process = Process(loop: NodeLoop(core: core, parts: parts), connection: connection, other: other)
        self.process = process
        process.loop.start()
        mayBeDue = true
    }

    /// Recomputes later when the process must run.
    func isDue() { mayBeDue = true }

    /// Returns when the process must run, in the world's time.
    func nextTime() -> Duration? {
        guard mayBeDue else { return due }
        mayBeDue = false
        due = isHung ? nil : process?.loop.deadline.map { max(world.time, bootClock.time(of: $0.sinceEpoch)) }
        return due
    }

    /// Lets the process run once.
    func step() {
        guard let process, !isHung else { return }
        process.loop.step()
        mayBeDue = true
        if !process.loop.isRunning { ended(.exited) }
    }

    func happens(_ event: NodeEvent) {
        guard let process else { return }
        process.other.pending.append(event)
        mayBeDue = true
    }

    /// Sends SIGTERM.
    func terminate() {
        guard process != nil else { return }
        world.note(.askedToStop, on: self)
        happens(.terminate)
    }

    /// Stops the service or starts it.
    func setService(_ isOn: Bool) {
        isServiceOn = isOn
        if isOn { start() } else { terminate() }
    }

    func kill() {
        guard process != nil else { return }
        ended(.killed)
    }

    func hang(_ isHung: Bool) {
        guard process != nil, isHung != self.isHung else { return }
        self.isHung = isHung
        world.note(.hung(isHung), on: self)
        mayBeDue = true
    }

    /// Cuts the power, and boots the machine after a while.
    func reboot(after off: Duration) {
        guard isPowered else { return }
        isPowered = false
        if process != nil { ended(.powerCut) }
        chip.turnOff()
        world.at(world.time + off) { [unowned self] in
            isPowered = true
            bootCount += 1
            bootClock = BootClock(boot: "\(id)-boot-\(bootCount)", origin: world.time - .seconds(12), rate: rate)
            world.note(.booted(bootClock), on: self)
            start()
        }
    }

    private func ended(_ how: What.Ending) {
        process?.connection.abandon()
        process = nil
        isHung = false
        mayBeDue = true
        chip.drop()
        disk.lose(powerCut: how == .powerCut)
        world.note(.ended(how), on: self)
        if how == .powerCut { return }
        // What the unit says: ExecStopPost=timer-node lamps-off, RestartSec=500ms.
        let count = processCount
        world.at(world.time + .milliseconds(30)) { [unowned self] in if process == nil { chip.turnOff() } }
        world.at(world.time + .milliseconds(530)) { [unowned self] in if processCount == count { start() } }
    }

    // MARK: The network

    /// Breaks the connection in the middle of the bytes that are in flight.
    func cut(after fraction: Double) { process?.connection.cut(after: fraction) }

    func cutOff(_ isCutOff: Bool) {
        self.isCutOff = isCutOff
        process?.connection.cutOff(isCutOff)
    }

    /// The number of elements in the collections of the process.
    func measure() { if let core = process?.loop.core { world.noteSize(of: core, on: self) } }
}

/// The clocks of a machine. Nothing waits: the world calls the process when it is due.
final class MachineClock: NodeClock {
    private unowned let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    var now: Moment { machine.moment }
    var boot: String { machine.bootClock.boot }
    func wait(for interests: [Interest], until deadline: Instant?) -> [Interest] { [] }
    func yieldBriefly() {}
}

/// The events of sources without a port of their own: signals, udev, the wall clock.
private final class Other: EventSource {
    var pending: [NodeEvent] = []

    var interests: [Interest] { [] }
    var nextInstant: Instant? { pending.isEmpty ? nil : Instant(sinceEpoch: .zero) }

    func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending
    }
}
