internal import BrokerLink
internal import LinuxSystem
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// All open streams, and the newest snapshot, which the streams and the API read.
final class StreamHub: Sendable {
    private struct State {
        var loops: [ObjectIdentifier: LoopStreams] = [:]
        var streams: [Int: Place] = [:]
        var count = 0
        var limits: StreamLimits
        var isClosed = false
    }

    /// The location of a stream, and the client that opened it.
    private struct Place {
        let loop: LoopStreams
        let identity: Identity
        let client: IPAddress?
        /// Whether it carries the list of displays.
        let hasDisplays: Bool
    }

    let site: SiteReport
    let displays = Mutex(Displays())
    private let newest = Mutex(Snapshot())
    private let state: Mutex<State>

    init(site: SiteReport, limits: StreamLimits = StreamLimits()) {
        self.site = site
        state = Mutex(State(limits: limits))
    }

    /// The newest snapshot.
    var snapshot: Snapshot { newest.withLock { $0 } }

    /// Makes each stream send new data.
    func publish(_ snapshot: Snapshot) {
        newest.withLock { $0 = snapshot }
        for loop in state.withLock({ Array($0.loops.values) }) { loop.wake() }
    }
}

// MARK: - Streams

extension StreamHub {
    /// A stream that has a slot.
    struct Admitted: Sendable {
        let number: Int
        fileprivate let identity: Identity
        fileprivate let loop: LoopStreams
    }

    /// Takes a slot for a stream; nil if no slot is free.
    ///
    /// - Parameter hasDisplays: whether it will carry the list of displays.
    func admit(
        _ identity: Identity, from client: IPAddress?, on loop: any EventLoop, hasDisplays: Bool = false
    ) -> Admitted? {
        state.withLock { state in
            // Home Assistant reports the address of its own core for everybody who uses its ingress.
            let isShared = identity.grant == .proxy
            guard !state.isClosed, state.limits.take(identity.role, from: client, isShared: isShared)
            else { return nil }
            let key = ObjectIdentifier(loop)
            let streams = state.loops[key] ?? LoopStreams(loop, self)
            state.loops[key] = streams
            state.count += 1
            state.streams[state.count] = Place(
                loop: streams, identity: identity, client: client, hasDisplays: hasDisplays)
            return Admitted(number: state.count, identity: identity, loop: streams)
        }
    }

    /// Writes to a stream until it ends, and returns the reason.
    ///
    /// - Parameters:
    ///   - isCurrent: whether an identity is still valid; it may have ended since the stream was admitted.
    ///   - opened: called once the stream is open and can send data.
    func serve(
        _ admitted: Admitted, _ channel: any Channel, _ audience: Audience, while isCurrent: (Identity) -> Bool,
        opened: () -> Void = {}
    ) async -> EventStream.End {
        let ended = OneShot<EventStream.End>()
        let number = admitted.number
        admitted.loop.add(
            number, EventStream(channel: channel, identity: admitted.identity, audience: audience, ended: ended))
        opened()
        // From now on, anything that ends access also ends the stream.
        if !isCurrent(admitted.identity) { admitted.loop.end(number, .closed, saying: Self.endOfSession) }
        channel.closeFuture.whenComplete { _ in admitted.loop.end(number, .gone) }
        // The hub may have been closed meanwhile.
        if state.withLock({ $0.isClosed }) { admitted.loop.end(number, .closed) }
        // The server ends only after all requests have ended, and its services end only after the server.
        return await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await ended.value
            } onGracefulShutdown: {
                admitted.loop.end(number, .closed)
            }
        } onCancel: {
            admitted.loop.end(number, .gone)
        }
    }

    /// Releases the slot of a stream.
    func leave(_ admitted: Admitted) {
        state.withLock { state in
            guard let place = state.streams.removeValue(forKey: admitted.number) else { return }
            state.limits.giveBack(from: place.client)
        }
    }

    /// The streams that carry the list of displays.
    var numbersOfLists: [Int] { state.withLock { $0.streams.filter(\.value.hasDisplays).map(\.key) } }

    /// The number of open streams.
    var count: Int { state.withLock { $0.streams.count } }

    /// Adds data to the backlog of one stream.
    func send(_ number: Int, _ add: @escaping @Sendable (inout StreamBacklog) -> Void) {
        state.withLock { $0.streams[number]?.loop }?.send(number, add)
    }

    /// Ends the streams of clients whose access has ended.
    func end(where isOver: (Identity) -> Bool) {
        for (number, place) in state.withLock({ $0.streams }) where isOver(place.identity) {
            place.loop.end(number, .closed, saying: Self.endOfSession)
        }
    }

    /// The last event of a stream whose session has ended.
    private static let endOfSession: ByteBuffer = {
        var frame = EventFrame()
        frame.add("session", JSON.object([.init(key: "role", value: nil)]).bytes)
        return ByteBuffer(bytes: frame.bytes)
    }()

    /// Ends all streams and admits no more.
    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.streams
        }
        for (number, place) in streams { place.loop.end(number, .closed) }
    }
}

// The open displays, and the operators' actions on them.
extension StreamHub {
    /// The list of displays that an identity may see.
    func displayList(for identity: Identity) -> [UInt8] { displays.withLock { $0.list(for: identity) } }

    /// Adds a display that has opened its stream.
    func opened(_ number: Int, _ display: Displays.Display) {
        let isDark = displays.withLock { $0.add(number, display, date: WallClock.seconds, at: .now) }
        if isDark { send(number) { $0.addBlackout(true) } }
        displaysChanged()
    }

    /// Removes a stream that has ended, which may have been a display's.
    func closed(_ number: Int) {
        if displays.withLock({ $0.remove(number, at: .now) }) { displaysChanged() }
    }

    /// Makes displays show their ids; returns false if there is no display of that name.
    func identify(_ name: String, for identity: Identity) -> Bool {
        guard let numbers = displays.withLock({ $0.numbers(of: name, for: identity) }) else { return false }
        for number in numbers { send(number) { $0.addIdentify() } }
        return true
    }

    /// Makes displays dark, or light again; returns false if there is no display of that name.
    func darken(_ name: String, _ isDark: Bool, for identity: Identity) -> Bool {
        change(name, for: identity, { $0.darken($1, isDark) }, sending: { $0.addBlackout(isDark) })
    }

    /// Names displays, which keep their new name; returns false if there is no display of that name.
    func rename(_ name: String, _ newName: String, for identity: Identity) -> Bool {
        change(name, for: identity, { $0.rename($1, newName) }, sending: { $0.addName(newName) })
    }

    /// Changes displays and tells them; returns false if there is no display of that name.
    private func change(
        _ name: String, for identity: Identity, _ body: (inout Displays, [Int]) -> Void,
        sending event: @Sendable @escaping (inout StreamBacklog) -> Void
    ) -> Bool {
        let numbers = displays.withLock { displays in
            let numbers = displays.numbers(of: name, for: identity)
            body(&displays, numbers ?? [])
            return numbers
        }
        guard let numbers else { return false }
        for number in numbers { send(number, event) }
        displaysChanged()
        return true
    }

    /// Sends the list again to the pages that show it.
    private func displaysChanged() {
        for number in numbersOfLists { send(number) { $0.addDisplays() } }
    }
}
