import Foundation
import Testing
import TimerProtocol

/// Tests logins to timer-web, and the subcommands that change them while the server runs.
@Suite("A client logged in to timer-web")
struct WebAccessTests {
    private let served: ServedNode
    private var web: SpawnedWeb { served.web }

    init() throws { served = try ServedNode() }

    private func pin(_ role: String) throws -> String {
        let line = try #require(try web.run("pins").first { $0.hasPrefix(role) })
        return String(try #require(line.split(separator: " ").last))
    }

    private func logIn(_ pin: String) throws -> HTTPAnswer {
        try web.request("POST", "/api/session", #"{"pin":"\#(pin)"}"#)
    }

    @Test("is logged out by new PINs, which also close its streams")
    func newPINs() throws {
        let old = try pin("remote")
        let cookie = try #require(try logIn(old).fields["set-cookie"]).prefix { $0 != ";" }
        let fields = ["Cookie": String(cookie)]
        let streams = try [web.stream(fields: fields), web.stream(as: "remote"), web.stream()]
        for stream in streams { try stream.waitForEvent("snapshot") }
        #expect(streams[0].events.first?.data["role"] == "remote")

        try web.run("pins", "--new")
        #expect(try streams[0].waitForEvent("session")["role"] == .null)
        try streams[0].waitUntil("its end") { $0.isClosed }
        #expect(try web.request("GET", "/api/session", fields: fields).json["role"] == "viewer")
        #expect(try pin("remote") != old)
        #expect(try logIn(old).status == 401)
        #expect(try logIn(pin("remote")).json["role"] == "remote")
        // New PINs affect neither tokens nor clients that need no login.
        for stream in streams.dropFirst() {
            let count = stream.events.count { $0.name == "ping" }
            try stream.waitUntil("a ping") { $0.events.count { $0.name == "ping" } > count }
            #expect(!stream.isClosed)
        }
    }

    @Test("may have twenty streams per address")
    func addresses() throws {
        let web = try SpawnedWeb(served.broker.url, web: ", trusted_proxies: [127.0.0.1]")
        func stream(_ address: String) throws -> HTTPConnection {
            let stream = try web.stream(fields: ["X-Forwarded-For": address])
            try stream.waitUntil("a response") { $0.received.contains(0x0A) && !$0.events.isEmpty || $0.answer != nil }
            return stream
        }
        func status(_ stream: HTTPConnection) -> String {
            String(decoding: stream.received.prefix(12), as: UTF8.self)
        }
        let streams = try (0..<20).map { _ in try stream("2001:db8::1") }
        #expect(streams.allSatisfy { status($0) == "HTTP/1.1 200" })
        #expect(status(try stream("2001:db8::1")) == "HTTP/1.1 503")
        // All phones in a hall share the first half of their IPv6 addresses.
        let others = try [stream("2001:db8::2"), stream("203.0.113.9")]
        #expect(others.allSatisfy { status($0) == "HTTP/1.1 200" })
    }
}
