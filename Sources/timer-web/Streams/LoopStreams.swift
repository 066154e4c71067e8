internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// The streams of one event loop. It writes to all of them in one go, so that a change costs one wake-up of a thread and
/// not one for each stream.
final class LoopStreams: Sendable {
    /// How often the server says that it is there.
    private static let pingInterval = TimeAmount.seconds(2)

    private struct State {
        var streams: [Int: EventStream] = [:]
        var cache = FrameCache()
        var pings: RepeatedTask?
    }

    private let loop: any EventLoop
    private let hub: StreamHub
    private let state: NIOLoopBoundBox<State>
    /// Whether the loop is about to write anyway.
    private let isWoken = Atomic(false)

    init(_ loop: any EventLoop, _ hub: StreamHub) {
        self.loop = loop
        self.hub = hub
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Takes a stream over and writes to it from now on.
    func add(_ number: Int, _ stream: sending EventStream) {
        let box = NIOLoopBoundBox.makeBoxSendingValue(stream, eventLoop: loop)
        loop.execute { [self] in
            state.value.streams[number] = box.value
            if state.value.pings == nil { startPings() }
            pay(number)
        }
    }

    /// Forgets a stream and lets the one who waits for its end go on.
    func end(_ number: Int, _ end: EventStream.End, saying last: ByteBuffer? = nil) {
        loop.execute { [self] in
            guard let stream = state.value.streams.removeValue(forKey: number) else { return }
            if state.value.streams.isEmpty {
                state.value.pings?.cancel()
                state.value.pings = nil
            }
            if let last { stream.channel.writeAndFlush(HTTPResponsePart.body(last), promise: nil) }
            stream.ended.resume(end)
        }
    }

    /// Writes what has become new.
    func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        loop.execute { [self] in
            isWoken.store(false, ordering: .releasing)
            for number in state.value.streams.keys { pay(number) }
        }
    }

    /// Notes what is owed to one stream, and writes it.
    func owe(_ number: Int, _ note: @escaping @Sendable (inout StreamDebt) -> Void) {
        loop.execute { [self] in
            guard var debt = state.value.streams[number]?.debt else { return }
            note(&debt)
            state.value.streams[number]?.debt = debt
            pay(number)
        }
    }
}

// MARK: - On the loop

extension LoopStreams {
    private func startPings() {
        state.value.pings = loop.scheduleRepeatedTask(
            initialDelay: Self.pingInterval, delay: Self.pingInterval
        ) { [self] _ in
            let now = hub.now
            for number in state.value.streams.keys {
                if state.value.streams[number]?.debt.isStuck(at: now) == true {
                    // Its end is noticed as that of any connection.
                    state.value.streams[number]?.channel.close(promise: nil)
                } else {
                    state.value.streams[number]?.debt.owePing()
                    pay(number)
                }
            }
        }
    }

    /// Writes what is owed to a stream, unless a write to it is still on its way.
    private func pay(_ number: Int) {
        let snapshot = hub.snapshot
        guard let stream = state.value.streams[number],
            let payment = state.value.streams[number]?.debt.take(snapshot, at: hub.now)
        else { return }
        let buffer = bytes(payment, snapshot, stream)
        guard buffer.readableBytes > 0 else {
            state.value.streams[number]?.debt.wrote()
            return
        }
        let promise = loop.makePromise(of: Void.self)
        stream.channel.writeAndFlush(HTTPResponsePart.body(buffer), promise: promise)
        promise.futureResult.whenSuccess { [self] in
            state.value.streams[number]?.debt.wrote()
            pay(number)
        }
    }

    private func bytes(_ payment: StreamDebt.Payment, _ snapshot: Snapshot, _ stream: EventStream) -> ByteBuffer {
        var buffer = ByteBuffer()
        if payment.everything {
            buffer.writeString("event: snapshot\ndata: ")
            buffer.writeBytes(Snapshot.beginning(at: hub.now))
            buffer.writeImmutableBuffer(state.value.cache.everything(of: snapshot, for: stream.audience, hub.site))
            buffer.writeString("\n\n")
        } else if let since = payment.since {
            // The same bytes for all, unless there is more to say to this one.
            buffer = state.value.cache.frame(of: snapshot, since: since, for: stream.audience)
        }
        var rest = EventFrame()
        if payment.identify { rest.add("display") { $0.member("identify", true) } }
        if let isDark = payment.blackout { rest.add("display") { $0.member("blackout", isDark) } }
        if payment.displays { rest.add("displays", hub.displayList(for: stream.identity)) }
        if payment.ping { rest.add("ping") { $0.member(.now, milliseconds: hub.now) } }
        if !rest.bytes.isEmpty { buffer.writeBytes(rest.bytes) }
        return buffer
    }
}
