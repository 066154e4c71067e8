internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("The metrics")
struct MetricsTests {
    @Test(
        "are only for this machine itself and for clients with a token, not for forwarded requests",
        arguments: ["{}", "{trusted_proxies: [127.0.0.1]}", "{remote: open}"])
    func who(web: String) async throws {
        try await RunningServer.run(web: web) { server async throws in
            let cookie = try await server.logIn(.operator)
            let token = "Bearer \(try server.token("prometheus", .viewer))"
            for (fields, status) in [
                ([:], 200), (["Cookie": cookie], 200), (["X-Forwarded-For": "203.0.113.9"], 403),
                (["X-Forwarded-For": "127.0.0.1"], 403), (["Forwarded": "for=203.0.113.9"], 403),
                (["Via": "1.1 proxy"], 403), (["X-Forwarded-For": "203.0.113.9", "Cookie": cookie], 403),
                (["X-Forwarded-For": "203.0.113.9", "Authorization": "Bearer tw_wrong"], 403),
                (["X-Forwarded-For": "203.0.113.9", "Authorization": token], 200),
            ] {
                let answer = try await server.send("GET", "/metrics", fields)
                #expect(answer.status == status, "\(fields)")
                #expect(answer.body.contains("timer_web_streams 0") == (status == 200), "\(fields)")
                #expect(answer.body.hasPrefix("{\"error\":{\"code\":\"forbidden\"") == (status == 403), "\(fields)")
            }
        }
    }
}
