internal import HTTPTypes
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import Testing

@testable internal import timer_web

/// Requests that arrive slowly, on a virtual clock.
@Suite("The guard of a connection")
struct ConnectionGuardTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try channel.pipeline.syncOperations.addHandler(ConnectionGuard(ConnectionCounts(proxies: [])))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func receive(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .noContent)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// The number of seconds that the connection survives if a string arrives at one byte a second.
    private func lifetime(_ text: String, _ drop: String) throws -> Int? {
        try receive(text)
        for second in 1...60 {
            pass(1)
            if !channel.isActive { return second }
            try receive(drop)
        }
        return nil
    }

    @Test(
        "closes it 20 s after the first byte of a request that is still incomplete",
        arguments: [
            ("GET /", "a"), ("GET / HTTP/1.1\r\nHost: x\r\na: ", "b"),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", " "),
            ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"),
        ])
    func drip(start: String, drop: String) throws { #expect(try lifetime(start, drop) == 20) }

    @Test("closes it 20 s after the first byte even if the header was complete before")
    func slowHeadAndBody() throws {
        try receive("POST / HTTP/1.1\r\nHost: x\r\n")
        pass(15)
        try receive("Content-Length: 100\r\n\r\n")
        pass(4)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("leaves it open for requests that arrive in time, and for as long as a response takes")
    func inTime() throws {
        for _ in 1...3 {
            try receive("GET / HTTP/1.1\r\n")
            pass(19)
            try receive("Host: x\r\n\r\n")
            pass(100)
            #expect(channel.isActive)
            try answer()
            pass(100)
        }
        #expect(channel.isActive)
    }

    @Test("leaves it open if the next request arrives before the response to the current one")
    func pipelined() throws {
        try receive("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n")
        pass(100)
        #expect(channel.isActive)
        try answer()
        #expect(try lifetime("Host: x\r\na: ", "b") == 20)
    }
}
