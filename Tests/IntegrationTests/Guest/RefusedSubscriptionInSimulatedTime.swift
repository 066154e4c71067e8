import Foundation
import Testing
import TimerEngine

extension InSimulatedTime {
    /// A member of a cluster that refuses a subscription for commands, as ejabberd and RabbitMQ do while they elect a
    /// leader.
    @Suite("A subscription that a broker temporarily refuses")
    struct RefusedSubscriptionInSimulatedTime {
        @Test("is retried, and after three refusals the node moves to the next broker, where it executes commands")
        func nextBroker() throws {
            let refusing = try QuietBroker()
            refusing.refused = "timer/all/command"
            let broker = try MosquittoBroker()
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(refusing.url), \(broker.url)], protocol: 3.1.1}
                timers: {groups: [{timers: [{name: Talk, start: 3s, warning: 2s}]}]}
                """)
            try refusing.waitForSubscription()
            try refusing.serve(until: bootTime() + .seconds(10))
            let tries = refusing.refusals
            #expect(tries.count == 3)
            for (gap, longest) in zip(zip(tries, tries.dropFirst()).map { $1 - $0 }, [1.0, 2]) {
                #expect(gap >= longest / 2 && gap < longest + 0.1, "\(tries)")
            }
            #expect(refusing.hasLeft)
            #expect(refusing.messages.last { $0.topic == "availability" }?.payload == "offline")

            let probe = try MQTTProbe(broker, "timer/#")
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try MQTTProbe.publish(broker, "timer/all/command/start", "")
            try probe.wait(for: "alarm", on: "timer/lectern/mode")
            node.process.read()
            let refusal = "the subscription to timer/all/command: Unspecified error (SUBACK 0x80)"
            #expect(node.process.errors.count { $0.contains("\(refusing.url) refuses \(refusal)") } == 1)
            #expect(node.process.errors.contains { $0.contains("leaving \(refusing.url) for the next broker") })
        }

        @Test("is retried until the broker accepts it if there is no other broker")
        func sameBroker() throws {
            let broker = try QuietBroker()
            broker.refused = "timer/lectern/command/+"
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)], protocol: 3.1.1}
                timers: {groups: [{timers: [{name: Talk, start: 3s, warning: 2s}]}]}
                """)
            try broker.waitForSubscription()
            try broker.serve(until: bootTime() + .seconds(60))
            #expect((6...8).contains(broker.refusals.count), "1, 2, 4, 8, 16, 32 s at most: \(broker.refusals)")
            broker.refused = nil
            try broker.serve(until: bootTime() + .seconds(60))
            try node.process.waitForLine("the end of the refusals") {
                $0.contains("\(broker.url) now accepts the subscription to timer/lectern/command/+")
            }
            #expect(!broker.hasLeft)
        }
    }
}
