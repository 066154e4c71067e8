internal import Testing
internal import WebCore

@Suite("The path of a request")
struct RequestPathTests {
    @Test(
        "is decoded once, and then contains only characters of the site's addresses",
        arguments: [
            ("/", "/"), ("/n/lectern", "/n/lectern"), ("/%6e/lectern", "/n/lectern"), ("/n%2Flectern", "/n/lectern"),
            ("/assets/base.css", "/assets/base.css"),
        ])
    func inside(raw: String, path: String) { #expect(RequestPath(raw) == .inside(path)) }

    @Test(
        "is refused if it leads outside, is encoded twice or has other characters",
        arguments: [
            "", "n", "//", "//etc", "/n//lectern", "/../etc/passwd", "/n/../x", "/%2e%2e/x", "/n/%2e%2e%2fx", "/.",
            "/n/.",
            "/%252e%252e/x", "/%256e/lectern", "/n%252flectern", "/n/%2561", "/%", "/%6", "/%zz", "/n/l%00",
            "/n/lect%C3%A9rn", "/n/lectérn", "/n\\x", "/n/a b",
            "/n/a;b",
            "/" + String(repeating: "a", count: 1024),
        ])
    func refused(raw: String) { #expect(RequestPath(raw) == nil) }

    @Test("has at most 1024 bytes")
    func length() {
        let longest = "/" + String(repeating: "a", count: 1023)
        #expect(RequestPath(longest) == .inside(longest))
        #expect(RequestPath(longest + "a") == nil)
    }

    @Test(
        "leads to the page's own address if there is a slash too many or too few",
        arguments: [("/n/lectern/", "/", "../lectern"), ("/timer", "/timer/", "timer/"), ("/a/b", "/a/b/", "b/")])
    func elsewhere(raw: String, base: String, address: String) {
        #expect(RequestPath(raw, base: base) == .elsewhere(address))
    }

    @Test(
        "loses the base path, which a proxy may already have removed",
        arguments: [
            ("/timer/", "/"), ("/timer/n/lectern", "/n/lectern"), ("/n/lectern", "/n/lectern"),
            ("/timers/x", "/timers/x"), ("/", "/"),
        ])
    func base(raw: String, path: String) { #expect(RequestPath(raw, base: "/timer/") == .inside(path)) }
}

@Suite("The pages")
struct PageTests {
    @Test(
        "are found at their addresses",
        arguments: [
            ("", Page.rooms, nil), ("agenda", .agenda, nil), ("displays", .displays, nil), ("settings", .settings, nil),
            ("login", .login, nil), ("n/lectern", .display, "lectern"), ("n/hall-a/remote", .remote, "hall-a"),
            ("n/lectern/plain", .plain, "lectern"),
            ("n/a_1/edit", .edit, "a_1"), ("n/1/report", .report, "1"),
        ] as [(String, Page, String?)])
    func found(path: String, page: Page, node: String?) throws {
        let found = try #require(Page.at(path))
        #expect(found.page == page)
        #expect(found.node == node)
    }

    @Test(
        "are not found elsewhere",
        arguments: [
            "/", "index.html", "rooms", "remote", "n", "n/", "n/all", "n/@hall", "n/Lectern", "n/-a", "n/lectern/",
            "n/lectern/display", "n/lectern/agenda", "n/lectern/remote/x", "agenda/", "agenda/x",
            "n/" + String(repeating: "a", count: 64),
        ])
    func missing(path: String) { #expect(Page.at(path) == nil) }

    @Test("have a path to the root that matches their depth")
    func ways() {
        #expect(Page.rooms.wayToRoot == "./")
        #expect(Page.agenda.wayToRoot == "./")
        #expect(Page.display.wayToRoot == "../")
        #expect(Page.report.wayToRoot == "../../")
    }
}
