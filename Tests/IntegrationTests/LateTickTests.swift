import Foundation
import Testing

@Suite("A spawned node that was stopped")
struct LateTickTests {
    @Test("counts the seconds that it missed, and reports the worst lateness")
    func stopped() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("10:00", brokers: broker.url)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try probe.wait(for: "600", on: "timer/lectern/tick")
        node.process.signal(SIGSTOP)
        // The test measures how long the node is actually stopped; a longer stop does no harm.
        let begun = ContinuousClock.now
        Thread.sleep(forTimeInterval: 4)
        let stood = ContinuousClock.now - begun
        node.process.signal(SIGCONT)
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        try probe.wait(for: "the response") { $0.contains { $0.payload.contains(#""command":"state""#) } }
        // The health follows the response, since the node measures its memory first.
        try probe.wait(for: "the health after it") { messages in
            messages.contains { $0.topic == "timer/lectern/health" && !$0.payload.contains(#""late_ticks":0,"#) }
        }
        let health = try #require(probe.messages.last { $0.topic == "timer/lectern/health" }?.payload)
        let late = try #require(health.firstMatch(of: /"late_ticks":(\d+)/).flatMap { Int($0.output.1) })
        let worst = try #require(health.firstMatch(of: /"max_tick_lateness_ms":(\d+)/).flatMap { Int($0.output.1) })
        // At least three of the four seconds are always late, and the first is almost three seconds late.
        #expect(late >= 3)
        #expect(worst >= 2950 && Double(worst) < stood / .milliseconds(1) + 1000)
        #expect(try node.process.terminate() == .exited(0))
    }
}
