internal import Testing
import TimerProtocol
internal import WebCore

@Suite("The permissions of each role over the web")
struct RoleTests {
    @Test("An operator may do more than a remote, and a remote more than a viewer")
    func ranks() {
        #expect(Role.allCases == Role.allCases.sorted())
    }
}
