import BrokerLink
import NodeTestSupport
import Testing

@testable import IoTNode

@Suite("A client that keeps publishing on a node's topic")
struct OwnTopicConflictTests {
    @Test("causes a warning with its fourth message, after three corrections")
    func fourth() throws {
        var node = try Scenario()
        for seconds in [1, 2, 4] {
            node.send(topic: "timer/lectern/mode", Array("nonsense".utf8))
            node.wait(.seconds(seconds))
        }
        #expect(node.publications.count { $0.topic == "timer/lectern/mode" } == 1 + 3)
        #expect(node.warnings.isEmpty)
        node.send(topic: "timer/lectern/mode", Array("nonsense".utf8))
        #expect(node.warnings.count == 1)
    }
}
