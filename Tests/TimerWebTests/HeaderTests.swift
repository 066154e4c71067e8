internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("The headers of each response")
struct HeaderTests {
    private static let pages = [
        "/", "/n/lectern", "/n/lectern/remote", "/n/lectern/edit", "/n/lectern/report", "/agenda", "/displays",
        "/settings", "/login", "/nowhere", "/n/lectern/nowhere",
    ]
    private static let others = [
        "/assets/a.js", "/api/session", "/api/nodes", "/api/nodes/lectern", "/api/nodes/lectern/runs", "/api/displays",
        "/api/time", "/api/openapi.json", "/api/nowhere", "/api/qr.svg?path=agenda", "/healthz", "/metrics",
    ]

    @Test("let a page load and run only the site's own files, and allow only displays in frames")
    func policies() async throws {
        try await RunningServer.run(web: "{frame_ancestors: [\"https://ha.example\"]}") { server async throws in
            for path in Self.pages {
                let fields = try await server.send("GET", path).fields
                let isDisplay = path == "/n/lectern"
                #expect(
                    fields["content-security-policy"]
                        == "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                        + "connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; "
                        + "frame-ancestors \(isDisplay ? "'self' https://ha.example" : "'none'")", "\(path)")
                #expect(fields["x-frame-options"] == (isDisplay ? nil : "DENY"), "\(path)")
                #expect(fields["permissions-policy"]?.contains("camera=()") == true, "\(path)")
            }
            for path in Self.others {
                let fields = try await server.send("GET", path).fields
                #expect(
                    fields["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'", "\(path)")
                #expect(fields["x-frame-options"] == "DENY", "\(path)")
            }
        }
    }

    @Test("are the usual ones on a redirect")
    func redirects() async throws {
        try await RunningServer.run(web: "{public_url: \"http://timer.example/timer/\"}") { server async throws in
            let token = try server.token("hall", .viewer, nodes: ["lectern"])
            for (path, status, location) in [
                ("/timer", 308, "timer/"), ("/timer/agenda/", 308, "../agenda"),
                ("/n/lectern/?a=b", 308, "../lectern?a=b"),
                ("/timer/n/lectern?token=\(token)", 303, "lectern"),
            ] {
                let answer = try await server.send("GET", path)
                let fields = answer.fields
                #expect(answer.status == status && fields["location"] == location, "\(path): \(answer)")
                #expect(fields["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'", "\(path)")
                #expect(fields["x-frame-options"] == "DENY", "\(path)")
                #expect(fields["x-content-type-options"] == "nosniff", "\(path)")
                #expect(fields["cross-origin-resource-policy"] == "same-origin", "\(path)")
                #expect(fields["referrer-policy"] == "same-origin", "\(path)")
                #expect(fields["cache-control"] == "no-store", "\(path)")
            }
        }
    }

    @Test("keep browsers from guessing types, from giving anything to other sites, and from caching what changes")
    func others() async throws {
        try await RunningServer.run { server async throws in
            for path in Self.pages + Self.others {
                let fields = try await server.send("GET", path).fields
                #expect(fields["x-content-type-options"] == "nosniff", "\(path)")
                #expect(fields["cross-origin-resource-policy"] == "same-origin", "\(path)")
                #expect(fields["referrer-policy"] == "same-origin", "\(path)")
                #expect(fields["access-control-allow-origin"] == nil, "\(path)")
                #expect(["no-cache", "no-store"].contains(fields["cache-control"]), "\(path)")
            }
        }
    }
}
