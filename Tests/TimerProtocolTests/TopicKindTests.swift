import Testing

@testable import TimerProtocol

@Suite("A topic that a node publishes on")
struct TopicKindTests {
    @Test("is named by the node and recognised by a client", arguments: TopicKind.allCases, ["timer", "hall/1"])
    func roundTrip(kind: TopicKind, prefix: String) {
        let name = kind.name(prefix: prefix, node: "lectern")
        #expect(name == "\(prefix)/lectern/\(kind.rawValue)")
        let topic = PublishedTopic(name, prefix: prefix)
        #expect(topic == PublishedTopic(prefix: prefix, node: "lectern", kind: kind))
        #expect(topic?.name == name)
    }

    @Test("has the same name as in the node's own list")
    func topics() {
        let topics = Topics(prefix: "timer", node: "lectern")
        let names = TopicKind.allCases.map { topics[$0] }
        #expect(names.map { PublishedTopic($0, prefix: "timer")?.kind } == TopicKind.allCases)
    }

    @Test(
        "is not any other topic",
        arguments: [
            "", "timer", "timer/", "timer/lectern", "timer/lectern/", "timer//state", "timer/state",
            "timer/lectern/State",
            "timer/lectern/state/", "timer/lectern/state/x", "timer/lectern/command", "timer/lectern/response/x",
            "timers/lectern/state", "/timer/lectern/state", "other/lectern/state",
        ])
    func others(name: String) {
        #expect(PublishedTopic(name, prefix: "timer") == nil)
    }

    @Test("is compared by its bytes, as MQTT does")
    func bytes() {
        #expect(PublishedTopic("e\u{301}/lectern/state", prefix: "\u{e9}") == nil)
        #expect(PublishedTopic("\u{e9}/lectern/state", prefix: "e\u{301}") == nil)
        #expect(PublishedTopic("\u{e9}/lectern/state", prefix: "\u{e9}") != nil)
    }
}
