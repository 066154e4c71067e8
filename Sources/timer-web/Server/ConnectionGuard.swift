internal import BrokerLink
internal import HTTPTypes
internal import LinuxSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import Synchronization
internal import WebCore

/// Guards a connection against clients that are slow, greedy or broken. A request must arrive within a few seconds, a
/// client must read the response, and anything that is not HTTP gets an error response.
///
/// Only the connection's event loop uses it.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time that a request may take from its first byte to its end, and that a client may take to make room for
    /// more data.
    static let timeout = TimeAmount.seconds(20)

    private let counts: ConnectionCounts
    private var place: ConnectionCounts.Place?
    private var arrival: Scheduled<Void>?
    private var congestion: Scheduled<Void>?
    /// The number of requests whose response has not ended.
    private var unanswered = 0
    private var isRefused = false
    /// Whether the client has closed its side.
    private var isInputClosed = false
    /// Called once when the client has closed its side, because a client that only listens will send nothing more.
    private var onInputClosed: (() -> Void)?

    init(_ counts: ConnectionCounts) { self.counts = counts }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.pipeline.syncOperations.addHandler(FirstBytes(self), position: .first)
        place = counts.take(context.channel.remoteAddress)
        // Without a free slot, the connection is closed at once: if it were not accepted, it would stay open as well.
        if place == nil { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        arrival?.cancel()
        congestion?.cancel()
        if let place { counts.giveBack(place) }
        place = nil
    }

    /// Called when bytes have arrived that do not form a complete request yet. Bytes that arrive while an earlier
    /// request is being answered have no deadline until the response has ended.
    fileprivate func bytesArrived(context: ChannelHandlerContext) {
        if arrival == nil, unanswered == 0 { arrival = deadline(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if place?.purpose == .status, head.path?.hasSuffix("/healthz") != true {
                return refuse(.serviceUnavailable, context)
            }
            unanswered += 1
            if arrival == nil { arrival = deadline(context) }
        case .body: break
        case .end:
            arrival?.cancel()
            arrival = nil
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            isInputClosed = true
            onInputClosed?()
            onInputClosed = nil
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Sets the function to call when the client closes its side, and calls it at once if it has already done so. It
    /// replaces any earlier function.
    static func notifyInputClosed(of channel: any Channel, _ function: @escaping () -> Void) {
        guard let handler = try? channel.pipeline.syncOperations.handler(type: ConnectionGuard.self) else { return }
        if handler.isInputClosed { function() } else { handler.onInputClosed = function }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        congestion?.cancel()
        congestion = context.channel.isWritable ? nil : deadline(context)
        context.fireChannelWritabilityChanged()
    }

    private func deadline(_ context: ChannelHandlerContext) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }

    /// Rejects input that is not valid HTTP, and ends the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        let isTooLarge = if case .headerOverflow = error { true } else { false }
        refuse(isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest, context)
    }

    /// Sends an error unless another request is being answered, and ends the connection.
    private func refuse(_ status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
        guard !isRefused else { return }
        isRefused = true
        if unanswered == 0 {
            let body = ByteBuffer(bytes: APIError(status).bytes)
            var fields = HTTPFields.protection
            fields[.connection] = "close"
            fields[.contentType] = "application/json; charset=utf-8"
            fields[.contentLength] = "\(body.readableBytes)"
            context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        // The connection is closed with a delay: the client would lose the response if unread bytes were still
        // arriving.
        let channel = context.channel
        channel.close(mode: .output, promise: nil)
        context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}

/// Comes before the HTTP decoder in the pipeline and notifies the guard when bytes arrive, because the decoder forwards
/// a header only once it is complete.
private final class FirstBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionGuard

    init(_ connection: ConnectionGuard) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.bytesArrived(context: context)
        context.fireChannelRead(data)
    }
}

/// The open connections.
final class ConnectionCounts: Sendable {
    /// A connection that is counted.
    struct Place: Sendable {
        let purpose: ConnectionLimits.Purpose
        fileprivate let network: String?
    }

    private let limits: Mutex<ConnectionLimits>
    /// The trusted proxies, whose connections carry requests from many clients.
    private let proxies: [IPNetwork]

    init(proxies: [IPNetwork], descriptors: Int = DescriptorLimit.current) {
        self.proxies = proxies
        limits = Mutex(ConnectionLimits(descriptors: descriptors, used: DescriptorLimit.used))
    }

    /// Takes a slot for a connection from an address; nil if no slot is free.
    func take(_ address: SocketAddress?) -> Place? {
        let peer = address?.ipAddress.flatMap { IPAddress($0) }
        let isOwn = peer?.isLoopback ?? false
        let isShared = isOwn || proxies.contains { proxy in peer.map(proxy.contains) ?? false }
        let network = isShared ? nil : peer?.network
        return limits.withLock { $0.take(network, isOwn: isOwn) }.map { Place(purpose: $0, network: network) }
    }

    /// Releases a slot.
    func giveBack(_ place: Place) { limits.withLock { $0.giveBack(place.network) } }
}
