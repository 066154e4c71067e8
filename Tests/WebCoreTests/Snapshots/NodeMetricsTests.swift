import FoundationEssentials
import Testing
import TimerEngine
import TimerProtocol

@testable import WebCore

@Suite("The metrics of nodes")
struct NodeMetricsTests {
    private func text(_ story: NodeStory, nodes: Set<String>? = nil) -> String {
        story.snapshot.nodeMetrics(for: Audience(role: .viewer, nodes: nodes), at: story.now)
    }

    @Test("say what each node does, and what its health is")
    func all() throws {
        var story = NodeStory()
        #expect(text(story) == "", "there is no metric without a sample")
        story.say(.availability, "online")
        story.say(.mode, "paused")
        var state = StateMessage()
        (state.mode, state.preciseRemaining) = (.paused, .milliseconds(12_500))
        story.say(.state, state.bytes)
        var health = HealthMessage()
        (health.version, health.broker) = ("0.1.0", "mqtt://broker:1883")
        health.startedAt = Date(timeIntervalSince1970: 1_800_000_000)
        (health.lateTicks, health.reconnects, health.dropped, health.residentBytes) = (1, 2, 3, 4_000_000)
        story.say(.health, health.bytes)
        story.say(.availability, "offline", node: "side")
        #expect(
            text(story) == """
                # HELP timer_node_online Whether the node is connected to the broker.
                # TYPE timer_node_online gauge
                timer_node_online{node="lectern"} 1
                timer_node_online{node="side"} 0
                # HELP timer_node_mode Whether the timer is in this mode.
                # TYPE timer_node_mode gauge
                \(["lectern", "side"].map { node in
                    ModeName.allCases.map { mode in
                        let isOn = mode == (node == "lectern" ? .paused : .stopped)
                        return "timer_node_mode{node=\"\(node)\",mode=\"\(mode.rawValue)\"} \(isOn ? 1 : 0)"
                    }.joined(separator: "\n")
                }.joined(separator: "\n"))
                # HELP timer_node_remaining_seconds The time left.
                # TYPE timer_node_remaining_seconds gauge
                timer_node_remaining_seconds{node="lectern"} 12.5
                timer_node_remaining_seconds{node="side"} 0
                # HELP timer_node_late_ticks_total Seconds that the node counted late.
                # TYPE timer_node_late_ticks_total counter
                timer_node_late_ticks_total{node="lectern"} 1
                # HELP timer_node_reconnects_total Reconnections to the broker.
                # TYPE timer_node_reconnects_total counter
                timer_node_reconnects_total{node="lectern"} 2
                # HELP timer_node_dropped_messages_total Messages that the node dropped.
                # TYPE timer_node_dropped_messages_total counter
                timer_node_dropped_messages_total{node="lectern"} 3
                # HELP timer_node_resident_memory_bytes Resident memory of the node.
                # TYPE timer_node_resident_memory_bytes gauge
                timer_node_resident_memory_bytes{node="lectern"} 4000000

                """)
        #expect(!text(story, nodes: ["side"]).contains("lectern"), "a token for one node sees no other")
    }

    @Test("count down on the server's clock")
    func running() {
        var node = NodeMetrics()
        node.zero = Instant(sinceEpoch: .seconds(100))
        #expect(node.remaining(at: Instant(sinceEpoch: .milliseconds(88_750))) == 11.25)
        #expect(node.remaining(at: Instant(sinceEpoch: .seconds(101))) == 0)
    }
}
