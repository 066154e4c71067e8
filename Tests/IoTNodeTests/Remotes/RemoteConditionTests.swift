import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("Remotes with conditions")
struct RemoteConditionTests {
    /// A node with a timer of a minute and these remotes.
    private func scenario(_ remotes: String) throws -> Scenario {
        let remotes = try load("mqtt: {brokers: [mqtt://a]}\nremotes:\n\(remotes)").configuration.remotes
        return try Scenario(60, 0, 0) { $0.remotes = remotes }
    }

    @Test("accept a message only if it contains all of `where`, compared like the keys of the map")
    func conditions() throws {
        var node = try scenario(
            """
              - topic: hall/keys
                path: key
                where: {"events[0].component": "input:0", held: false, row: 1}
                map: {1: start}
            """)
        for payload in [
            #"{"key":1,"held":false,"row":1}"#, #"{"key":1,"held":false,"row":1,"events":[]}"#,
            #"{"key":1,"held":false,"row":1,"events":[{"component":"input:1"}]}"#,
            #"{"key":1,"held":false,"row":1,"events":[{"component":null}]}"#,
            #"{"key":1,"held":false,"row":1,"events":[{"component":["input:0"]}]}"#,
            #"{"key":1,"held":true,"row":1,"events":[{"component":"input:0"}]}"#,
            #"{"key":1,"held":false,"row":2,"events":[{"component":"input:0"}]}"#,
            #"{"key":2,"held":false,"row":1,"events":[{"component":"input:0"}]}"#,
        ] {
            node.receive("hall/keys", payload)
            #expect(node.last("mode") == "stopped", "\(payload)")
            #expect(node.logs.last?.hasPrefix("remote hall/keys: no action for the message on") == true)
        }
        node.receive("hall/keys", #"{"key":1,"held":false,"row":2,"events":[{"component":"input:0"}]}"#)
        #expect(node.logs.last == #"remote hall/keys: no action for the message on "hall/keys": row is "2""#)
        node.receive("hall/keys", #"{"key":"1","held":"false","row":1.0,"events":[{"component":"input:0"}]}"#)
        #expect(node.last("mode") == "countdown")
    }

    @Test("distinguish several inputs on one topic, even in quick succession")
    func inputs() throws {
        let remote = { (input: Int, command: String) in
            """
              - topic: shellyplusi4-a8032abe54dc/events/rpc
                path: params.events[0].event
                where: {"params.events[0].component": "input:\(input)"}
                map: {single_push: \(command)}

            """
        }
        var node = try scenario(remote(0, "start") + remote(1, "add +30"))
        let push = { (input: Int) in
            #"{"method":"NotifyEvent","params":{"events":[{"component":"input:\#(input)","event":"single_push"}]}}"#
        }
        node.receive("shellyplusi4-a8032abe54dc/events/rpc", push(0))
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 60)
        node.receive("shellyplusi4-a8032abe54dc/events/rpc", push(1))
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 90)
        node.receive("shellyplusi4-a8032abe54dc/events/rpc", push(2))
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 90)
    }
}
