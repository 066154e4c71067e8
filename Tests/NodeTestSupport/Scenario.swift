package import BrokerLink
package import FoundationEssentials
package import IoTNode
package import NodeConfiguration
package import NodePorts
import NodeTape
import TimerEngine
package import TimerProtocol

/// A node in virtual time, driven like a story: a test sends commands and lets time pass, then checks what is visible
/// in the room and on the broker.
///
/// The loop and the core are the real ones; the ports are in memory.
package struct Scenario {
    private let loop: NodeLoop
    private let clock: VirtualClock
    private let connection = InMemoryConnection()
    private let outputs = InMemoryOutputs()
    private let inputs = InMemoryInputs()
    private let store: InMemoryStore
    private let other = EventScript()
    private let observed = Observed()

    /// Starts a node with one timer, and connects it unless `connected` is false.
    package init(
        _ start: Int = 6, _ warning: Int = 4, _ final: Int = 2, brokers: [Broker] = [Broker(host: "broker.test")],
        connected: Bool = true, saved: [UInt8]? = nil, savedRuns: [UInt8]? = nil, boot: String = "a boot",
        after passed: Duration = .zero,
        wallClock: Date? = nil, isClockTrusted: Bool = true,
        storeFault: StoreError? = nil, diskTime: Duration = .zero, seed: UInt64 = 1, tape: MemoryTape? = nil,
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws {
        let origin = Moment(
            instant: Instant(sinceEpoch: .seconds(1000)), date: Date(timeIntervalSince1970: 1_700_000_000))
        let beginning = origin.instant + passed
        clock = VirtualClock(Moment(instant: beginning, date: wallClock ?? origin.date(of: beginning)))
        clock.boot = boot
        store = InMemoryStore(saved, runs: savedRuns, clock: clock)
        store.fault = storeFault
        store.time = diskTime
        var configuration = NodeConfiguration(node: .init(id: "lectern", groups: ["hall-a"]))
        configuration.mqtt = .init(brokers: brokers, clientID: "timer-node-lectern")
        // Otherwise the health message, once a minute, would be the only thing that wakes an idle node.
        configuration.mqtt?.healthInterval = .zero
        // Home Assistant discovery has separate tests.
        configuration.mqtt?.discovery.style = .none
        configuration.timers = .init(
            name: "Talk", thresholds: try Thresholds(start: start, warning: warning, final: final))
        configure(&configuration)

        observed.watch(outputs, connection, clock)
        var parts = NodeParts(
            clock: clock, connection: connection, outputs: outputs, inputs: inputs, store: store,
            otherSources: [other], displays: [observed], residentBytes: { 4_000_000 },
            log: { [observed] in observed.log($0, $1) })
        parts.isClockTrusted = { isClockTrusted }
        let recorder = tape.map {
            TapeRecorder($0.keep(configuration), seed: seed, segmentSize: 50_000, sink: $0)
        }
        parts.recorder = recorder
        parts.load = { [observed] in
            let result = observed.load()
            if case .success(let loaded) = result, let tape {
                recorder?.configuration = tape.keep(loaded.configuration)
            }
            return result
        }
        parts.replace = { [observed] _, changed, _ in observed.replaced.append(changed) }
        loop = NodeLoop(core: NodeCore(configuration: configuration, seed: seed), parts: parts)
        loop.start()
        settle()
        if connected { accept() }
    }
}

// MARK: - What happens

extension Scenario {
    /// Delivers one or more events to the node now.
    package mutating func happens(_ events: NodeEvent...) { happens(events) }

    /// Delivers an array of events to the node now.
    package mutating func happens(_ events: [NodeEvent]) {
        other.push(events)
        settle()
    }

    /// Delivers several commands to this node at once, each with a verb and a payload, and returns the responses.
    package mutating func sendAtOnce(_ commands: [(verb: String, payload: String)]) -> [JSON] {
        let before = publications.count
        for command in commands {
            connection.push(
                .message(
                    IncomingMessage(
                        topic: "timer/lectern/command/\(command.verb)", payload: Array(command.payload.utf8))))
        }
        settle()
        return responses(from: before)
    }

    /// Lets time pass. The node wakes whenever it has requested to.
    package mutating func wait(_ duration: Duration) { run(until: now.instant + duration) }

    /// Lets time pass while the process is stalled. The node wakes only at the end.
    package mutating func stall(_ duration: Duration) {
        clock.advance(by: duration)
        settle()
    }

    /// Makes the broker accept the connection.
    package mutating func accept() {
        observed.isConnected = true
        connection.push(.connected)
        settle()
    }

    /// Ends the connection or the attempt.
    package mutating func lose(
        _ reason: String = "the broker is gone", hintsAtOlderProtocol: Bool = false, isUnexplainedClose: Bool = false
    ) {
        observed.isConnected = false
        connection.push(
            .lost(
                ConnectionError(
                    reason, hintsAtOlderProtocol: hintsAtOlderProtocol, isUnexplainedClose: isUnexplainedClose)))
        settle()
    }

    /// Makes the broker refuse a subscription.
    package mutating func refuse(
        _ filter: String, code: Int = 0x80, _ reason: String = "Unspecified error (SUBACK 0x80)"
    ) {
        connection.push(.rejected(Rejection(.subscription(filter: filter), code: code, reason: reason)))
        settle()
    }

    /// Makes the broker refuse a published message.
    package mutating func refusePublication(on topic: String, code: Int, isRetained: Bool = true) {
        let reason = "refused (PUBACK 0x\(String(code, radix: 16, uppercase: true)))"
        connection.push(
            .rejected(Rejection(.publication(topic: topic, isRetained: isRetained), code: code, reason: reason)))
        settle()
    }

    /// Makes the broker accept a subscription that it had refused.
    package mutating func accept(_ filter: String) {
        connection.push(.accepted(filter: filter))
        settle()
    }

    /// Delivers a message on a command topic, and returns the response.
    @discardableResult
    package mutating func send(_ verb: String, _ payload: String = "", to node: String = "lectern") -> JSON? {
        send(topic: "timer/\(node)/command/\(verb)", Array(payload.utf8))
    }

    /// Delivers a message, and returns the response.
    @discardableResult
    package mutating func send(
        topic: String, _ payload: [UInt8], retained: Bool = false, responseTopic: String? = nil,
        subscriptions: [Int] = []
    ) -> JSON? {
        let before = publications.count
        connection.push(
            .message(
                IncomingMessage(
                    topic: topic, payload: payload, retained: retained, responseTopic: responseTopic,
                    correlationData: responseTopic.map { Array($0.utf8) }, subscriptions: subscriptions)))
        settle()
        return responses(from: before).last
    }

    /// Moves the wall clock by a number of seconds; the monotonic clock is not affected.
    package mutating func setWallClock(by seconds: Double) { clock.setWallClock(by: seconds) }

    /// Changes the configuration file and delivers SIGHUP.
    package mutating func reload(_ result: Result<NodeConfiguration.Loaded, ConfigurationError>) {
        observed.configuration = result
        happens(.reloadRequested)
    }

    private func responses(from first: Int) -> [JSON] {
        guard let prefix = core.configuration.mqtt?.prefix else { return [] }
        let topic = TopicKind.response.name(prefix: prefix, node: core.configuration.node.id)
        return publications[first...].filter { $0.topic == topic }.compactMap {
            try? JSON(parsing: $0.payload)
        }
    }

    /// Lets the loop perform everything that is due now.
    private func settle() { run(until: now.instant) }

    private func run(until end: Instant) {
        clock.limit = end
        repeat {
            loop.step()
        } while loop.isRunning
            && (now.instant < end || loop.deadline.map { $0 <= now.instant } == true)
    }
}

// MARK: - What is seen

extension Scenario {
    package var core: NodeCore { loop.core }
    package var now: Moment { clock.now }

    /// The outputs' levels; nil while the lines are not held.
    package var levels: [OutputName: Bool]? { outputs.levels }
    /// The error that the lines throw while it is set.
    package var linesFault: LinesFault? {
        get { outputs.fault }
        set { outputs.fault = newValue }
    }
    /// The error that the buttons' lines throw while it is set.
    package var inputsFault: LinesFault? {
        get { inputs.fault }
        set { inputs.fault = newValue }
    }
    /// The state of the buttons' lines when they are acquired.
    package var heldInputs: HeldInputs {
        get { HeldInputs(active: inputs.active, areDebounced: inputs.areDebounced) }
        set { (inputs.active, inputs.areDebounced) = (newValue.active, newValue.areDebounced) }
    }

    /// The connection attempts so far.
    package var attempts: [ConnectOptions] {
        connection.calls.compactMap { if case .connect(let options) = $0 { options } else { nil } }
    }
    package var isConnected: Bool { observed.isConnected }
    /// Whether the broker hangs, so that each disconnection takes the full timeout.
    package var isBrokerFrozen: Bool {
        get { observed.isBrokerFrozen }
        set { observed.isBrokerFrozen = newValue }
    }
    /// All subscriptions so far, in order.
    package var allSubscriptions: [Subscription] {
        connection.calls.flatMap { call -> [Subscription] in
            if case .subscribe(let subscriptions) = call { subscriptions } else { [] }
        }
    }
    /// The subscriptions of the latest connection.
    package var subscriptions: [Subscription] {
        connection.calls.reduce([]) { all, call in
            switch call {
            case .connect: []
            case .subscribe(let subscriptions): all + subscriptions
            case .publish, .disconnect: all
            }
        }
    }
    /// The published messages, in order.
    package var publications: [OutgoingMessage] { observed.publications }

    /// What was visible in the room and on the broker, with the seconds since the beginning.
    package var diary: [String] { observed.diary }
    package var logs: [String] { observed.logs.map(\.message) }
    /// The log messages that are warnings.
    package var warnings: [String] { observed.logs.filter { $0.level == .warning }.map(\.message) }
    package var announcements: [Announcement] { observed.announcements }

    package var saved: [[UInt8]] { store.saved }
    /// The runs as last saved.
    package var savedRuns: [UInt8]? { store.runs }
    /// How many times the runs were saved.
    package var runsSaves: Int { store.runsSaves }
    /// The error with which the store fails while it is set.
    package var storeFault: StoreError? {
        get { store.fault }
        set { store.fault = newValue }
    }
    /// How long the disk takes for each request.
    package var diskTime: Duration {
        get { store.time }
        set { store.time = newValue }
    }
    /// The requests to set a document aside, in order.
    package var setAside: [SetAside] { store.setAsideItems }

    /// How many times the configuration was reloaded.
    package var reloads: Int { observed.reloads }
    /// The ports that were replaced after reloads.
    package var replaced: [ChangedParts] { observed.replaced }
    package var hasExited: Bool { !loop.isRunning }
}
