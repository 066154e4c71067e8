internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// The streams on one event loop. One pass writes to all of them, so a change wakes the thread once, not once for each
/// stream.
final class LoopStreams: Sendable {
    /// The interval between pings from the server.
    private static let pingInterval = TimeAmount.seconds(2)
    /// The number of bytes to write at once: fewer than a channel accepts before it counts as congested.
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
    /// Whether the loop is already about to write.
    private let isWoken = Atomic(false)

    init(_ loop: any EventLoop, _ hub: StreamHub) {
        self.loop = loop
        self.hub = hub
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Adds a stream and writes to it from now on.
    func add(_ number: Int, _ stream: sending EventStream) {
        let box = NIOLoopBoundBox.makeBoxSendingValue(stream, eventLoop: loop)
        loop.execute { [self] in
            state.value.streams[number] = box.value
            ConnectionGuard.notifyInputClosed(of: box.value.channel) { [self] in end(number, .gone) }
            if state.value.pings == nil { startPings() }
            flush(number)
        }
    }

    /// Removes a stream and resumes the task that waits for its end.
    func end(_ number: Int, _ end: EventStream.End, saying last: ByteBuffer? = nil) {
        loop.execute { [self] in
            guard let stream = state.value.streams.removeValue(forKey: number) else { return }
            if state.value.streams.isEmpty {
                state.value.pings?.cancel()
                state.value.pings = nil
            }
            // Another event cannot be inserted in the middle of an event.
            if let last, stream.rest.isEmpty {
                stream.channel.writeAndFlush(HTTPResponsePart.body(last), promise: nil)
            }
            stream.ended.resume(end)
        }
    }

    /// Writes new data to all streams.
    func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        loop.execute { [self] in
            // The acquiring order ensures that everything published by callers that found the flag set is written now.
            _ = isWoken.exchange(false, ordering: .acquiringAndReleasing)
            for number in state.value.streams.keys { flush(number) }
        }
    }

    /// Adds data to the backlog of a stream, and writes it.
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
                    // Closing the channel ends the stream, as for any other.
                    state.value.streams[number]?.channel.close(promise: nil)
                } else {
                    state.value.streams[number]?.backlog.addPing()
                    flush(number)
                }
            }
        }
    }

    /// Writes the backlog of a stream, unless a write to the stream is still in progress.
    private func flush(_ number: Int) {
        let snapshot = hub.snapshot
        guard let stream = state.value.streams[number],
            let batch = state.value.streams[number]?.backlog.take(snapshot, at: .now)
        else { return }
        let rest = bytes(batch, snapshot, number, stream)
        guard !rest.isEmpty else {
            state.value.streams[number]?.backlog.wrote()
            return
        }
        state.value.streams[number]?.rest = rest
        writeNext(number)
    }

    /// Writes piece by piece, so that a slow client is not mistaken for a client that reads nothing.
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

    /// The bytes of a batch: first the data for the whole audience, from the cache, then the data for this stream only.
    private func bytes(
        _ batch: StreamBacklog.Batch, _ snapshot: Snapshot, _ number: Int, _ stream: EventStream
    ) -> [ByteBuffer] {
        var buffers: [ByteBuffer] = []
        if batch.everything {
            let beginning = ByteBuffer(bytes: "event: snapshot\ndata: ".utf8 + Snapshot.beginning(at: .now))
            let shared = state.value.cache.everything(of: snapshot, for: stream.audience, hub.site, at: .now)
            buffers = [beginning, shared.frame, Self.endOfEvent]
            state.value.streams[number]?.backlog.sends(snapshotOf: shared.change)
        } else if let since = batch.since {
            buffers = [state.value.cache.frame(of: snapshot, since: since, for: stream.audience)]
        }
        var rest = EventFrame()
        if batch.identify { rest.add("display") { $0.member("identify", true) } }
        if let isDark = batch.blackout { rest.add("display") { $0.member("blackout", isDark) } }
        if let name = batch.name { rest.add("display") { $0.member("name", name) } }
        if batch.displays { rest.add("displays", hub.displayList(for: stream.identity)) }
        if batch.ping { rest.add("ping", (["now": .number(Instant.now.milliseconds)] as JSON).bytes) }
        buffers.append(ByteBuffer(bytes: rest.bytes))
        return buffers.filter { $0.readableBytes > 0 }
    }
}

/// An open event stream. Only its event loop accesses it. It has a backlog instead of a queue.
struct EventStream {
    /// Why a stream ends.
    enum End: Sendable {
        /// The client disconnected, or read nothing for too long.
        case gone
        /// The server ends it.
        case closed
    }

    let channel: any Channel
    let identity: Identity
    let audience: Audience
    let ended: OneShot<End>
    var backlog = StreamBacklog()
    /// The rest of the current write, in order. Streams share the memory of data that many receive, so a client that
    /// does not read costs little.
    var rest: [ByteBuffer] = []

    /// Takes the next piece of ``rest``; nil if nothing is left.
    ///
    /// - Parameter length: the maximum number of bytes.
    mutating func takePiece(upTo length: Int) -> ByteBuffer? {
        guard let available = rest.first?.readableBytes else { return nil }
        defer { if available <= length { rest.removeFirst() } }
        return rest[0].readSlice(length: min(available, length))
    }
}
