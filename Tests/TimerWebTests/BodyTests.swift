internal import NIOCore
internal import NIOPosix
internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

/// The body that a header announces, and the bytes that follow the header.
private struct AnnouncedBody: Sendable, CustomStringConvertible {
    let description: String
    /// The fields of the header.
    let fields: String
    /// The part of the body that is sent.
    let sent: String

    static let all = [
        AnnouncedBody(description: "not sent", fields: "Content-Length: 30\r\n", sent: ""),
        AnnouncedBody(description: "not sent in pieces", fields: "Transfer-Encoding: chunked\r\n", sent: ""),
        AnnouncedBody(description: "sent in part", fields: "Content-Length: 30\r\n", sent: "{\"on\": true"),
        AnnouncedBody(
            description: "sent in a piece without an end", fields: "Transfer-Encoding: chunked\r\n", sent: "2\r\n{}\r\n"
        ),
        AnnouncedBody(description: "longer than announced", fields: "Content-Length: 2\r\n", sent: "{}{}{}{}{}"),
        AnnouncedBody(
            description: "longer than the server reads", fields: "Transfer-Encoding: chunked\r\n",
            sent: String(repeating: "8000\r\n\(String(repeating: "x", count: 0x8000))\r\n", count: 4)),
    ]
}

@Suite("A body that does not match its announcement", .timeLimit(.minutes(20)))
struct BodyTests {
    @Test(
        "is refused with a GET before anything is streamed",
        arguments: ["Content-Length: 30", "Transfer-Encoding: chunked"])
    func get(field: String) async throws {
        try await RunningServer.run { server async throws in
            for path in ["/api/events", "/api/nodes", "/", "/unknown"] {
                let answer = try await server.send(
                    raw: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(field)\r\n\r\n")
                #expect(answer?.status == 400, "\(path)")
                #expect(answer?.body.contains("a GET request must not have a body") == true, "\(path)")
            }
            let empty = try await server.send("GET", "/api/nodes", ["Content-Length": "0"])
            #expect(empty.status == 200)
        }
    }

    @Test("ends only the connection, at every address", arguments: AnnouncedBody.all)
    fileprivate func announced(body: AnnouncedBody) async throws {
        try await RunningServer.run { server async throws in
            let requests = try server.requests(announcing: body)
            await server.cut(requests.flatMap { [($0, .all), ($0, .output)] })
            try await server.expectHealthy()
        }
    }

    @Test("ends only the connection if the request is cut at any byte")
    func cut() async throws {
        try await RunningServer.run { server async throws in
            let body = AnnouncedBody(
                description: "", fields: "Transfer-Encoding: chunked\r\n", sent: "2\r\n{}\r\n0\r\n\r\n")
            // A command is cut at each byte. Every other request is cut at a sixteenth of its bytes, which differ from
            // those of the request before.
            let requests = try server.requests(announcing: body)
            let command = try #require(requests.firstIndex { $0.hasPrefix("POST ") && $0.contains("/commands/") })
            for (number, request) in requests.enumerated() {
                let ends = request.utf8.indices.dropFirst().enumerated()
                    .filter { number == command || $0.offset % 16 == number % 16 }
                await server.cut(ends.map { (String(request[..<$0.element]), .all) })
            }
            try await server.expectHealthy()
        }
    }
}

extension RunningServer {
    /// A request to each address, with the body that it announces.
    fileprivate func requests(announcing body: AnnouncedBody) throws -> [String] {
        let token = try token("bodies", .operator)
        return routes.map { method, pattern in
            let path = pattern.replacing("{id}", with: "lectern").replacing("{verb}", with: "start")
                .replacing("**", with: "a.js")
            return "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Type: application/json\r\n\(body.fields)\r\n\(body.sent)"
        }
    }

    /// Sends each string on its own connection, and closes the connection in the given way.
    fileprivate func cut(_ texts: [(text: String, mode: CloseMode)]) async {
        let port = port
        await withTaskGroup(of: Void.self) { group in
            for (number, (text, mode)) in texts.enumerated() {
                if number >= 32 { await group.next() }
                group.addTask {
                    guard
                        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                            .channelOption(.allowRemoteHalfClosure, value: true)
                            .connect(host: "127.0.0.1", port: port).get()
                    else { return }
                    // A server that has received enough closes first.
                    try? await channel.writeAndFlush(ByteBuffer(string: text))
                    try? await channel.close(mode: mode)
                    if mode == .output {
                        let limit = channel.eventLoop.scheduleTask(in: .milliseconds(200)) {
                            channel.close(promise: nil)
                        }
                        try? await channel.closeFuture.get()
                        limit.cancel()
                    }
                }
            }
        }
    }

    /// Checks that the server responds, and that no stream is left.
    fileprivate func expectHealthy() async throws {
        #expect(try await send("GET", "/healthz").status == 200)
        var metrics = ""
        for _ in 0..<1000 {
            metrics = try await send("GET", "/metrics").body
            if metrics.contains("\ntimer_web_streams 0\n") { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("streams of disconnected clients are left: \(metrics)")
    }
}
