internal import Testing
import TimerProtocol
internal import WebCore

@Suite("What each role may do over the web")
struct RoleTests {
    @Test("An operator may do more than a remote, and a remote more than a viewer")
    func ranks() {
        #expect(Role.allCases == Role.allCases.sorted())
    }
}
