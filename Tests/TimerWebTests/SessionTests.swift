internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("Sessions over HTTP")
struct SessionTests {
    /// The role that the server derives from a cookie.
    private func role(_ server: RunningServer, _ cookie: String) async throws -> String? {
        let body = try await server.send("GET", "/api/session", ["Cookie": cookie]).body
        return body.firstMatch(of: /"role":"([a-z]+)"/).map { String($0.1) }
    }

    @Test("begin with a PIN and end with a logout, with cookies that no script and no other site can use")
    func login() async throws {
        try await RunningServer.run { server async throws in
            let answer = try await server.send(
                "POST", "/api/session", body: "{\"pin\": \"\(try server.pin(.operator))\"}")
            let cookie = try #require(answer.fields["set-cookie"])
            #expect(cookie.hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"))
            let value = String(cookie.prefix { $0 != ";" })
            #expect(try await role(server, value) == "operator")
            #expect(try await role(server, "a=b; \(value); c=d") == "operator")
            let end = try await server.send("DELETE", "/api/session", ["Cookie": value])
            #expect(end.status == 204)
            #expect(end.fields["set-cookie"]?.contains("Max-Age=0") == true)
            // The cookie is no longer valid, even if a client has kept it.
            #expect(try await role(server, value) == "viewer")
            // Nor is it for a server that is started later.
            let later = try AccessControl(server.access.settings, file: server.file)
            let session = String(value.drop { $0 != "=" }.dropFirst())
            #expect(later.identity(from: nil, bearer: nil, session: session, views: [])?.role == .viewer)
        }
    }

    @Test("have a cookie for TLS only if the site has TLS")
    func secure() async throws {
        try await RunningServer.run(web: "{public_url: \"https://timer.example\"}") { server async throws in
            let answer = try await server.send(
                "POST", "/api/session", ["Origin": "https://timer.example"],
                body: "{\"pin\": \"\(try server.pin(.remote))\"}")
            #expect(answer.fields["set-cookie"]?.hasSuffix("; Secure") == true)
            // Its internal address is not the one that browsers know.
            #expect(try await server.send("POST", "/api/session", body: "{}").status == 403)
        }
    }

    @Test("have a cookie for TLS only if a trusted proxy, not another client, reports TLS")
    func proxied() async throws {
        for (web, isSecure) in [("{trusted_proxies: [127.0.0.1]}", true), ("{}", false)] {
            try await RunningServer.run(web: web) { server async throws in
                let fields = [
                    "X-Forwarded-Proto": "https",
                    "Origin": isSecure ? "https://127.0.0.1:\(server.port)" : server.origin,
                ]
                let answer = try await server.send(
                    "POST", "/api/session", fields, body: "{\"pin\": \"\(try server.pin(.remote))\"}")
                #expect(answer.fields["set-cookie"]?.hasSuffix("; Secure") == isSecure, "\(web)")
            }
        }
    }

    @Test("cannot be forged by changing a cookie")
    func forged() async throws {
        try await RunningServer.run { server async throws in
            let cookie = try await server.logIn(.remote)
            #expect(try await role(server, cookie) == "remote")
            let forged = [
                cookie.replacing("remote", with: "operator"), cookie.replacing(/\.1\./, with: ".2."),
                String(cookie.dropLast()),
                cookie + "0", cookie.replacing("~", with: "~0"), "timer_web_session=operator.9999999999.1.abc~",
                "timer_web_session=operator.9999999999.1.abc", "timer_web_session=",
                "timer_web_view_x=" + cookie.dropFirst("timer_web_session=".count),
            ]
            for text in forged { #expect(try await role(server, text) == "viewer", "\(text)") }
        }
    }

    @Test("are over after twelve hours")
    func expired() async throws {
        try await RunningServer.run { server async throws in
            let key = try server.file.load().key
            let cookie = { (expires: Int) in
                let ticket = SessionTicket(role: .operator, expires: expires, generation: 1, id: "abc")
                return "timer_web_session=\(CookieSigner(key: key, purpose: .session).cookie(for: ticket.text))"
            }
            #expect(try await role(server, cookie(4_000_000_000)) == "operator")
            #expect(try await role(server, cookie(1_700_000_000)) == "viewer")
        }
    }

    @Test("end with new PINs, and so do their streams, while the server runs", .timeLimit(.minutes(5)))
    func newPINs() async throws {
        try await RunningServer.run { server async throws in
            let cookie = try await server.logIn(.remote)
            async let stream = server.stream(["Cookie": cookie])
            try await server.waitUntilStreaming()
            _ = try server.file.renewPINs()
            #expect(try await stream.contains("event: session\ndata: {\"role\":null}"))
            #expect(try await role(server, cookie) == "viewer")
            #expect(try await role(server, try await server.logIn(.remote)) == "remote")
        }
    }

    @Test("also end with new PINs that were made while the server was starting", .timeLimit(.minutes(5)))
    func newPINsAtStart() async throws {
        try await RunningServer.run(meanwhile: { _ = try $0.renewPINs() }) { server async throws in
            // Uses a session from before the new PINs, because only a few logins may fail.
            let ticket = SessionTicket(role: .remote, expires: 4_000_000_000, generation: 1, id: "before")
            let cookie = CookieSigner(key: try server.file.load().key, purpose: .session).cookie(for: ticket.text)
            while try await role(server, "timer_web_session=\(cookie)") != "viewer" {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await role(server, try await server.logIn(.remote)) == "remote")
        }
    }

    @Test("outlive the server, whose key is stored where only it can read it")
    func key() async throws {
        try await RunningServer.run { server async throws in
            let cookie = try await server.logIn(.remote)
            let other = try AccessControl(server.access.settings, file: server.file)
            let value = String(cookie.dropFirst("timer_web_session=".count))
            #expect(other.identity(from: nil, bearer: nil, session: value, views: [])?.role == .remote)
        }
    }
}
