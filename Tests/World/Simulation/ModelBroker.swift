import BrokerLink
import TestSupport
import TimerProtocol
import WorldChecker

/// A broker, or a cluster of brokers, in virtual time. It speaks MQTT 5, or only 3.1.1.
final class ModelBroker {
    /// The options of a connection, as the broker keeps them.
    final class Session {
        let client: any BrokerClient
        let clientID: String
        let member: Int
        let wire: Wire
        let version: MQTTVersion
        var will: OutgoingMessage?
        var subscriptions: [(filter: TopicFilter, options: Subscription)] = []
        var isOpen = true

        init(
            _ client: any BrokerClient, clientID: String, member: Int, wire: Wire, version: MQTTVersion,
            will: OutgoingMessage?
        ) {
            (self.client, self.clientID, self.member) = (client, clientID, member)
            (self.wire, self.version, self.will) = (wire, version, will)
        }
    }

    /// One server of the cluster.
    struct Member {
        var isUp = true
        var isFrozen = false
        /// The newest retained message of each topic; an empty one has cleared it.
        var retained: [String: (message: OutgoingMessage, number: Int)] = [:]
        /// The wills that it will publish once it is thawed.
        var lateWills: [(message: OutgoingMessage, clientID: String)] = []

        var payloads: [String: [UInt8]] {
            retained.filter { !$0.value.message.isEmptied }.mapValues { $0.message.payload }
        }
    }

    private unowned let world: World
    private(set) var members: [Member]
    private(set) var sessions: [Session] = []
    /// Whether the members do not reach each other.
    private(set) var isPartitioned = false
    /// Whether the broker speaks only MQTT 3.1.1.
    let isOld: Bool
    /// The filters of topics that the access list forbids at present, for publishing and subscribing.
    var forbidden: [TopicFilter] = []
    /// The member that each client was connected to last.
    private var lastMembers: [String: Int] = [:]
    /// Counts messages, so that the newest of several retained ones is known.
    private var count = 0

    init(_ world: World, members: Int, isOld: Bool) {
        self.world = world
        self.members = Array(repeating: Member(), count: members)
        self.isOld = isOld
    }

    // MARK: Clients

    /// Returns why a connection cannot be made; nil if it can.
    func refusal(member: Int, version: MQTTVersion) -> ConnectionError? {
        guard members.indices.contains(member), members[member].isUp else {
            return ConnectionError("Connection refused")
        }
        return isOld && version == .v5
            ? ConnectionError("unacceptable protocol version", hintsAtOlderProtocol: true) : nil
    }

    /// Opens a session; an open one of the same client ends.
    func accept(_ session: Session) {
        for other in sessions where other.clientID == session.clientID {
            world.note(.rare(.takenOver), on: other.clientID)
            close(other, publishesWill: true)
            other.client.closed(other.wire, "Session taken over")
        }
        sessions.append(session)
        if let before = lastMembers[session.clientID], before != session.member {
            world.note(.rare(.otherMember), on: session.clientID)
        }
        lastMembers[session.clientID] = session.member
        if session.version == .v311 { world.note(.rare(.oldProtocol), on: session.clientID) }
        session.wire.hold(members[session.member].isFrozen, .broker)
    }

    /// Ends a session; its will is published unless the client said goodbye.
    func close(_ session: Session, publishesWill: Bool) {
        guard session.isOpen else { return }
        session.isOpen = false
        sessions.removeAll { $0 === session }
        guard publishesWill, let will = session.will else { return }
        if members[session.member].isFrozen {
            members[session.member].lateWills.append((will, session.clientID))
        } else {
            publish(will, of: session.clientID, at: session.member)
        }
    }

    /// Publishes a will, also if the client has connected again.
    private func publish(_ will: OutgoingMessage, of clientID: String, at member: Int) {
        if sessions.contains(where: { $0.clientID == clientID }) { world.note(.rare(.lateWill), on: clientID) }
        route(will, from: nil, at: member)
    }

    func subscribe(_ subscription: Subscription, by session: Session) {
        guard session.isOpen, let filter = try? TopicFilter(subscription.filter) else { return }
        guard !forbidden.contains(where: { $0.overlaps(filter) }) else {
            world.note(.rare(.refusedSubscription), on: session.clientID)
            return session.client.rejected(
                Rejection(
                    .subscription(filter: subscription.filter), code: 0x87, reason: "Not authorized (SUBACK 0x87)"),
                session.wire)
        }
        session.subscriptions.removeAll { $0.filter == filter }
        session.subscriptions.append((filter, subscription))
        session.client.granted(subscription.filter, session.wire)
        guard subscription.sendsRetained || session.version == .v311 else { return }
        let retained = members[session.member].retained
        for (topic, kept) in retained.sorted(by: { $0.key < $1.key }) where filter.matches(topic) {
            if kept.message.isEmptied { continue }
            deliver(kept.message, to: session, isRetained: true)
        }
    }

