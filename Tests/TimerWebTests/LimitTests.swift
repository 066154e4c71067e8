internal import LinuxSystem
internal import NIOPosix
internal import Testing
import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("Limits over HTTP")
struct LimitTests {
    @Test("allow ten commands a second, for each session, each token and each address")
    func commands() async throws {
        try await RunningServer.run(web: "{remote: open}") { server async throws in
            let senders = [
                ("a session", ["Cookie": try await server.logIn(.operator)]),
                ("another session from there", ["Cookie": try await server.logIn(.operator)]),
                ("a token", ["Authorization": "Bearer \(try server.token("one", .operator))"]),
                ("another token", ["Authorization": "Bearer \(try server.token("two", .operator))"]),
                ("a client without credentials", [:]),
            ]
            for (name, fields) in senders {
                let begin = ContinuousClock.now
                let heads = try await server.pipelinedHeads(
                    "POST", "/api/nodes/lectern/commands/start", fields, count: 200)
                let seconds = (ContinuousClock.now - begin) / .seconds(1)
                // 503, because the node is offline.
                #expect(heads.prefix(10).count { $0.hasPrefix("HTTP/1.1 503 ") } == 10, "\(name)")
                let refused = heads.filter { $0.hasPrefix("HTTP/1.1 429 ") }
                #expect(Double(200 - refused.count) <= 11 + 10 * seconds, "\(name)")
                #expect(refused.allSatisfy { $0.lowercased().contains("\r\nretry-after: 1\r\n") }, "\(name)")
            }
        }
    }

    @Test("apply to all sessions of one network together, without the commands sent with tokens")
    func sessionsOfOneNetwork() async throws {
        try await RunningServer.run { server async throws in
            let key = try server.file.load().key
            let begin = ContinuousClock.now
            var statuses: [Int] = []
            for number in 0..<30 {
                let ticket = SessionTicket(
                    role: .operator, expires: WallClock.seconds + 1000, generation: 1, id: "session\(number)")
                let cookie = CookieSigner(key: key, purpose: .session).cookie(for: ticket.text)
                statuses += try await server.pipelined(
                    "POST", "/api/nodes/lectern/commands/start", ["Cookie": "timer_web_session=\(cookie)"], count: 10)
            }
            let seconds = Double((ContinuousClock.now - begin).components.seconds + 1)
            #expect(statuses.count == 300 && statuses.prefix(30).allSatisfy { $0 == 503 })
            #expect(Double(statuses.count { $0 == 503 }) <= 30 + 30 * seconds)
            let token = ["Authorization": "Bearer \(try server.token("one", .operator))"]
            let own = try await server.pipelined("POST", "/api/nodes/lectern/commands/start", token, count: 10)
            #expect(own.allSatisfy { $0 == 503 })
        }
    }

    @Test("apply to requests from clients without credentials, and to no other requests")
    func requests() async throws {
        try await RunningServer.run { server async throws in
            let begin = ContinuousClock.now
            let statuses = try await server.pipelined("GET", "/api/nodes", count: 1500)
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            #expect(statuses.prefix(300).allSatisfy { $0 == 200 })
            #expect(Double(statuses.count { $0 == 200 }) <= 400 + 50 * seconds)
            // Pages and the files that they load do not count as API requests.
            #expect(try await server.pipelined("GET", "/", count: 1000).allSatisfy { $0 == 200 })
            let token = ["Authorization": "Bearer \(try server.token("one", .viewer))"]
            #expect(try await server.send("GET", "/api/nodes", token).status == 200)
            // The hall's clocks and logins still work.
            #expect(try await server.send("GET", "/api/time").status == 200)
            _ = try await server.logIn(.remote)
        }
    }

    @Test("make each login wait two seconds after fifty wrong PINs from anywhere, but no other request")
    func slowLogins() async throws {
        try await RunningServer.run(web: "{trusted_proxies: [127.0.0.1]}") { server async throws in
            let cookie = try await server.logIn(.operator, ["X-Forwarded-For": "203.0.113.1"])
            // All at once, because wrong attempts are forgotten after a minute.
            let statuses = try await inParallel(50) { number in
                try await server.send(
                    "POST", "/api/session", ["X-Forwarded-For": "198.51.100.\(number)"],
                    body: "{\"pin\": \"00000000x\"}"
                ).status
            }
            #expect(statuses.allSatisfy { $0 == 401 })
            let begin = ContinuousClock.now
            _ = try await server.logIn(.remote, ["X-Forwarded-For": "203.0.113.2"])
            #expect(ContinuousClock.now - begin >= .seconds(2))
            #expect(try await server.send("GET", "/api/session", ["Cookie": cookie]).body.contains("operator"))
        }
    }

    @Test("restrict a command's body to 64 KiB, even if its length is not announced")
    func bodies() async throws {
        try await RunningServer.run { server async throws in
            let cookie = try await server.logIn(.operator)
            func command(_ count: Int) async throws -> Int? {
                let body = "{\"text\":\"\(String(repeating: "x", count: count))\"}"
                return try await server.send(
                    raw: "POST /api/nodes/lectern/commands/message HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                        + "Origin: \(server.origin)\r\nCookie: \(cookie)\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n")?.status
            }
            #expect(try await command(60_000) == 503)
            #expect(try await command(66_000) == 413)
            // This also holds if no code reads the body.
            let identify = try await server.send(
                "POST", "/api/displays/all/identify", ["Cookie": cookie],
                body: "{\"x\":\"\(String(repeating: "x", count: 66_000))\"}")
            #expect(identify.status == 413)
        }
    }

    @Test("apply to the number of streams, and reserve the last slots for remotes and operators")
    func places() throws {
        let limits = StreamLimits(total: 3, reserved: 1, perAddress: 10)
        let hub = StreamHub(site: SiteReport(boot: "b", version: "1", prefix: "timer"), limits: limits)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        func place(_ role: Role) -> StreamHub.Admitted? {
            hub.admit(Identity(role: role), from: nil, on: loop)
        }
        let first = try #require(place(.viewer))
        #expect(place(.viewer) != nil)
        #expect(place(.viewer) == nil)
        #expect(place(.remote) != nil)
        #expect(place(.operator) == nil)
        hub.leave(first)
        hub.leave(first)
        #expect(place(.operator) != nil)
        #expect(place(.operator) == nil)
        #expect(hub.count == 3)
        hub.close()
        #expect(place(.operator) == nil)
    }
}

@Suite("Slow requests", .timeLimit(.minutes(5)))
struct SlowRequestTests {
    /// An incomplete request, which continues by a byte every half second and never ends.
    @Test(
        "are cut off, however active they look",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: x\r\na: ", "b"),
            (
                "POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
                " "
            ),
            (
                "POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"
            ),
        ])
    func drip(start: String, drop: String) async throws {
        try await RunningServer.run { server async throws in
            let lasted = try await server.lifetime(of: start, drop: drop, atMost: .seconds(240))
            #expect(lasted < .seconds(200), "\(start)")
            #expect(try await server.send("GET", "/").status == 200)
        }
    }
}
