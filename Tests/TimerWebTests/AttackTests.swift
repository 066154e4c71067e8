internal import NodeConfiguration
internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("Attacks over HTTP")
struct AttackTests {
    @Test(
        "by pages of other sites change nothing, with or without a cookie",
        arguments: [
            ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": ""], ["Origin": "http://127.0.0.1"],
            ["Origin": "https://127.0.0.1"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ])
    func crossSite(fields: [String: String]) async throws {
        try await RunningServer.run(web: "{remote: open}") { server async throws in
            let cookie = try await server.logIn(.operator)
            let path = "/api/nodes/lectern/commands/start"
            let withCookie = fields.merging(["Cookie": cookie]) { first, _ in first }
            #expect(try await server.send("POST", path, withCookie, body: "{}").status == 403)
            #expect(try await server.send("DELETE", "/api/session", withCookie).status == 403)
            // Without Origin the client is not a browser, and then it needs no cookie if remotes are open.
            let isBrowser = fields["Origin"] != ""
            #expect(try await server.send("POST", path, fields, body: "{}").status == (isBrowser ? 403 : 503))
            #expect(try await server.send("POST", path, ["Cookie": cookie], body: "{}").status == 503)
        }
    }

    @Test("by a foreign name that points here give nobody the role of a remote, even if everybody has it")
    func rebinding() async throws {
        try await RunningServer.run(web: "{remote: open}") { server async throws in
            let path = "/api/nodes/lectern/commands/start"
            for (host, status) in [("evil.example", 421), ("lectern.local", 503)] {
                let fields = ["Origin": "http://\(host)"]
                let answer = try await server.send("POST", path, fields, body: "{}", host: host)
                #expect(answer.status == status, "\(host)")
            }
        }
    }

    @Test("by a foreign name that points here read nothing, whatever is open", arguments: ["open", "pin"])
    func readingByRebinding(view: String) async throws {
        try await RunningServer.run(web: "{view: \(view)}") { server async throws in
            for host in ["evil.example", "[::1].evil.example:8080", "127.0.0.1:80:evil.example"] {
                for path in ["/", "/n/lectern", "/api/nodes", "/api/time", "/api/session", "/api/events", "/metrics"] {
                    let answer = try await server.send("GET", path, host: host)
                    #expect(answer.status == 421, "\(host) \(path)")
                    #expect(answer.body.contains("web.public_url"), "\(answer)")
                }
                let login = try await server.send(
                    "POST", "/api/session", ["Origin": "http://\(host)"],
                    body: "{\"pin\": \"\(try server.pin(.operator))\"}", host: host)
                #expect(login.status == 421 && login.fields["set-cookie"] == nil)
            }
            // Health checks may use any name, and another site's page cannot send a token.
            #expect(try await server.send("GET", "/healthz", host: "evil.example").status == 200)
            let token = ["Authorization": "Bearer \(try server.token("one", .viewer))"]
            #expect(try await server.send("GET", "/api/nodes", token, host: "timer.example").status == 200)
        }
    }

    @Test("by a name other than the public one get an error that names the public one")
    func otherName() async throws {
        try await RunningServer.run(web: "{public_url: \"https://timer.example\"}") { server async throws in
            #expect(try await server.send("GET", "/", host: "timer.example").status == 200)
            let answer = try await server.send("GET", "/", host: "other.example")
            #expect(answer.status == 421 && answer.body.contains("https://timer.example"), "\(answer)")
            #expect(answer.fields["content-type"]?.hasPrefix("text/html") == true)
        }
    }

    @Test("by two Host fields are refused, whichever comes first")
    func twoHosts() async throws {
        try await RunningServer.run { server async throws in
            let own = "127.0.0.1:\(server.port)"
            for hosts in [[own, "evil.example"], ["evil.example", own], [own, own]] {
                for path in ["/", "/api/nodes", "/healthz", "/assets/a.js", "/nowhere"] {
                    let lines = hosts.map { "Host: \($0)\r\n" }.joined()
                    let answer = try await server.send(raw: "GET \(path) HTTP/1.1\r\n\(lines)\r\n")
                    #expect(answer?.status == 400, "\(path)")
                }
            }
        }
    }

    @Test("without a host name, or with an empty one, are refused")
    func noHost() async throws {
        try await RunningServer.run { server async throws in
            for path in ["/", "/api/nodes", "/healthz"] {
                for field in ["", "Host:\r\n"] {
                    let answer = try await server.send(raw: "GET \(path) HTTP/1.1\r\n\(field)\r\n")
                    #expect(answer?.status == 400, "\(path) \(field)")
                }
            }
        }
    }

    @Test(
        "by forms of other sites fail because they are not JSON",
        arguments: [
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "application/jsonx",
        ])
    func forms(type: String) async throws {
        try await RunningServer.run { server async throws in
            let fields = ["Cookie": try await server.logIn(.operator), "Content-Type": type]
            #expect(
                try await server.send("POST", "/api/nodes/lectern/commands/start", fields, body: "{}").status == 415)
            #expect(try await server.send("POST", "/api/session", ["Content-Type": type], body: "{}").status == 415)
        }
    }

