import TestSupport
import Testing

@testable import TimerProtocol

@Suite("The pattern of an output that blinks")
struct OutputPatternTests {
    /// The state in the documentation, with patterns added.
    private func state(_ patterns: String) throws -> StateMessage {
        let payload = try #require(
            try TopicsPageMessageTests.payloads().first { $0.kind == .state }?.payload)
        return try StateMessage(
            Array(payload.replacing("\"speaker\"", with: "\"patterns\":\(patterns),\"speaker\"").utf8))
    }

    @Test("is read and written with its steps in milliseconds and its start in microseconds")
    func roundTrip() throws {
        let patterns = #"{"red":{"steps_ms":[425,425],"repeat":true,"began":14400000001}}"#
        let state = try state(patterns)
        let red = OutputPattern(
            steps: [.milliseconds(425), .milliseconds(425)], repeats: true,
            began: .microseconds(14_400_000_001))
        #expect(state.patterns == ["red": red])
        #expect(String(decoding: state.bytes, as: UTF8.self).contains("\"patterns\":\(patterns)"))
    }

    @Test("may have steps from a millisecond to a day")
    func steps() throws {
        let state = try state(#"{"red":{"steps_ms":[1,86400000],"repeat":true,"began":1}}"#)
        let red = try #require(state.patterns["red"])
        #expect(red.steps == [.milliseconds(1), .seconds(86_400)])
    }

    @Test("is absent if nothing blinks")
    func absent() throws {
        #expect(try state("null").patterns.isEmpty)
        #expect(try state("{}").patterns.isEmpty)
        #expect(!String(decoding: try state("null").bytes, as: UTF8.self).contains("patterns"))
    }

    @Test(
        "is refused if it would never end or is not a pattern",
        arguments: [
            "[]", "{\"red\":1}", #"{"red":{"steps_ms":[],"repeat":true,"began":1}}"#,
            #"{"red":{"steps_ms":[0],"repeat":true,"began":1}}"#,
            #"{"red":{"steps_ms":[-1],"repeat":true,"began":1}}"#,
            #"{"red":{"steps_ms":[86400001],"repeat":true,"began":1}}"#,
            #"{"red":{"steps_ms":[1e300],"repeat":true,"began":1}}"#,
            #"{"red":{"steps_ms":["1"],"repeat":true,"began":1}}"#,
            #"{"red":{"steps_ms":[1],"repeat":1,"began":1}}"#, #"{"red":{"steps_ms":[1],"repeat":true}}"#,
            "{\"red\":{\"steps_ms\":[\(String(repeating: "1,", count: 128))1],\"repeat\":true,\"began\":1}}",
        ])
    func hostile(patterns: String) throws {
        #expect(throws: PayloadError.self) { try state(patterns) }
    }
}
