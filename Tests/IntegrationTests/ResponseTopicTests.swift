import Testing

@Suite("A response topic, on a real broker")
struct ResponseTopicTests {
    @Test("that is one of the node's own topics is ignored, and the response goes only to the topic response")
    func vetted() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try MQTTProbe(broker, "#")
        try node.waitForConnection()
        try probe.wait(for: "online", on: "timer/lectern/availability")
        let command = "timer/lectern/command/pause"
        for topic in [
            "timer/lectern/availability", "timer/lectern/availability", "timer/lectern/command/start",
            "timer/stage/mode", "$SYS/x",
        ] {
            try MQTTProbe.publish(broker, command, "", responseTopic: topic, correlationData: "x")
        }
        for topic in ["me/answers", "timer/lectern/response/me"] {
            try MQTTProbe.publish(broker, command, "", responseTopic: topic, correlationData: "x")
        }
        let messages = try probe.wait(for: "the last response") { $0.last?.topic == "timer/lectern/response/me" }
        let answers = messages.filter { !$0.correlationData.isEmpty && $0.topic != command }.map(\.topic)
        #expect(answers == ["me/answers", "timer/lectern/response/me"])
        #expect(messages.count { $0.topic == "timer/lectern/response" } == 7)
        #expect(messages.filter { $0.topic == "timer/lectern/availability" }.map(\.payload) == ["online"])
        #expect(!messages.contains { $0.payload.contains(#""command":"start""#) })
        #expect(try node.process.terminate() == .exited(0))
        #expect(node.process.errors.count { $0.contains("response topic") } == 4)
    }
}
