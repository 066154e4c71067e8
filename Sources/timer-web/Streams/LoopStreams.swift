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
    /// How many bytes are written at once: fewer than a channel takes before it counts as congested.
    private static let pieceSize = 32_768
    private static let endOfEvent = ByteBuffer(string: "\n\n")

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
            ConnectionGuard.notifyInputClosed(of: box.value.channel) { [self] in end(number, .gone) }
            if state.value.pings == nil { startPings() }
            flush(number)
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
            // In the midst of an event there is no room for another one.
            if let last, stream.rest.isEmpty {
                stream.channel.writeAndFlush(HTTPResponsePart.body(last), promise: nil)
            }
            stream.ended.resume(end)
        }
    }

    /// Writes what has become new.
    func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        loop.execute { [self] in
            // With acquiring, so that whatever was there when somebody found it woken is written now.
            _ = isWoken.exchange(false, ordering: .acquiringAndReleasing)
            for number in state.value.streams.keys { flush(number) }
        }
    }

    /// Adds to what a stream has to send, and writes it.
    func send(_ number: Int, _ add: @escaping @Sendable (inout StreamBacklog) -> Void) {
        loop.execute { [self] in
            guard var backlog = state.value.streams[number]?.backlog else { return }
            add(&backlog)
            state.value.streams[number]?.backlog = backlog
            flush(number)
        }
    }
}

// MARK: - On the loop

extension LoopStreams {
    private func startPings() {
        state.value.pings = loop.scheduleRepeatedTask(
            initialDelay: Self.pingInterval, delay: Self.pingInterval
        ) { [self] _ in
            let now = Instant.now
            for number in state.value.streams.keys {
                if state.value.streams[number]?.backlog.isStuck(at: now) == true {
                    // The closing of its channel ends it, as for any other.
                    state.value.streams[number]?.channel.close(promise: nil)
                } else {
                    state.value.streams[number]?.backlog.addPing()
                    flush(number)
                }
            }
        }
    }

    /// Writes what a stream has to send, unless a write to it is still on its way.
    private func flush(_ number: Int) {
        let snapshot = hub.snapshot
        guard let stream = state.value.streams[number],
            let batch = state.value.streams[number]?.backlog.take(snapshot, at: .now)
        else { return }
        let rest = bytes(batch, snapshot, stream)
        guard !rest.isEmpty else {
            state.value.streams[number]?.backlog.wrote()
            return
        }
        state.value.streams[number]?.rest = rest
        writeNext(number)
    }

    /// Writes piece by piece, so that a slow reader of much is not taken for one who takes nothing.
    private func writeNext(_ number: Int) {
        guard let channel = state.value.streams[number]?.channel,
            let piece = state.value.streams[number]?.takePiece(upTo: Self.pieceSize)
        else { return }
        let promise = loop.makePromise(of: Void.self)
        channel.writeAndFlush(HTTPResponsePart.body(piece), promise: promise)
        promise.futureResult.whenSuccess { [self] in
            if state.value.streams[number]?.rest.isEmpty == false {
                state.value.streams[number]?.backlog.progressed(at: .now)
                writeNext(number)
            } else {
                state.value.streams[number]?.backlog.wrote()
                flush(number)
            }
        }
    }

    /// What a batch is in bytes: what all of an audience get as it is in the cache, and what this stream alone gets.
    private func bytes(_ batch: StreamBacklog.Batch, _ snapshot: Snapshot, _ stream: EventStream) -> [ByteBuffer] {
        var buffers: [ByteBuffer] = []
        if batch.everything {
            buffers = [
                ByteBuffer(bytes: "event: snapshot\ndata: ".utf8 + Snapshot.beginning(at: .now)),
                state.value.cache.everything(of: snapshot, for: stream.audience, hub.site), Self.endOfEvent,
            ]
        } else if let since = batch.since {
            buffers = [state.value.cache.frame(of: snapshot, since: since, for: stream.audience)]
        }
        var rest = EventFrame()
        if batch.identify { rest.add("display") { $0.member("identify", true) } }
        if let isDark = batch.blackout { rest.add("display") { $0.member("blackout", isDark) } }
        if batch.displays { rest.add("displays", hub.displayList(for: stream.identity)) }
        if batch.ping { rest.add("ping", (["now": .number(Instant.now.milliseconds)] as JSON).bytes) }
        buffers.append(ByteBuffer(bytes: rest.bytes))
        return buffers.filter { $0.readableBytes > 0 }
    }
}

/// An open stream of events. Only its event loop touches it, and it knows what is to be sent, and has no queue.
struct EventStream {
    /// Why a stream ends.
    enum End: Sendable {
        /// The client went away, or took nothing for too long.
        case gone
        /// The server ends it.
        case closed
    }

    let channel: any Channel
    let identity: Identity
    let audience: Audience
    let ended: OneShot<End>
    var backlog = StreamBacklog()
    /// What is left of the write that is on its way, one after another. Streams share the memory of what many get, so that
    /// those that do not read cost little.
    var rest: [ByteBuffer] = []

    /// Takes the next piece of ``rest``; nil where nothing is left.
    ///
    /// - Parameter length: how many bytes it has at most.
    mutating func takePiece(upTo length: Int) -> ByteBuffer? {
        guard let available = rest.first?.readableBytes else { return nil }
        defer { if available <= length { rest.removeFirst() } }
        return rest[0].readSlice(length: min(available, length))
    }
}
