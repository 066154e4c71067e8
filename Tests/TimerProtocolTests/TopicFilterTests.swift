import Testing

@testable import TimerProtocol

@Suite("A topic filter")
struct TopicFilterTests {
    @Test(
        "matches",
        arguments: [
            ("a", "a"), ("a/b", "a/b"), ("+", "a"), ("+", ""), ("a/+", "a/b"), ("a/+", "a/"), ("+/b", "a/b"),
            ("+/b", "/b"), ("+/+", "/"), ("/+", "/a"), ("#", "a"), ("#", "a/b/c"), ("#", "/a"), ("a/#", "a"),
            ("a/#", "a/b"), ("a/#", "a/"), ("a/#", "a/b/c"), ("a/+/#", "a/b"), ("+/#", "a"), ("a//b", "a//b"),
            ("$SYS/#", "$SYS/broker/uptime"), ("$SYS/#", "$SYS"), ("$SYS/+/uptime", "$SYS/broker/uptime"),
            ("a/+", "a/$b"), ("é/ü", "é/ü"), ("shellies/+/input_event/0", "shellies/s-1/input_event/0"),
        ])
    func matches(filter: String, topic: String) throws {
        #expect(try TopicFilter(filter).matches(topic))
    }

    @Test(
        "does not match",
        arguments: [
            ("a", "b"), ("a", "A"), ("a", "a/"), ("a", "/a"), ("a", "ab"), ("a/b", "a"), ("a/b", "a/b/c"), ("+", "a/b"),
            ("+", "/a"), ("a/+", "a"), ("a/+", "a/b/c"), ("a/+/#", "a"), ("a/#", "ab"), ("a/#", "b/a"), ("#", "$SYS/a"),
            ("+/a", "$SYS/a"), ("+", "$SYS"), ("+/#", "$SYS/a"), ("a//b", "a/b"),
            ("\u{e9}", "e\u{301}"), ("shellies/+/input_event/0", "shellies/s-1/input_event/1"),
        ])
    func doesNotMatch(filter: String, topic: String) throws {
        #expect(try !TopicFilter(filter).matches(topic))
    }

    @Test(
        "overlaps another filter if a topic matches both, in either order",
        arguments: [
            ("a", "a", true), ("a", "b", false), ("a/+", "+/b", true), ("a/+", "b/+", false), ("#", "a/b", true),
            ("a/#", "a", true), ("a/#", "+", true), ("a/#", "b/#", false), ("a/+/c", "a/b/#", true),
            ("+/+", "a", false), ("a/+", "a/+/c", false), ("#", "$SYS/#", false), ("+/a", "$SYS/a", false),
            ("$SYS/+", "$SYS/#", true), ("#", "#", true), ("+/lectern/command/#", "timer/lectern/command", true),
        ])
    func overlaps(one: String, other: String, expected: Bool) throws {
        #expect(try TopicFilter(one).overlaps(TopicFilter(other)) == expected)
        #expect(try TopicFilter(other).overlaps(TopicFilter(one)) == expected)
    }

    @Test(
        "is refused with a description of the expected form",
        arguments: [
            ("", "1 to 256 bytes"), (String(repeating: "a", count: 257), "1 to 256 bytes"),
            ("a\nb", "no control characters"), ("a\0", "no control characters"),
            ("a/#/b", "# only by itself, as the last level"),
            ("#/", "# only by itself, as the last level"), ("a#", "# only by itself, as the last level"),
            ("a/#b", "# only by itself, as the last level"),
            ("##", "# only by itself, as the last level"),
            ("a+", "+ only by itself, as a whole level"),
            ("a/+b/c", "+ only by itself, as a whole level"),
            ("++", "+ only by itself, as a whole level"),
            ("$share/us/a", "a filter without $share, which would deliver some presses to other clients"),
        ])
    func refused(text: String, expected: String) {
        #expect(throws: TopicFilter.Fault(expected: expected)) { try TopicFilter(text) }
    }
}
