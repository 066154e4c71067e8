internal import NIOCore
internal import NIOPosix
internal import Synchronization

@testable internal import timer_web

extension RunningServer {
    /// Everything that a stream of events sends until the server ends it.
    func stream(_ fields: [String: String]) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
            let request = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(lines)\r\n"
            try await outbound.write(ByteBuffer(string: request))
            var text = ""
            for try await part in inbound {
                text += String(buffer: part)
                if text.contains("event: snapshot") { isStreaming.withLock { $0 = true } }
                // The end of what has no length.
                if text.hasSuffix("\r\n0\r\n\r\n") { break }
            }
            return text
        }
    }

    /// Waits until a stream has begun.
    func waitUntilStreaming() async throws {
        for _ in 0..<1000 where !isStreaming.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
    }
}
