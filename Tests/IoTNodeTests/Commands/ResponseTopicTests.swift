import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("A response topic")
struct ResponseTopicTests {
    private func answered(_ topic: String, prefix: String = "timer") throws -> (topics: [String], logs: [String]) {
        var node = try Scenario { $0.mqtt?.prefix = prefix }
        let (before, logs) = (node.publications.count, node.logs.count)
        let command = "\(prefix)/lectern/command/pause"
        node.send(topic: command, [], responseTopic: topic)
        node.send(topic: command, [], responseTopic: topic)
        let refusals = node.logs[logs...].filter { $0.contains("response topic") }
        return (node.publications[before...].map(\.topic), refusals)
    }

    @Test(
        "that a client may choose is used",
        arguments: [
            "me/answers", "timers/lectern/state", "other", "/", "timer/lectern/response/me",
            "timer/lectern/response/a/b",
            String(repeating: "x", count: 256),
        ])
    func used(topic: String) throws {
        let (topics, logs) = try answered(topic)
        #expect(topics == ["timer/lectern/response", topic, "timer/lectern/response", topic])
        #expect(logs.isEmpty)
    }

    @Test(
        "that a client might misuse to write elsewhere is not used, which is logged once",
        arguments: [
            ("timer/lectern/availability", "it is under the node's prefix"), ("timer", "it is under the node's prefix"),
            ("timer/lectern/command/stop", "it is under the node's prefix"),
            ("timer/", "it is under the node's prefix"),
            ("timer/stage/state", "it is under the node's prefix"),
            ("timer/all/command", "it is under the node's prefix"),
            ("timer/stage/response/me", "it is under the node's prefix"),
            ("timer/lectern/response", "it is under the node's prefix"),
            ("timer/lectern/response/", "it is under the node's prefix"),
            ("timer/lectern/responses/me", "it is under the node's prefix"),
            ("timer/lectern/response/#", "it has a wildcard"), ("a/+/b", "it has a wildcard"),
            ("a#", "it has a wildcard"),
            ("$SYS/broker/load", "it has a $"), ("$share/g/a", "it has a $"), ("a/$state", "it has a $"),
            ("", "it is empty"), (String(repeating: "x", count: 257), "it is 257 bytes long, more than 256"),
            ("a\u{1}", "it has a control character"), ("a\nb", "it has a control character"),
        ])
    func refused(topic: String, reason: String) throws {
        let (topics, logs) = try answered(topic)
        #expect(topics == ["timer/lectern/response", "timer/lectern/response"])
        try #require(logs.count == 1)
        #expect(logs[0].hasSuffix(reason), "\(logs[0])")
    }

    @Test("is checked against the configured prefix")
    func otherPrefix() throws {
        #expect(try answered("hall/timer/lectern/mode", prefix: "hall/timer").logs.count == 1)
        #expect(try answered("hall/answers", prefix: "hall/timer").logs.isEmpty)
        #expect(try answered("timer/lectern/mode", prefix: "hall/timer").logs.isEmpty)
    }

    @Test("under the discovery prefix is not used, whatever the node announces")
    func discovery() throws {
        for style in NodeConfiguration.Discovery.Style.allCases {
            var node = try Scenario { $0.mqtt?.discovery.style = style }
            let before = node.publications.count
            for topic in ["homeassistant/device/lectern/config", "homeassistants/answers"] {
                node.send(topic: "timer/lectern/command/pause", [], responseTopic: topic)
            }
            #expect(
                node.publications[before...].map(\.topic) == [
                    "timer/lectern/response", "timer/lectern/response", "homeassistants/answers",
                ])
            #expect(node.logs.contains { $0.hasSuffix(": it is under the discovery prefix") })
        }
    }

    @Test("is logged only a few times if very many are not used")
    func flood() throws {
        var node = try Scenario { $0.mqtt?.commandRate = 0 }
        for number in 0..<500 {
            node.send(topic: "timer/lectern/command/pause", [], responseTopic: "timer/\(number)")
        }
        #expect(node.logs.count { $0.contains("response topic") } == 32)
    }
}
