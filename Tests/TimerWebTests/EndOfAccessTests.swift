internal import Foundation
internal import LinuxSystem
internal import NIOCore
internal import NIOEmbedded
internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("A client whose access has ended")
struct EndOfAccessTests {
    /// Opens a stream, ends it with `end`, and returns what the stream sent.
    private func stream(
        _ server: RunningServer, _ fields: [String: String], until end: () async throws -> Void
    ) async throws -> String {
        async let stream = server.stream(fields)
        try await server.waitUntilStreaming()
        try await end()
        return try await stream
    }

    private static let last = "event: session\ndata: {\"role\":null}"

    /// The cookie of a display that was opened with a token.
    private func viewCookie(_ server: RunningServer, _ token: String, _ node: String) async throws -> String {
        let answer = try await server.send("GET", "/n/\(node)?token=\(token)")
        return String(try #require(answer.fields["set-cookie"]).prefix { $0 != ";" })
    }

    @Test("by logging out no longer has a stream", .timeLimit(.minutes(5)))
    func loggedOut() async throws {
        try await RunningServer.run { server async throws in
            let fields = ["Cookie": try await server.logIn(.remote)]
            let text = try await stream(server, fields) { () async throws in
                #expect(try await server.send("DELETE", "/api/session", fields).status == 204)
            }
            #expect(text.contains(Self.last))
        }
    }

    @Test("by logging out loses a stream that was only just admitted", .timeLimit(.minutes(5)))
    func loggedOutWhileOpening() async throws {
        try await RunningServer.run { server async throws in
            let access = server.access
            guard case .welcome(_, let identity) = try await access.logIn(try server.pin(.remote), from: "x") else {
                Issue.record("no session")
                return
            }
            let hub = StreamHub(site: SiteReport(boot: "b", version: "1", prefix: "timer"))
            let channel = NIOAsyncTestingChannel()
            let admitted = try #require(hub.admit(identity, from: nil, on: channel.eventLoop))
            // The logout does not find a stream to end.
            #expect(access.logOut(identity) == nil)
            hub.end { !access.isCurrent($0) }
            async let end = hub.serve(admitted, channel, Audience(identity), while: access.isCurrent)
            #expect(await end == .closed)
            let other = try #require(hub.admit(Identity(role: .viewer), from: nil, on: channel.eventLoop))
            async let others = hub.serve(other, channel, Audience(identity), while: access.isCurrent)
            try await channel.close()
            #expect(await others == .gone)
        }
    }

    @Test("by logging out stays out, even if the file could not be written and changes later")
    func loggedOutInVain() async throws {
        try await RunningServer.run { server async throws in
            let fields = ["Cookie": try await server.logIn(.remote)]
            let inTheWay = server.file.directory + "/access.json.new"
            try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: false)
            #expect(try await server.send("DELETE", "/api/session", fields).status == 204)
            try FileManager.default.removeItem(atPath: inTheWay)
            #expect(try server.file.load().loggedOut.isEmpty)
            #expect(server.access.reload() == nil)
            #expect(try await server.send("GET", "/api/session", fields).body.contains(#""role":"viewer""#))
        }
    }

    @Test("because a program's token was removed no longer has a stream", .timeLimit(.minutes(5)))
    func program() async throws {
        try await RunningServer.run { server async throws in
            let fields = ["Authorization": "Bearer \(try server.token("program", .remote))"]
            let text = try await stream(server, fields) { () async throws in
                try server.file.update { $0.tokens = [] }
            }
            #expect(text.contains(Self.last))
            #expect(try await server.send("GET", "/api/nodes", fields).status == 401)
        }
    }

    @Test(
        "because one of the tokens of a display was removed no longer has a stream", .timeLimit(.minutes(5)),
        arguments: ["hall", "foyer"])
    func display(removed: String) async throws {
        try await RunningServer.run(web: "{view: pin}") { server async throws in
            let hall = try await viewCookie(server, try server.token("hall", .viewer, nodes: ["lectern"]), "lectern")
            let foyer = try await viewCookie(server, try server.token("foyer", .viewer, nodes: ["stage"]), "stage")
            let fields = ["Cookie": "\(hall); \(foyer)"]
            #expect(try await server.send("GET", "/api/nodes", fields).status == 200)
            let text = try await stream(server, fields) { () async throws in
                try server.file.update { $0.tokens.removeAll { $0.name == removed } }
            }
            #expect(text.contains(Self.last))
            // The display of the other token continues.
            #expect(try await server.send("GET", "/api/nodes", fields).status == 200)
            let node = removed == "hall" ? "lectern" : "stage"
            #expect(try await server.send("GET", "/api/events?node=\(node)", fields).status == 404)
        }
    }

    @Test("because a token is now for other nodes no longer sees the former ones")
    func otherNodes() async throws {
        try await RunningServer.run(web: "{view: pin}") { server async throws in
            let cookie = try await viewCookie(server, try server.token("hall", .viewer, nodes: ["lectern"]), "lectern")
            #expect(try await server.send("GET", "/api/nodes", ["Cookie": cookie]).status == 200)
            try server.file.update { document in
                document.tokens = document.tokens.map {
                    .init(name: $0.name, role: $0.role, nodes: ["stage"], hash: $0.hash)
                }
            }
            _ = server.access.reload()
            #expect(try await server.send("GET", "/api/nodes", ["Cookie": cookie]).status == 401)
        }
    }

    @Test("after twelve hours loses its stream within a few seconds", .timeLimit(.minutes(10)))
    func expired() async throws {
        try await RunningServer.run(web: "{view: pin}") { server async throws in
            let key = try server.file.load().key
            // On a busy machine a session may expire before its stream has begun.
            for lifetime in [10, 40, 160] {
                let ticket = SessionTicket(
                    role: .remote, expires: WallClock.seconds + lifetime, generation: 1, id: "abc")
                let cookie = CookieSigner(key: key, purpose: .session).cookie(for: ticket.text)
                let text = try await server.stream(["Cookie": "timer_web_session=\(cookie)"])
                guard text.contains("event: snapshot") else { continue }
                #expect(text.contains(Self.last))
                #expect(WallClock.seconds >= ticket.expires)
                return
            }
            Issue.record("no stream began in time")
        }
    }
}
