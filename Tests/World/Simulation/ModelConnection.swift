import BrokerLink
import TestSupport
import TimerEngine
import WorldChecker

/// A client's connection to the model broker: what libmosquitto is to a real one.
final class ModelConnection: MQTTConnection, BrokerClient {
    private unowned let world: World
    /// The owner, whose network may be bad.
    private unowned let machine: Machine
    private var pending: [ConnectionEvent] = []
    private var wire: Wire?
    private var session: ModelBroker.Session?
    private(set) var isConnected = false
    /// The messages that the broker has not acknowledged, which count as dropped if the connection ends.
    private var unacknowledged = 0
    private var droppedCount = 0
    /// The subscriptions that the broker refused on this connection.
    private var refused: Set<String> = []
    private var attempts: UInt64 = 0
    /// Called with each message that the owner publishes.
    var onPublish: (OutgoingMessage) -> Void = { _ in }
    /// Called with each message that the owner reads.
    var onHear: (IncomingMessage) -> Void = { _ in }
    /// Called when the owner learns that it is connected or no longer is.
    var onChange: (Bool) -> Void = { _ in }

    init(_ world: World, _ machine: Machine) { (self.world, self.machine) = (world, machine) }

    // MARK: The port

    func connect(_ request: ConnectOptions) {
        abandon()
        attempts += 1
        let wire = Wire(
            world, machine, seed: machine.seed &+ attempts &* 7919,
            keepAlive: .seconds(request.keepAlive))
        self.wire = wire
        wire.hold(machine.isCutOff, .network)
        wire.onSilence = { [weak self, weak wire] in if let wire { self?.giveUp(wire) } }
        let member = Int(request.broker.host.split(separator: ".")[0].split(separator: "-").last ?? "0") ?? 0
        wire.send(.up, size: 100) { [weak self] in self?.reach(member, request, wire) }
        // If the network is cut off, no answer comes, and the caller gives up after its own timeout.
    }

    /// The CONNECT packet arrives at a member of the broker.
    private func reach(_ member: Int, _ request: ConnectOptions, _ wire: Wire) {
        let broker = world.broker
        if let error = broker.refusal(member: member, version: request.version) {
            return wire.send(.down, size: 4) { [weak self] in self?.lose(wire, error) }
        }
        let session = ModelBroker.Session(
            self, clientID: request.clientID, member: member, wire: wire, version: request.version, will: request.will)
        self.session = session
        broker.accept(session)
        wire.send(.down, size: 4) { [weak self] in
            guard let self, wire === self.wire else { return }
            isConnected = true
            push(.connected)
        }
    }

    func subscribe(_ subscriptions: [Subscription]) {
        guard isConnected, let session, let wire else { return }
        for subscription in subscriptions {
            wire.send(.up, size: 40) { [world] in world.broker.subscribe(subscription, by: session) }
        }
    }

    func publish(_ message: OutgoingMessage) {
        onPublish(message)
        guard isConnected, let session, let wire else {
            if !message.retain { droppedCount += 1 }
            return machine.isDue()
        }
        let isCounted = message.qos == .atLeastOnce && !message.retain
        if isCounted { unacknowledged += 1 }
        // What leaves is encoded when it leaves.
        wire.send(.up, size: message.packetSize) { [weak self, world] in
            let rejection = world.broker.publish(message, by: session)
            wire.send(.down, size: 6) { [weak self] in
                guard let self, wire === self.wire else { return }
                if isCounted { unacknowledged -= 1 }
                // MQTT 3.1.1 does not tell.
                if let rejection, session.version == .v5 { push(.rejected(rejection)) }
            }
        }
    }

    func collect() {}
    func flush() {}

    func disconnect(timeout: Duration) {
        let (session, wire, wasConnected) = (session, wire, isConnected)
        forget()
        if wasConnected { onChange(false) }
        guard let wire else { return }
        if wasConnected, let session {
            wire.send(.up, size: 2) { [world] in world.broker.close(session, publishesWill: false) }
        }
        wire.close(after: 1)
        if !wasConnected, let session { world.broker.close(session, publishesWill: true) }
    }

    var interests: [Interest] { [] }
    var nextInstant: Instant? {
        pending.isEmpty && droppedCount == 0 ? nil : Instant(sinceEpoch: .zero)
    }

    func takeEvents(ready: [Interest], at now: Instant) -> [ConnectionEvent] {
        var events = pending
        pending = []
        if droppedCount > 0 { events.insert(.dropped(droppedCount), at: 0) }
        droppedCount = 0
        for case .message(let message) in events { onHear(message) }
        return events
    }

    // MARK: What the broker does

    func receive(_ message: IncomingMessage, _ wire: Wire) {
        if wire === self.wire { push(.message(message)) }
    }

    func granted(_ filter: String, _ wire: Wire) {
        guard wire === self.wire, refused.remove(filter) != nil else { return }
        wire.send(.down, size: 6) { [weak self] in
            if let self, wire === self.wire { push(.accepted(filter: filter)) }
        }
    }

    func rejected(_ rejection: Rejection, _ wire: Wire) {
        guard wire === self.wire else { return }
        if case .subscription(let filter) = rejection.subject { refused.insert(filter) }
        wire.send(.down, size: 6) { [weak self] in
            if let self, wire === self.wire { push(.rejected(rejection)) }
        }
    }

    func closed(_ wire: Wire, _ reason: String) {
        guard wire === self.wire else { return }
        wire.close(after: 1)
        // The news takes as long as a packet.
        world.at(world.time + .milliseconds(1)) { [weak self] in self?.lose(wire, ConnectionError(reason)) }
    }

    // MARK: Faults

    /// Breaks the connection while a part of the bytes in flight has arrived; both sides notice.
    func cut(after fraction: Double) {
        guard let wire, isConnected else { return }
        wire.close(after: fraction)
        let session = session
        world.at(world.time + .milliseconds(2)) { [weak self, world] in
            self?.lose(wire, ConnectionError("Connection reset by peer"))
            if let session { world.broker.close(session, publishesWill: true) }
        }
    }

    /// Nothing passes until the network is back.
    func cutOff(_ isCutOff: Bool) { wire?.hold(isCutOff, .network) }

    /// Both sides give up, because nothing has passed within the keep-alive.
    private func giveUp(_ wire: Wire) {
        guard wire === self.wire else { return }
        let session = session
        if let session, world.broker.members[session.member].isFrozen {
            world.note(.rare(.frozenBeyondKeepAlive), on: machine)
        }
        wire.close(after: 0)
        if isConnected { lose(wire, ConnectionError("no response within the keep-alive")) }
        if let session { world.broker.close(session, publishesWill: true) }
    }

    private func lose(_ wire: Wire, _ error: ConnectionError) {
        guard wire === self.wire else { return }
        forget()
        push(.lost(error))
    }

    /// Closes the socket without a goodbye, as when the process dies; the broker notices.
    func abandon() {
        let (session, wire) = (session, wire)
        forget()
        wire?.close(after: 1)
        if let session, session.isOpen {
            world.at(world.time + .milliseconds(1)) { [world] in world.broker.close(session, publishesWill: true) }
        }
    }

    private func forget() {
        droppedCount += unacknowledged
        unacknowledged = 0
        // What arrived before a goodbye was delivered.
        pending.removeAll { if case .message = $0 { false } else { true } }
        (wire, session, isConnected, refused) = (nil, nil, false, [])
    }

    private func push(_ event: ConnectionEvent) {
        switch event {
        case .connected: onChange(true)
        case .lost: onChange(false)
        default: break
        }
        pending.append(event)
        machine.isDue()
    }
}