    /// Takes a message from a client; returns why it is refused, or nil.
    func publish(_ message: OutgoingMessage, by session: Session) -> Rejection? {
        guard session.isOpen else { return nil }
        if forbidden.contains(where: { $0.matches(message.topic) }) {
            world.note(.rare(.refusedMessage), on: session.clientID)
            return Rejection(
                .publication(topic: message.topic, isRetained: message.retain), code: 0x87,
                reason: "Not authorized (PUBACK 0x87)")
        }
        route(message, from: session, at: session.member)
        return nil
    }

    // MARK: Messages

    /// Publishes a message at one of the members.
    func route(_ message: OutgoingMessage, from sender: Session?, at member: Int) {
        count += 1
        for place in members.indices where members[place].isUp && (place == member || !isPartitioned) {
            if message.retain {
                members[place].retained[message.topic] = (message, count)
            }
        }
        for session in sessions where session.member == member || !isPartitioned {
            let matching = session.subscriptions.filter { $0.filter.matches(message.topic) }
            let wanted = matching.filter { !($0.options.noLocal && session === sender && session.version == .v5) }
            guard !wanted.isEmpty else { continue }
            let keepsFlag = session.version == .v5 && wanted.contains { $0.options.retainAsPublished }
            deliver(
                message, to: session, isRetained: message.retain && keepsFlag,
                identifiers: wanted.compactMap(\.options.identifier))
        }
    }

    private func deliver(
        _ message: OutgoingMessage, to session: Session, isRetained: Bool, identifiers: [Int] = []
    ) {
        session.wire.send(.down, size: message.packetSize) {
            session.client.receive(
                IncomingMessage(
                    topic: message.topic, payload: message.payload, retained: isRetained,
                    subscriptions: session.version == .v5 ? identifiers : []), session.wire)
        }
    }

    // MARK: Faults

    /// Stops a member, or starts it again.
    func setMember(_ member: Int, isUp: Bool, keepsRetained: Bool = true) {
        guard members.indices.contains(member), members[member].isUp != isUp else { return }
        members[member].isUp = isUp
        if isUp {
            members[member].isFrozen = false
            if !isPartitioned { merge() }
            return
        }
        if !keepsRetained { members[member].retained = [:] }
        members[member].lateWills = []
        for session in sessions where session.member == member {
            session.isOpen = false
            session.client.closed(session.wire, "Connection reset by peer")
        }
        sessions.removeAll { $0.member == member }
    }

    /// Freezes a member: it accepts packets and does nothing with them until it is thawed.
    func freeze(_ member: Int, _ isFrozen: Bool) {
        guard members.indices.contains(member), members[member].isUp else { return }
        members[member].isFrozen = isFrozen
        for session in sessions where session.member == member { session.wire.hold(isFrozen, .broker) }
        if isFrozen { return }
        let wills = members[member].lateWills
        members[member].lateWills = []
        for will in wills { publish(will.message, of: will.clientID, at: member) }
    }

    /// Allows a topic again. MQTT 3.1.1 does not report refused messages, so there the broker restarts, and the
    /// clients publish again.
    func allow(_ filter: TopicFilter) {
        forbidden.removeAll { $0 == filter }
        guard isOld else { return }
        for member in members.indices where members[member].isUp {
            setMember(member, isUp: false)
            setMember(member, isUp: true)
        }
    }

    /// Separates the members from each other, or joins them again: of each retained topic, the newest message wins.
    func setPartition(_ isPartitioned: Bool) {
        guard isPartitioned != self.isPartitioned else { return }
        self.isPartitioned = isPartitioned
        for machine in world.machines { world.note(.partitioned(isPartitioned), on: machine) }
        guard !isPartitioned else { return }
        let payloads = members.filter(\.isUp).map(\.payloads)
        if Set(payloads).count > 1 { world.note(.rare(.healedDifferently), on: "broker") }
        merge()
    }

    private func merge() {
        var newest: [String: (message: OutgoingMessage, number: Int)] = [:]
        for member in members where member.isUp {
            newest.merge(member.retained) { $0.number > $1.number ? $0 : $1 }
        }
        for place in members.indices where members[place].isUp { members[place].retained = newest }
    }

    /// The retained messages of the first member that is up.
    var retained: [String: [UInt8]] {
        members.first(where: \.isUp)?.payloads ?? [:]
    }
}

/// A client as a broker sees it. Each call names the connection that it is about, since an older one may still close.
protocol BrokerClient: AnyObject {
    func receive(_ message: IncomingMessage, _ wire: Wire)
    func granted(_ filter: String, _ wire: Wire)
    func rejected(_ rejection: Rejection, _ wire: Wire)
    func closed(_ wire: Wire, _ reason: String)
}

extension OutgoingMessage {
    /// Whether the message clears the topic.
    fileprivate var isEmptied: Bool { if case .bytes(let bytes) = content { bytes.isEmpty } else { false } }

    /// The bytes of the packet: a header of about 10 bytes, the topic and the payload.
    var packetSize: Int { 10 + topic.utf8.count + payload.count }
}
