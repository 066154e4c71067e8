internal import Foundation
internal import Synchronization
internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

/// Streams write to their channel alongside Hummingbird's own writer. Their data must come neither before the header
/// nor after the end, and Hummingbird does not guarantee that.
@Suite("A stream of events")
struct StreamOrderTests {
    @Test("has its header first, then complete events, and its end last", .timeLimit(.minutes(5)))
    func order() async throws {
        try await RunningServer.run { server async throws in
            var ends = 0
            for _ in 0..<10 {
                let fields = ["Cookie": try await server.logIn(.remote)]
                server.isStreaming.withLock { $0 = false }
                async let stream = server.stream(fields)
                try await server.waitUntilStreaming()
                #expect(try await server.send("DELETE", "/api/session", fields).status == 204)
                let text = try await stream
                let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
                #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text.prefix(100))")
                let (body, hasEnd) = Self.body(String(parts.last ?? ""))
                if hasEnd { ends += 1 }
                let events = body.components(separatedBy: "\n\n").dropLast()
                #expect(events.first?.hasPrefix("event: snapshot\n") == true, "\(text)")
                #expect(events.allSatisfy { $0.hasPrefix("event: ") }, "\(events)")
                #expect(events.last == "event: session\ndata: {\"role\":null}")
            }
            // The server closes the connection 0.3 s later in any case; on a busy machine that may be before it has
            // written the end.
            #expect(ends > 0)
        }
    }

    /// The content of a body's chunks, and whether the body has its end; an empty string if anything is between the
    /// chunks or after the end.
    private static func body(_ chunks: String) -> (text: String, hasEnd: Bool) {
        var (rest, body) = (Array(chunks.utf8)[...], [UInt8]())
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return ("", false) }
            rest = rest.dropFirst(end - rest.startIndex + 2)
            guard count > 0 else {
                let isLast = Array(rest) == Array("\r\n".utf8)
                return (isLast ? String(decoding: body, as: UTF8.self) : "", isLast)
            }
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        return (String(decoding: body, as: UTF8.self), false)
    }
}
