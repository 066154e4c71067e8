internal import Testing

@testable internal import timer_web

@Suite("A proxy that authenticates its users, such as the ingress of Home Assistant")
struct AuthenticatingProxyTests {
    private static let home = "home.ui.nabu.casa"
    /// What the proxy adds to each request.
    private static let fields = [
        "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Host": home, "X-Forwarded-Proto": "https",
    ]
    private static let message = #"{"text": "Please wrap up", "keep": true}"#

    /// The status of a command that a page at an origin sends through the proxy.
    private func command(_ server: RunningServer, from origin: String?) async throws -> Int {
        let fields = origin.map { Self.fields.merging(["Origin": $0]) { $1 } } ?? Self.fields
        return try await server.send("POST", "/api/messages", fields, body: Self.message).status
    }

    @Test(
        "lets them control timers without a PIN, under any name; any other proxy does not",
        arguments: [("authenticating_proxies", true), ("trusted_proxies", false)])
    func pin(key: String, isAuthenticating: Bool) async throws {
        try await RunningServer.run(web: "{\(key): [127.0.0.1]}") { server async throws in
            let session = try await server.send("GET", "/api/session", Self.fields)
            #expect(session.status == (isAuthenticating ? 200 : 421))
            #expect(session.body.contains(#""role":"operator","proof":"proxy""#) == isAuthenticating)
            #expect(try await command(server, from: "https://\(Self.home)") == (isAuthenticating ? 200 : 421))
        }
    }

    @Test("may show every page in a frame of its own site, which no other client can")
    func frames() async throws {
        for (web, ancestors) in [("{authenticating_proxies: [127.0.0.1]}", "'self'"), ("{}", "'none'")] {
            try await RunningServer.run(web: web) { server async throws in
                let page = try await server.send("GET", "/settings")
                #expect(page.fields["content-security-policy"]?.hasSuffix("frame-ancestors \(ancestors)") == true)
                #expect(page.fields["x-frame-options"] == (ancestors == "'none'" ? "DENY" : nil))
            }
        }
    }

    @Test("does not pass on commands of other sites' pages, to which a browser adds the proxy's cookie as well")
    func otherSites() async throws {
        let web = #"{authenticating_proxies: [127.0.0.1], public_url: "https://timer.example"}"#
        try await RunningServer.run(web: web) { server async throws in
            #expect(try await command(server, from: "https://\(Self.home)") == 200)
            for origin in ["https://evil.example", "https://timer.example", "null", nil] {
                #expect(try await command(server, from: origin) == 403, "\(origin ?? "no origin")")
            }
        }
    }

    @Test("is known by its connection: a client of another proxy that claims its address is a viewer")
    func claimed() async throws {
        let web = "{trusted_proxies: [127.0.0.1], authenticating_proxies: [192.0.2.1]}"
        try await RunningServer.run(web: web) { server async throws in
            let session = try await server.send("GET", "/api/session", ["X-Forwarded-For": "192.0.2.1"])
            #expect(session.body.contains(#""role":"viewer","proof":"none""#))
        }
    }
}
