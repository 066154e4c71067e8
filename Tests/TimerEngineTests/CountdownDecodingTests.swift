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

    /// A time as the standard library writes it.
    private static func json(_ time: Duration) -> String {
        (try? JSONEncoder().encode(time)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func since(_ seconds: Double) -> String {
        "\"since\":{\"sinceEpoch\":\(json(lasting(seconds)))}"
    }

    private static func before(_ seconds: Double) -> String { "\"before\":\(json(lasting(seconds)))" }

    private static func left(_ seconds: Double) -> String { "\"remaining\":\(json(lasting(seconds)))" }

    struct Row: Sendable {
        let situation: Situation, old: String, new: String, fault: String?

        init(_ situation: Situation, _ old: String, _ new: String, _ fault: String? = nil) {
            (self.situation, self.old, self.new, self.fault) = (situation, old, new, fault)
        }
    }

    private static let stopwatches = "its stopwatches do not go with its state"
    private static let more = "more time in alarm than in the run"
    private static let notOver = #""over":{"before":[0,0]"#

    static let rows: [Row] = [
        Row(.countdown, #""ticked":55"#, #""ticked":0"#, "running with 0 s ticked, outside 1…86399"),
        Row(.countdown, #""ticked":55"#, #""ticked":-9223372036854775808"#),
        Row(.countdown, #""ticked":55"#, #""ticked":86400"#, "running with 86400 s ticked, outside 1…86399"),
        Row(.pausedFinal, left(9.5), #""remaining":[0,0]"#),
        Row(.pausedFinal, left(9.5), left(-1)), Row(.pausedFinal, left(9.5), left(86_399.001)),
        Row(.pausedFinal, #""state":"paused""#, #""state":"stopped""#, stopwatches),
        Row(.alarm, #""state":"alarm""#, #""state":"stopped""#, stopwatches),
        // An alarm before its run, or by another stopwatch, or without one.
        Row(.alarm, since(30), since(91), stopwatches),
        Row(.alarm, "\(notOver),\(since(90))", "\(notOver),\(since(91))", stopwatches),
        Row(.alarm, ",\(since(30))", "", stopwatches),
        // A run that begins after its next tick, one that does not go, one in alarm.
        Row(.countdown, since(94.5), since(100.5), stopwatches), Row(.countdown, ",\(since(94.5))", "", stopwatches),
        Row(.countdown, notOver, "\(notOver),\(since(95))", stopwatches),
        // A pause that goes on.
        Row(.pausedFinal, before(50.5), "\(before(50.5)),\(since(40))", stopwatches),
        Row(.pausedFinal, notOver, "\(notOver),\(since(95))", stopwatches),
        // Times that no run has.
        Row(.pausedFinal, before(50.5), before(-1), "a run that lasted -1.0 seconds"),
        Row(.pausedFinal, notOver, "\"over\":{\(before(-1))", "a run that lasted -1.0 seconds"),
        Row(.pausedFinal, notOver, "\"over\":{\(before(51))", more),
        Row(.countdown, notOver, "\"over\":{\(before(7))", more),
        Row(.alarm, notOver, "\"over\":{\(before(61))", more),
    ]

    @Test("is refused with a typed error", arguments: rows)
    func refused(_ row: Row) throws {
        let error = #expect(throws: TimerEngine.CountdownError.self) {
            try decode(row.situation, replacing: row.old, with: row.new)
        }
        if let fault = row.fault { #expect(error == .notACountdown(fault)) }
    }

    @Test("with thresholds that do not fit is refused as they are")
    func thresholds() {
        let error = #expect(throws: TimerEngine.ThresholdsError.self) {
            try decode(.countdown, replacing: #""warning":30"#, with: #""warning":60"#)
        }
        #expect(error?.description == "warning 60 is not within 0…59, below start 60")
    }

    @Test(
        "with a time that no clock reaches is refused, not computed with",
        arguments: [
            "[9223372036854775807,18446744073709551615]", "[-9223372036854775808,0]", "[9223372036854775807,0]",
            "[100000000000,0]", "[1e300,0]", "[0.5,0]", #"["0",0]"#, "[]", "null",
        ])
    func farInstant(_ far: String) throws {
        for (situation, old) in [
            (Situation.countdown, Self.json(lasting(154.5))), (.countdown, Self.json(lasting(94.5))),
            (.alarm, Self.json(lasting(90))), (.pausedFinal, Self.json(lasting(9.5))),
            (.pausedFinal, Self.json(lasting(50.5))),
        ] {
            #expect(throws: DecodingError.self) { try decode(situation, replacing: old, with: far) }
        }
    }

    @Test(
        "without one of its parts, or with another type there, is refused",
        arguments: [#"{}"#, #"[]"#, #"{"thresholds":{"start":"60"}}"#, #"{"thresholds":{"start":60}}"#])
    func missing(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Countdown.self, from: Data(text.utf8)) }
    }
}
