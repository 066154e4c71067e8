internal import Foundation
internal import Synchronization
internal import Testing
internal import WebCore

@testable internal import timer_web

/// Streams write to their channel beside Hummingbird's own writer. What they write may come neither before the head nor
/// behind the end, and no contract of Hummingbird's promises that.
@Suite("A stream of events")
struct StreamOrderTests {
    @Test("has its head first, then whole events, and its end last", .timeLimit(.minutes(5)))
    func order() async throws {
        try await RunningServer.run { server async throws in
            for _ in 0..<10 {
                let fields = ["Cookie": try await server.logIn(.remote)]
                server.isStreaming.withLock { $0 = false }
                async let stream = server.stream(fields)
                try await server.waitUntilStreaming()
                #expect(try await server.send("DELETE", "/api/session", fields).status == 204)
                let text = try await stream
                let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
                #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text.prefix(100))")
                let events = Self.body(String(parts.last ?? "")).components(separatedBy: "\n\n").dropLast()
                #expect(events.first?.hasPrefix("event: snapshot\n") == true, "\(text)")
                #expect(events.allSatisfy { $0.hasPrefix("event: ") }, "\(events)")
                #expect(events.last == "event: session\ndata: {\"role\":null}")
            }
        }
    }

    /// What the chunks of a body have in them, where nothing is between them or behind the last one; else an empty text.
    private static func body(_ chunks: String) -> String {
        var (rest, body) = (Array(chunks.utf8)[...], [UInt8]())
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return "" }
            rest = rest.dropFirst(end - rest.startIndex + 2)
            guard count > 0 else {
                return Array(rest) == Array("\r\n".utf8) ? String(decoding: body, as: UTF8.self) : ""
            }
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        return ""
    }
}
