import BrokerLink
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A string in a configuration")
struct TextTests {
    @Test(
        "is a time in seconds",
        arguments: [
            ("0", 0), ("90", 90), ("999999", 999_999), ("1:30", 90), ("01:30", 90), ("90:00", 5400), ("0:01:30", 90),
            ("23:59:59", 86_399), ("0:00", 0),
        ])
    func time(text: String, seconds: Int) {
        #expect(TimeText.seconds(text) == seconds)
    }

    @Test(
        "is not a time",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1000000", "1:5", "1:60", "1:005", ":30", "1:", "1:2:3", "1:60:00", "0:0:01:30",
            "٣", "1 :30", "1:30 ", "1e3", "0x10", "1:+5",
        ])
    func noTime(text: String) {
        #expect(TimeText.seconds(text) == nil)
    }

    @Test(
        "is a duration",
        arguments: [
            ("90", Duration.seconds(90)), ("1:30", .seconds(90)), ("90s", .seconds(90)), ("500ms", .milliseconds(500)),
            ("2m", .seconds(120)), ("1h", .seconds(3600)), ("0s", .zero), ("999999h", .seconds(3_599_996_400)),
            ("1h30m", .seconds(5400)), ("2h5s", .seconds(7205)), ("0h1m2s3ms", .milliseconds(62_003)),
            ("1h90m", .seconds(9000)),
        ])
    func duration(text: String, duration: Duration) {
        #expect(DurationText.duration(text) == duration)
    }

    @Test(
        "is not a duration",
        arguments: [
            "", "s", "ms", "1:30s", "1 s", "-1s", "1d", "1.5s", "1S", "1mss", "1000000h", "1h30", "30m1h", "1h1h",
            "1hm",
            "1h 30m", "1h-30m", "٣h", "1h٣m", "1ms1s",
        ])
    func noDuration(text: String) {
        #expect(DurationText.duration(text) == nil)
    }

    @Test(
        "is a broker's URL, and so is the broker's description",
        arguments: [
            ("mqtt://localhost", Broker(host: "localhost")),
            ("mqtt://127.0.0.1:1884", Broker(host: "127.0.0.1", port: 1884)),
            ("mqtt://[::1]", Broker(host: "::1")),
            ("mqtt://[2001:db8::1]:8883", Broker(host: "2001:db8::1", port: 8883)),
            ("mqtt://a_b-c.local:1", Broker(host: "a_b-c.local", port: 1)),
            ("mqtts://a", Broker(host: "a", port: 8883, usesTLS: true)),
            ("mqtts://[::1]:1883", Broker(host: "::1", port: 1883, usesTLS: true)),
        ])
    func broker(url: String, broker: Broker) {
        #expect(Broker(url: url) == broker)
        #expect(Broker(url: broker.description) == broker)
    }

    @Test(
        "is not a broker's URL",
        arguments: [
            "", "localhost", "mqtt:localhost", "mqtt://", "mqtt://:1883", "mqtt://a:", "mqtt://a:0", "mqtt://a:65536",
            "mqtt://a:b", "mqtt://a:1:2", "mqtt://me@a", "mqtt://a/b", "mqtt://a?b", "mqtt://::1", "mqtt://[::1",
            "mqtt://[]", "mqtt://[a]", "mqtt://[::1]1883", "mqtt://a b", "MQTT://a", "mqtts://", "mqtt://ü",
        ])
    func noBroker(url: String) {
        #expect(Broker(url: url) == nil)
    }

    @Test(
        "has a nearest word, or no similar word",
        arguments: [
            ("keepalife", "keepalive"), ("KeepAlive", "keepalive"), ("keep_alive", "keepalive"), ("user", "username"),
            ("brokr", "brokers"), ("tls", nil), ("", nil), (String(repeating: "x", count: 100_000), nil),
        ] as [(String, String?)])
    func nearestWord(word: String, expected: String?) {
        #expect(nearest(to: word, in: ["brokers", "keepalive", "username"]) == expected)
    }

    @Test(
        "has a distance from another string, counted in changed letters",
        arguments: [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 2)])
    func distance(first: String, second: String, expected: Int) {
        #expect(editDistance(first, second) == expected)
        #expect(editDistance(second, first) == expected)
    }
}

@Suite("The declared keys")
struct DeclaredKeyTests {
    @Test("each have a different variable")
    func variables() {
        let names = NodeConfiguration.variables.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("TIMER_NODE_MQTT_PASSWORD") && names.contains("TIMER_NODE_NODE_GROUPS"))
    }
}
