internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("The pages over HTTP")
struct SiteTests {
    @Test("have the path to the root and the hash, and only displays may be framed")
    func pages() async throws {
        try await RunningServer.run(web: "{frame_ancestors: [\"https://ha.example\"]}") { server async throws in
            let display = try await server.send("GET", "/n/lectern")
            #expect(display.status == 200)
            #expect(display.body.contains(#"<base href="../">"#))
            #expect(display.body.contains(/a\.js\?v=[0-9a-f]{12}"/))
            #expect(display.fields["cache-control"] == "no-cache")
            #expect(
                display.fields["content-security-policy"]?.hasSuffix("frame-ancestors 'self' https://ha.example")
                    == true)
            #expect(display.fields["x-frame-options"] == nil)
            let remote = try await server.send("GET", "/n/lectern/remote")
            #expect(remote.body.contains(#"<base href="../../">"#))
            #expect(remote.fields["content-security-policy"]?.hasSuffix("frame-ancestors 'none'") == true)
            #expect(remote.fields["x-frame-options"] == "DENY")
            for answer in [
                display, remote, try await server.send("GET", "/nowhere"), try await server.send("GET", "/api/x"),
            ] {
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                #expect(answer.fields["referrer-policy"] == "same-origin")
                #expect(answer.fields["content-security-policy"]?.contains("unsafe") == false)
                #expect(answer.fields["access-control-allow-origin"] == nil)
            }
        }
    }

    @Test("are cached by their hash or their tag, compressed if the browser accepts it, and without a body for HEAD")
    func caching() async throws {
        try await RunningServer.run { server async throws in
            let plain = try await server.send("GET", "/assets/a.js")
            let tag = try #require(plain.fields["etag"])
            #expect(plain.fields["cache-control"] == "no-cache")
            #expect(plain.fields["vary"] == "Accept-Encoding")
            let known = try await server.send("GET", "/assets/a.js", ["If-None-Match": "\"x\", W/\(tag)"])
            #expect(known.status == 304)
            #expect(known.body.isEmpty)
            let hash = try #require(plain.body.firstMatch(of: /v=([0-9a-f]{12})'/)?.1)
            let forever = try await server.send("GET", "/assets/a.js?v=\(hash)")
            #expect(forever.fields["cache-control"] == "public, max-age=31536000, immutable")
            #expect(try await server.send("GET", "/assets/a.js?v=other").fields["cache-control"] == "no-cache")
            let packed = try await server.send("GET", "/assets/a.js", ["Accept-Encoding": "br, gzip;q=0.5"])
            #expect(packed.fields["content-encoding"] == "gzip")
            #expect(packed.fields["etag"] != tag)
            for none in ["gzip;q=0", "br"] {
                #expect(
                    try await server.send("GET", "/assets/a.js", ["Accept-Encoding": none]).fields["content-encoding"]
                        == nil)
            }
            let head = try await server.send("HEAD", "/assets/a.js")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.fields["content-length"] == "\(plain.body.utf8.count)")
        }
    }

    @Test(
        "are all there is: no path leads out of the folder, or to hidden files and links",
        arguments: [
            "/assets/.hidden.js", "/assets/link.txt", "/../../../../etc/passwd", "/assets/../../etc/passwd",
            "/assets/..%2f..%2fetc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/%252e%252e/etc/passwd",
            "/assets/..%5c..%5cetc%5cpasswd", "/assets/a.js%00.png", "//etc/passwd", "/assets//a.js", "/index.html",
            "/display.html", "/n/lectern/../../x", "/n/%40hall", "/n/all", "/assets/", "/assets",
        ])
    func nothingElse(path: String) async throws {
        try await RunningServer.run { server async throws in
            let answer = try await server.send("GET", path)
            #expect([404, 308].contains(answer.status))
            #expect(!answer.body.contains("root:"))
        }
    }

    @Test("and the API work below a path, which the proxy may have removed")
    func basePath() async throws {
        try await RunningServer.run(web: "{base_path: /timer}") { server async throws in
            for prefix in ["/timer", ""] {
                #expect(try await server.send("GET", prefix + "/").status == 200)
                #expect(try await server.send("GET", prefix + "/n/lectern").status == 200)
                #expect(try await server.send("GET", prefix + "/healthz").status == 200)
                #expect(try await server.send("GET", prefix + "/api/nodes").status == 200)
            }
            #expect(try await server.send("GET", "/timer").fields["location"] == "timer/")
            let login = try await server.send(
                "POST", "/timer/api/session", body: "{\"pin\": \"\(try server.pin(.remote))\"}")
            #expect(login.fields["set-cookie"]?.contains("; Path=/timer/;") == true)
        }
    }

    @Test(
        "state which methods an address accepts",
        arguments: [("POST", "/"), ("PUT", "/api/nodes"), ("DELETE", "/n/lectern")])
    func methods(method: String, path: String) async throws {
        try await RunningServer.run { server async throws in
            let answer = try await server.send(method, path)
            #expect(answer.status == 405)
            #expect(answer.fields["allow"]?.contains("GET") == true)
        }
    }
}
