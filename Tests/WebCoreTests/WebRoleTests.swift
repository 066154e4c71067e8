internal import Testing
internal import WebCore

@Suite("What each role may do by the web")
struct WebRoleTests {
    @Test("An operator may do more than a remote, and a remote more than a viewer")
    func ranks() {
        #expect(WebRole.allCases == WebRole.allCases.sorted())
    }
}
