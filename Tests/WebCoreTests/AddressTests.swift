import BrokerLink
internal import Testing
internal import WebCore

@Suite("An address")
struct AddressTests {
    @Test(
        "is read as defined in RFC 4291",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0:0:0:0:1"),
            ("2001:DB8::8:800:200C:417A", "2001:db8:0:0:8:800:200c:417a"), ("::", "0:0:0:0:0:0:0:0"),
            ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func read(text: String, shown: String) { #expect(IPAddress(text)?.description == shown) }

    @Test(
        "is not read from anything else",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4:80", "[::1]", ":", ":::", "1::2::3", "12345::",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1.2.3", "1:2:3:4:5:6:7::8", "g::", "unknown", "_hidden", "+1::",
            "1.2.3.+4",
        ])
    func refused(text: String) { #expect(IPAddress(text) == nil) }

    @Test(
        "shares its limits with the other addresses of its household",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2::7", "2001:db8:1:2:0:0:0:0/64"),
            ("2001:db8:1:2:ffff::", "2001:db8:1:2:0:0:0:0/64"), ("::ffff:10.0.0.1", "10.0.0.1"),
        ])
    func network(text: String, network: String) { #expect(IPAddress(text)?.network == network) }

    @Test(
        "is in a network that begins with the same bits",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false), ("192.168.4.0/22", "192.168.7.9", true),
            ("192.168.4.0/22", "192.168.8.0", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true), ("::1", "::1", true),
        ])
    func contains(network: String, address: String, isInside: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(
        "is in no invalid network",
        arguments: ["10.0.0.0/33", "10.0.0.0/-1", "::/129", "10/8", "/8", "x/8", "::/"])
    func noNetwork(text: String) { #expect(IPNetwork(text) == nil) }

    @Test(
        "of this machine is recognised",
        arguments: [("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::2", false)])
    func loopback(text: String, isLoopback: Bool) { #expect(IPAddress(text)?.isLoopback == isLoopback) }
}

@Suite("A request through proxies")
struct ForwardedRequestTests {
    @Test(
        "has the site's own name if no foreign site can have the same name",
        arguments: [
            ("192.168.1.5:8080", true), ("[::1]:8080", true), ("lectern", true), ("lectern:8080", true),
            ("Lectern.local:8080", true), ("localhost:8080", true), ("timer.lan", true), ("timer.example", true),
            ("timer.example:8080", false), ("evil.example", false), ("evil.example:8080", false),
            ("local.evil.example", false), ("192.168.1.5.evil.example", false), ("", false),
            ("[::1].evil.example", false), ("[::1].evil.example:8080", false), ("[evil.example]", false),
            ("127.0.0.1:80:evil.example", false), ("lectern:80:evil.example", false), ("127.0.0.1:evil.example", false),
            ("127.0.0.1%evil.example", false), ("[::1%evil.example]", false), ("lectern:", true), ("[::1]", true),
            ("evil.example/.local", false), ("evil.example#.local", false), ("evil.example\\.local", false),
            ("evil.example?.local", false), ("evil.example/.local:8080", false), ("evil.example/", false),
            ("user@evil.example/.local", false), ("evil/", false), ("a_b.local", true),
        ])
    func ownName(host: String, isOwn: Bool) {
        let request = ForwardedRequest(from: IPAddress("192.0.2.1"), host: host, trusting: []) { _ in [] }
        #expect(request.hasOwnName(publicHost: "timer.example") == isOwn)
    }

    private func request(from peer: String, _ fields: [String: [String]]) -> ForwardedRequest {
        let proxies = ["127.0.0.1", "10.0.0.0/8"].compactMap { IPNetwork($0) }
        return ForwardedRequest(from: IPAddress(peer), host: "Inner:8080", trusting: proxies) { fields[$0] ?? [] }
    }

    @Test(
        "comes from the last hop that is not a trusted proxy, whatever the client claims",
        arguments: [
            ("192.0.2.1", ["x-forwarded-for": ["203.0.113.9"]], "192.0.2.1"),
            ("127.0.0.1", [:], "127.0.0.1"),
            ("127.0.0.1", ["x-forwarded-for": ["203.0.113.9"]], "203.0.113.9"),
            ("127.0.0.1", ["x-forwarded-for": ["1.1.1.1, 203.0.113.9"]], "203.0.113.9"),
            ("127.0.0.1", ["x-forwarded-for": ["1.1.1.1", "203.0.113.9"]], "203.0.113.9"),
            ("127.0.0.1", ["x-forwarded-for": ["1.1.1.1, 203.0.113.9, 10.1.2.3"]], "203.0.113.9"),
            ("127.0.0.1", ["x-forwarded-for": ["10.9.9.9"]], "10.9.9.9"),
            ("127.0.0.1", ["x-forwarded-for": ["1.1.1.1, nonsense, 10.1.2.3"]], "10.1.2.3"),
            ("127.0.0.1", ["x-forwarded-for": ["[2001:db8::7]:4711"]], "2001:db8:0:0:0:0:0:7"),
            ("127.0.0.1", ["x-forwarded-for": ["203.0.113.9:4711"]], "203.0.113.9"),
            ("127.0.0.1", ["x-forwarded-for": ["203.0.113.9:4711:1.1.1.1"]], "127.0.0.1"),
            ("127.0.0.1", ["x-forwarded-for": ["[2001:db8::7]1.1.1.1"]], "127.0.0.1"),
            (
                "127.0.0.1", ["forwarded": ["for=1.1.1.1, for=\"[2001:db8::7]:4711\";proto=https"]],
                "2001:db8:0:0:0:0:0:7"
            ),
            ("127.0.0.1", ["forwarded": ["for=1.1.1.1"], "x-forwarded-for": ["203.0.113.9"]], "203.0.113.9"),
            ("127.0.0.1", ["forwarded": ["For=203.0.113.9;by=10.0.0.1"]], "203.0.113.9"),
            ("127.0.0.1", ["forwarded": ["for=_hidden"]], "127.0.0.1"),
            ("127.0.0.1", ["x-forwarded-for": [""]], "127.0.0.1"),
        ] as [(String, [String: [String]], String)])
    func client(peer: String, fields: [String: [String]], client: String) {
        #expect(request(from: peer, fields).client?.description == client)
    }

    @Test("has the scheme and the host that a trusted proxy reports, and no other client")
    func site() {
        let fields = ["x-forwarded-proto": ["https"], "x-forwarded-host": ["Timer.example"]]
        let trusted = request(from: "127.0.0.1", fields)
        #expect("\(trusted.scheme)://\(trusted.host)" == "https://timer.example")
        let direct = request(from: "192.0.2.1", fields)
        #expect("\(direct.scheme)://\(direct.host)" == "http://inner:8080")
    }

    @Test(
        "is accepted from the site's own pages, or from a program without a cookie",
        arguments: [
            ("http://inner:8080", nil, nil, true, true), ("http://INNER:8080", nil, nil, true, true),
            ("http://inner", nil, nil, true, false), ("https://inner:8080", nil, nil, true, false),
            ("http://evil.example", nil, nil, true, false), ("http://evil.example", nil, nil, false, false),
            ("null", nil, nil, false, false), (nil, nil, nil, true, false), (nil, nil, nil, false, true),
            ("https://timer.example", nil, "https://timer.example", true, true),
            ("http://inner:8080", nil, "https://timer.example", true, false),
            ("http://inner:8080", "same-origin", nil, true, true),
            ("http://inner:8080", "cross-site", nil, true, false),
            (nil, "same-site", nil, false, false), (nil, "cross-site", nil, false, false),
        ] as [(String?, String?, String?, Bool, Bool)])
    func own(origin: String?, site: String?, publicOrigin: String?, hasCookie: Bool, isOwn: Bool) {
        let request = request(from: "192.0.2.1", [:])
        #expect(
            request.isOwn(origin: origin, site: site, publicOrigin: publicOrigin, hasCookie: hasCookie) == isOwn)
    }
}
