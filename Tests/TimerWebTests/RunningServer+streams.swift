internal import NIOCore
internal import NIOPosix
internal import Synchronization

@testable internal import timer_web

extension RunningServer {
    /// Everything that a stream of events sends until the server ends it.
    func stream(_ fields: [String: String]) async throws -> String {
        try await connected { inbound, outbound async throws in
            let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
            let request = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(lines)\r\n"
            try await outbound.write(ByteBuffer(string: request))
            var received = ByteBuffer()
            for try await part in inbound {
                received.writeImmutableBuffer(part)
                let text = String(buffer: received)
                if text.contains("event: snapshot") { isStreaming.withLock { $0 = true } }
                // The last chunk, which ends a body without a length.
                if text.hasSuffix("\r\n0\r\n\r\n") { break }
            }
            return String(buffer: received)
        }
    }

    /// Sends the same request many times without waiting for a response, and returns the statuses of all responses.
    func pipelined(
        _ method: String, _ path: String, _ fields: [String: String] = [:], count: Int
    ) async throws -> [Int] {
        let heads = try await pipelinedHeads(method, path, fields, count: count)
        return heads.compactMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) }
    }

    /// The same, but returns the headers of all responses.
    func pipelinedHeads(
        _ method: String, _ path: String, _ fields: [String: String] = [:], count: Int
    ) async throws -> [Substring] {
        let body = method == "GET" ? "" : "{}"
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        func request(_ connection: String) -> String {
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: \(origin)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: \(connection)\r\n\(lines)\r\n\(body)"
        }
        let text = String(repeating: request("keep-alive"), count: count - 1) + request("close")
        return try await connected { inbound, outbound async throws in
            async let written: Void = outbound.write(ByteBuffer(string: text))
            var received = ""
            for try await part in inbound { received += String(buffer: part) }
            try await written
            return received.matches(of: #/HTTP/1\.1 [0-9]{3} (?s:.*?)\r\n\r\n/#).map(\.0)
        }
    }

    /// How long the server accepts a request that begins and then continues by one drop every half second.
    func lifetime(of start: String, drop: String, atMost limit: Duration) async throws -> Duration {
        let begin = ContinuousClock.now
        return try await connected { inbound, outbound async throws in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await outbound.write(ByteBuffer(string: start))
                        while ContinuousClock.now - begin < limit {
                            try await Task.sleep(for: .milliseconds(500))
                            try await outbound.write(ByteBuffer(string: drop))
                        }
                    } catch {}
                }
                group.addTask { do { for try await _ in inbound {} } catch {} }
                await group.next()
                group.cancelAll()
            }
            return ContinuousClock.now - begin
        }
    }

    private func connected<Result: Sendable>(
        _ body:
            @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>)
            async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose(body)
    }

    /// Waits until a stream has begun.
    func waitUntilStreaming() async throws {
        while !isStreaming.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
    }
}
