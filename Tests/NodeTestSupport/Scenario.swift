package import FoundationEssentials
import TimerEngine

@testable package import IoTNode
@testable package import TimerProtocol

/// A node in virtual time, told as a story: what is sent, how time passes, and what the room and the broker see.
///
/// The core is the real one; the lines and the broker are what its effects say of them.
package struct Scenario {
    package private(set) var core: NodeCore
    package private(set) var now = Moment(
        instant: TimerEngine.Instant(sinceEpoch: .seconds(1000)), date: Date(timeIntervalSince1970: 1_700_000_000))

    /// The outputs' levels; nil while the lines are not held.
    package private(set) var levels: [OutputName: Bool]?
    /// Thrown by the lines until it is taken away.
    package var linesFault: LinesFault?
    /// Thrown by the buttons' lines until it is taken away.
    package var inputsFault: LinesFault?
    /// What the buttons' lines are like when they are taken.
    package var heldInputs = HeldInputs(areDebounced: false)
    /// The connection attempts so far.
    package private(set) var attempts: [ConnectOptions] = []
    package private(set) var isConnected = false
    /// Whether the broker stands still, so that each goodbye takes as long as patience lasts.
    package var isBrokerFrozen = false
    package private(set) var subscriptions: [Subscription] = []
    /// What was published, in order.
    package private(set) var publications: [OutgoingMessage] = []
    /// What an observer in the room and one at the broker saw, with the seconds since the story began.
    package private(set) var diary: [String] = []
    package private(set) var logs: [String] = []
    /// Those of the logs that are warnings.
    package private(set) var warnings: [String] = []
    package private(set) var saved: [[UInt8]] = []
    /// Thrown by the store until it is taken away.
    package var storeFault: StoreError?
    /// How long the disk takes, and what waits for it.
    package var disk = SlowDisk()
    /// What was set aside.
    package private(set) var setAside: [SetAside] = []
    package private(set) var announcements: [Announcement] = []
    package private(set) var reloadsAsked = 0
    package private(set) var rebuilt: [ChangedParts] = []
    package private(set) var hasExited = false
    private let beginning: TimerEngine.Instant

    /// A node with one timer that has been started, and connected unless told otherwise.
    package init(
        _ start: Int = 6, _ warning: Int = 4, _ final: Int = 2, brokers: [Broker] = [Broker(host: "broker.test")],
        connected: Bool = true, saved: [UInt8]? = nil, boot: String = "a boot", after passed: Duration = .zero,
        wallClock: Date? = nil, storeFault: StoreError? = nil, diskTime: Duration = .zero,
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws {
        self.storeFault = storeFault
        disk.time = diskTime
        now = Moment(instant: now.instant + passed, date: wallClock ?? now.date(of: now.instant + passed))
        var configuration = NodeConfiguration(node: .init(id: "lectern", groups: ["hall-a"]))
        configuration.mqtt = .init(brokers: brokers, clientID: "timer-node-lectern")
        // Once a minute, it would be all that wakes a node that is asleep.
        configuration.mqtt?.healthInterval = .zero
        configuration.timers = .init(
            name: "Talk", thresholds: try TimerEngine.Thresholds(start: start, warning: warning, final: final))
        configure(&configuration)
        beginning = now.instant
        core = NodeCore(configuration: configuration, seed: 1)
        happens(.started(saved: saved, boot: boot))
        if connected { accept() }
    }
}

// MARK: - What happens

extension Scenario {
    /// Something reaches the node now, or several things at once.
    package mutating func happens(_ events: NodeEvent...) { happens(events) }

    private mutating func happens(_ events: [NodeEvent]) {
        var events = events
        while !events.isEmpty {
            let found = core.handle(events, at: now).compactMap { perform($0) }
            events = found + core.conclude().compactMap { perform($0) }
        }
    }

    /// Several commands to this node arrive at once, each a verb and a payload; returns the responses.
    package mutating func sendAtOnce(_ commands: [(verb: String, payload: String)]) -> [JSON] {
        let before = publications.count
        let messages = commands.map {
            NodeEvent.connection(
                .message(IncomingMessage(topic: "timer/lectern/command/\($0.verb)", payload: Array($0.payload.utf8))))
        }
        happens(messages)
        return publications[before...].filter { $0.topic == core.topics.response }.compactMap {
            try? JSON(parsing: $0.payload)
        }
    }

    /// Time passes, and the node wakes whenever it asked to.
    package mutating func wait(_ duration: Duration) {
        let end = now.instant + duration
        while !hasExited, let next = [core.nextInstant, disk.doneAt].compactMap(\.self).min(), next <= end {
            jump(to: max(next, now.instant))
            if let event = disk.take(at: now.instant).flatMap({ write($0) }) { happens(event) }
            if !hasExited, core.nextInstant.map({ $0 <= now.instant }) == true { happens(.timePassed) }
        }
        jump(to: max(end, now.instant))
    }

    /// Time passes while the process is stalled: it wakes only at the end.
    package mutating func stall(_ duration: Duration) {
        jump(to: now.instant + duration)
        happens(.timePassed)
    }

    /// The broker accepts the connection.
    package mutating func accept() {
        isConnected = true
        happens(.connection(.connected))
    }

    /// The connection, or the attempt, ends.
    package mutating func lose(
        _ reason: String = "the broker is gone", hintsAtOlderProtocol: Bool = false, isUnexplainedClose: Bool = false
    ) {
        isConnected = false
        let failure = ConnectionError(
            reason, hintsAtOlderProtocol: hintsAtOlderProtocol, isUnexplainedClose: isUnexplainedClose)
        happens(.connection(.lost(failure)))
    }

    /// A message arrives on a command topic; returns the response.
    @discardableResult
    package mutating func send(_ verb: String, _ payload: String = "", to node: String = "lectern") -> JSON? {
        send(topic: "timer/\(node)/command/\(verb)", Array(payload.utf8))
    }

    /// A message arrives; returns the response.
    @discardableResult
    package mutating func send(
        topic: String, _ payload: [UInt8], retained: Bool = false, responseTopic: String? = nil,
        subscriptions: [Int] = []
    ) -> JSON? {
        let before = publications.count
        happens(
            .connection(
                .message(
                    IncomingMessage(
                        topic: topic, payload: payload, retained: retained, responseTopic: responseTopic,
                        correlationData: responseTopic.map { Array($0.utf8) }, subscriptions: subscriptions))))
        return publications[before...].last { $0.topic == core.topics.response }.flatMap {
            try? JSON(parsing: $0.payload)
        }
    }

    /// Somebody sets the wall clock; the monotonic clock knows nothing of it.
    package mutating func setWallClock(by seconds: Double) {
        now = Moment(instant: now.instant, date: now.date.addingTimeInterval(seconds))
    }

    private mutating func jump(to instant: TimerEngine.Instant) {
        now = Moment(instant: instant, date: now.date(of: instant))
    }

    private mutating func perform(_ effect: NodeEffect) -> NodeEvent? {
        switch effect {
        case .acquireOutputs(let levels):
            if let linesFault { return .outputsFailed(linesFault) }
            light(levels)
            return .outputsAcquired(.simulated)
        case .setOutputs(let changes):
            if let linesFault {
                levels = nil
                return .outputsFailed(linesFault)
            }
            light((levels ?? [:]).merging(changes) { $1 })
        case .releaseOutputs:
            light((levels ?? [:]).mapValues { _ in false })
            levels = nil
        case .acquireInputs:
            if let inputsFault { return .inputsFailed(inputsFault) }
            return .inputsAcquired(heldInputs)
        case .connect(let request): attempts.append(request)
        case .disconnect(let patience):
            isConnected = false
            // Nobody acknowledges what was published.
            if isBrokerFrozen { jump(to: now.instant + patience) }
        case .subscribe(let subscriptions): self.subscriptions = subscriptions
        case .publish(let publication):
            publications.append(publication)
            write("\(publication.topic.dropFirst("timer/lectern/".count)) \(publication.text)")
        case .save, .setAside:
            if disk.time == .zero { return write(effect) }
            disk.add(effect, at: now.instant)
        case .show: break
        case .loadConfiguration: reloadsAsked += 1
        case .rebuild(let changed, _): rebuilt.append(changed)
        case .announce(let announcement): announcements.append(announcement)
        case .measureMemory: return .memoryMeasured(4_000_000)
        case .log(let level, let message):
            logs.append(message)
            if level == .warning { warnings.append(message) }
        case .exit: hasExited = true
        }
        return nil
    }

    private mutating func write(_ effect: NodeEffect) -> NodeEvent? {
        switch effect {
        case .save(let state, let number):
            if let storeFault { return .storeFailed(number, storeFault) }
            saved.append(state.document)
            return .stored(number)
        case .setAside(let what):
            if let storeFault { return .setAside(what, .failure(storeFault)) }
            setAside.append(what)
            return .setAside(what, .success("a file"))
        default: return nil
        }
    }

    private mutating func light(_ levels: [OutputName: Bool]) {
        self.levels = levels
        write("lamps \(lit)")
    }

    private mutating func write(_ line: String) {
        diary.append("\(seconds(now.instant)) \(line)")
    }

    private func seconds(_ instant: TimerEngine.Instant) -> String {
        let seconds = beginning.duration(to: instant).inSeconds
        return seconds == seconds.rounded() ? String(Int(seconds)) : String((seconds * 1000).rounded() / 1000)
    }
}