    @Test("by bodies without a type, or of another type with a token, fail because they are not JSON")
    func types() async throws {
        try await RunningServer.run { server async throws in
            let cookie = try await server.logIn(.operator)
            for (path, body) in [
                ("/api/session", "{\"pin\": \"x\"}"), ("/api/nodes/lectern/commands/start", "{}"),
                ("/api/displays/all/blackout", "{\"on\": true}"),
            ] {
                let fields = ["Cookie": cookie, "Content-Type": ""]
                #expect(try await server.send("POST", path, fields, body: body).status == 415, "\(path)")
            }
            let fields = [
                "Authorization": "Bearer \(try server.token("one", .operator))", "Content-Type": "text/plain",
            ]
            #expect(
                try await server.send("POST", "/api/nodes/lectern/commands/start", fields, body: "{}").status == 415)
        }
    }

    @Test("by guessing end after five wrong PINs in a minute, and logged-in users do not notice")
    func guessing() async throws {
        try await RunningServer.run { server async throws in
            let cookie = try await server.logIn(.operator)
            // All at once, because wrong attempts are forgotten after a minute.
            let statuses = try await inParallel(8) { number in
                try await server.send("POST", "/api/session", body: "{\"pin\": \"0000000\(number)x\"}").status
            }
            #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
            let refused = try await server.send(
                "POST", "/api/session", body: "{\"pin\": \"\(try server.pin(.remote))\"}")
            #expect(refused.status == 429)
            #expect((1...61).contains(refused.fields["retry-after"].flatMap { Int($0) } ?? 0))
            #expect(try await server.send("GET", "/api/session", ["Cookie": cookie]).body.contains("operator"))
        }
    }

    @Test("by guessing behind a proxy count for the client that the proxy saw, whatever else is claimed")
    func guessingBehindProxy() async throws {
        try await RunningServer.run(web: "{trusted_proxies: [127.0.0.1]}") { server async throws in
            @Sendable func attempt(_ hops: String) async throws -> Int {
                try await server.send(
                    "POST", "/api/session", ["X-Forwarded-For": hops, "Forwarded": "for=\(hops.prefix(7))"],
                    body: "{\"pin\": \"00000000x\"}"
                ).status
            }
            let one = try await inParallel(6) { try await attempt("198.51.100.\($0), 203.0.113.9") }
            #expect(one == [401, 401, 401, 401, 401, 429])
            #expect(try await attempt("203.0.113.9, 203.0.113.10") == 401)
            // A household has 2^64 IPv6 addresses.
            let household = try await inParallel(6) { try await attempt("2001:db8::\($0):1") }
            #expect(household == [401, 401, 401, 401, 401, 429])
            #expect(try await attempt("2001:db8:0:1::1") == 401)
        }
    }

    @Test("behind a proxy with an invalid address would count for everybody, so the server does not start")
    func unknownProxy() async throws {
        await #expect(throws: ConfigurationError.self) {
            try await RunningServer.run(web: #"{trusted_proxies: ["::ffff:0:0/90"]}"#) { _ async throws in }
        }
    }

    @Test("by forged fields without a proxy do not count for other clients")
    func forgedFields() async throws {
        try await RunningServer.run { server async throws in
            let statuses = try await inParallel(7) { number in
                try await server.send(
                    "POST", "/api/session", ["X-Forwarded-For": "203.0.113.\(number)"], body: "{\"pin\": \"x\"}"
                ).status
            }
            #expect(statuses == [401, 401, 401, 401, 401, 429, 429])
        }
    }

    @Test("by requests that are too large, broken or ambiguous get an error response")
    func broken() async throws {
        try await RunningServer.run { server async throws in
            let head = "Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
            let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
            for (request, status) in [
                ("GET / HTTP/1.1\r\nHost: x\r\na: " + String(repeating: "b", count: 9000) + "\r\n\r\n", 431),
                ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "a: b\r\n", count: 200) + "\r\n", 431),
                (
                    "GET / HTTP/1.1\r\nHost: x\r\n"
                        + String(repeating: "a: \(String(repeating: "b", count: 300))\r\n", count: 70) + "\r\n", 431
                ),
                ("GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n", 431),
                ("NONSENSE\r\n\r\n", 400),
                ("POST /api/session HTTP/1.1\r\n\(head)Content-Length: 70000\r\n\r\n", 413),
                (
                    "POST /api/session HTTP/1.1\r\n\(head)Transfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)\(chunk)0\r\n\r\n",
                    413
                ),
                (
                    "POST /api/session HTTP/1.1\r\n\(head)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    400
                ),
                ("POST /api/session HTTP/1.1\r\n\(head)Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", 400),
                ("POST /api/session HTTP/1.1\r\n\(head)Content-Length: -5\r\n\r\n{}", 400),
            ] {
                let answer = try await server.send(raw: request)
                #expect(answer?.status == status, "\(request.prefix(80)): \(String(describing: answer))")
                #expect(answer?.fields["content-type"]?.hasPrefix("application/json") == true)
                #expect(answer?.fields["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'")
                #expect(answer?.fields["x-content-type-options"] == "nosniff")
            }
            #expect(try await server.send("GET", "/").status == 200)
        }
    }

    @Test("by slow clients end: an incomplete request is cut off", .timeLimit(.minutes(5)))
    func slow() async throws {
        try await RunningServer.run { server async throws in
            async let head = server.send(raw: "GET / HTTP/1.1\r\nHost: x\r\n")
            async let body = server.send(
                raw:
                    "POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
            )
            #expect(try await head == nil)
            #expect(try await body == nil)
        }
    }
}
