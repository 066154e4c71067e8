internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("A display with a token")
struct ViewTokenTests {
    @Test("opens for one node, cannot change anything, and the token leaves the address at once")
    func opens() async throws {
        try await RunningServer.run(web: "{view: pin}") { server async throws in
            let token = try server.token("kiosk", .operator, nodes: ["lectern"])
            #expect(try await server.send("GET", "/api/nodes").status == 401)
            let answer = try await server.send("GET", "/n/lectern?display=circular&token=\(token)&digits=off")
            #expect(answer.status == 303)
            #expect(answer.fields["location"] == "lectern?display=circular&digits=off")
            #expect(answer.fields["cache-control"] == "no-store")
            let field = try #require(answer.fields["set-cookie"])
            #expect(!field.contains(token))
            let cookie = ["Cookie": String(field.prefix { $0 != ";" })]
            #expect(try await server.send("GET", "/api/nodes", cookie).status == 200)
            #expect(
                try await server.send("GET", "/api/session", cookie).body.contains(
                    "\"role\":\"viewer\",\"proof\":\"token\""))
            #expect(try await server.send("GET", "/api/events?node=stage", cookie).status == 404)
            #expect(
                try await server.send("POST", "/api/nodes/lectern/commands/start", cookie, body: "{}").status == 403)
            // A removed token no longer opens anything.
            try server.file.update { $0.tokens = [] }
            _ = server.access.reload()
            #expect(try await server.send("GET", "/api/nodes", cookie).status == 401)
            #expect(try await server.send("GET", "/n/lectern?token=\(token)").status == 401)
        }
    }

    @Test("does not open for another node, or by another's cookie")
    func others() async throws {
        try await RunningServer.run(web: "{view: pin}") { server async throws in
            let token = try server.token("kiosk", .viewer, nodes: ["lectern"])
            #expect(try await server.send("GET", "/n/stage?token=\(token)").status == 401)
            let answer = try await server.send("GET", "/n/lectern?token=\(token)")
            let cookie = String(try #require(answer.fields["set-cookie"]).prefix { $0 != ";" })
            let forged = cookie.replacing("lectern", with: "stage")
            #expect(try await server.send("GET", "/api/nodes", ["Cookie": forged]).status == 401)
        }
    }

    @Test("has a cookie that no script can read, and that no other site's page can use")
    func cookie() async throws {
        try await RunningServer.run(web: "{view: pin}") { server async throws in
            let token = try server.token("kiosk", .viewer)
            let field = try #require(try await server.send("GET", "/n/lectern?token=\(token)").fields["set-cookie"])
            #expect(field.hasSuffix("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"))
            // Since a browser adds it automatically, the page must be ours.
            let fields = ["Cookie": String(field.prefix { $0 != ";" }), "Origin": ""]
            let answer = try await server.send("POST", "/api/session", fields, body: "{\"pin\": \"x\"}")
            #expect(answer.status == 403)
            #expect(answer.body.contains("cross_site"))
        }
    }

    @Test("has a cookie for frames in other sites if the site has TLS")
    func frames() async throws {
        try await RunningServer.run(web: "{view: pin, public_url: \"https://timer.example\"}") { server async throws in
            let token = try server.token("kiosk", .viewer)
            let answer = try await server.send("GET", "/n/lectern?token=\(token)")
            #expect(answer.fields["location"] == "lectern")
            #expect(answer.fields["set-cookie"]?.hasSuffix("SameSite=None; Secure; Partitioned") == true)
        }
    }
}
