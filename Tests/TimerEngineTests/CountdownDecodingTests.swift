import FoundationEssentials
import Testing
import TimerEngine

@Suite("A saved countdown that makes no sense")
struct CountdownDecodingTests {
    /// A saved running countdown, with one text in the place of another.
    private func decode(_ situation: Situation, replacing old: String, with new: String) throws -> Countdown {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(situation.made()), as: UTF8.self)
        #expect(text.contains(old), "\(text)")
        return try JSONDecoder().decode(Countdown.self, from: Data(text.replacing(old, with: new).utf8))
    }

    @Test(
        "is refused with a typed error",
        arguments: [
            (.countdown, #""ticked":55"#, #""ticked":0"#, "running with 0 s ticked, outside 1…86399"),
            (.countdown, #""ticked":55"#, #""ticked":86400"#, "running with 86400 s ticked, outside 1…86399"),
            (.pausedFinal, #""state":"paused""#, #""state":"stopped""#, "its stopwatches do not go with its state"),
            (.alarm, #""state":"alarm""#, #""state":"stopped""#, "its stopwatches do not go with its state"),
        ] as [(Situation, String, String, String)])
    func refused(_ situation: Situation, old: String, new: String, fault: String) throws {
        #expect(throws: TimerEngine.CountdownError.notACountdown(fault)) {
            try decode(situation, replacing: old, with: new)
        }
    }

    @Test("with thresholds that do not fit is refused as they are")
    func thresholds() {
        let error = #expect(throws: TimerEngine.ThresholdsError.self) {
            try decode(.countdown, replacing: #""warning":30"#, with: #""warning":60"#)
        }
        #expect(error?.description == "warning 60 is not within 0…59, below start 60")
    }

    @Test("with an instant that no clock reaches is refused, not computed with")
    func farInstant() throws {
        let far = String(
            decoding: try JSONEncoder().encode(Instant(sinceEpoch: .seconds(Int64.max))), as: UTF8.self)
        let zero = String(
            decoding: try JSONEncoder().encode(Instant(sinceEpoch: lasting(154.5))), as: UTF8.self)
        #expect(throws: TimerEngine.CountdownError.self) {
            try decode(.countdown, replacing: zero, with: far)
        }
    }

    @Test(
        "without one of its parts, or with another type there, is refused",
        arguments: [#"{}"#, #"[]"#, #"{"thresholds":{"start":"60"}}"#, #"{"thresholds":{"start":60}}"#])
    func missing(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Countdown.self, from: Data(text.utf8)) }
    }
}
