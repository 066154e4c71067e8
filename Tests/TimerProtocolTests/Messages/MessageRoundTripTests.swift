import TestSupport
import Testing

@testable import TimerProtocol

@Suite("A message that is written")
struct MessageRoundTripTests {
    @Test(
        "is read as an equal value, which is written as the same bytes",
        arguments: TopicKind.allCases, SeededGenerator.seeds(200))
    func roundTrip(kind: TopicKind, seed: UInt64) throws {
        var messages = RandomMessages(seed: seed)
        let message = try messages.message(kind)
        let read = try PublishedMessage(kind, message.bytes)
        #expect(read == message)
        #expect(read.bytes == message.bytes)
    }

    @Test("is read even if a newer node has added fields to any of its objects", arguments: SeededGenerator.seeds(20))
    func unknownFields(seed: UInt64) throws {
        var messages = RandomMessages(seed: seed)
        let plainText: Set<TopicKind> = [.availability, .mode, .tick]
        for kind in TopicKind.allCases where !plainText.contains(kind) {
            let message = try messages.message(kind)
            let json = try JSON(parsing: message.bytes)
            // All fields of these objects are outputs.
            let more = json.withUnknownFields(notIn: ["outputs", "patterns", "lamps"])
            #expect(more != json)
            #expect(try PublishedMessage(kind, more.bytes) == message)
        }
    }
}

extension JSON {
    /// The value with an unknown field in each of its objects, except objects under certain keys.
    fileprivate func withUnknownFields(notIn keys: [String]) -> JSON {
        switch self {
        case .array(let elements): return .array(elements.map { $0.withUnknownFields(notIn: keys) })
        case .object(let members):
            let unknown = Member(key: "from the future", value: ["a": [1, "b", nil]])
            return .object(
                [unknown]
                    + members.map {
                        Member(
                            key: $0.key,
                            value: keys.contains($0.key) ? $0.value : $0.value.withUnknownFields(notIn: keys))
                    })
        default: return self
        }
    }
}
