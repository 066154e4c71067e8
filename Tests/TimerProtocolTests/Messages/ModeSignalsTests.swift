import TestSupport
import Testing

@testable import TimerProtocol

@Suite("The signals of the modes")
struct ModeSignalsTests {
    private func read(_ signals: String) throws -> ModeSignals? {
        let page = try Page("docs/topics.md")
        let health = try #require(page.examples("### Health").first)
        let start = try #require(health.firstRange(of: ",\"signals\""))
        return try HealthMessage(Array("\(health[..<start.lowerBound])\(signals)}".utf8)).signals
    }

    @Test("are not published by an older node")
    func old() throws {
        #expect(try read("") == nil)
        #expect(try read(#","signals":null"#) == nil)
    }

    @Test("are the usual ones for an omitted mode, and are ignored for an unknown mode")
    func lenient() throws {
        let signals = try #require(
            try read(
                #","signals":{"warning":{"word":"Hurry","lamps":{"red":"blink"},"tune":1},"dance":{"word":"Dance"}}"#))
        #expect(signals[.warning] == .init("Hurry", lamps: ["red": .blink]))
        for mode in ModeName.allCases where mode != .warning { #expect(signals[mode] == ModeSignals.podium[mode]) }
    }

    @Test(
        "are refused with the position of the error",
        arguments: [
            (#"{"final":{"lamps":{}}}"#, "field signals.final.word is missing"),
            (#"{"final":{"word":"x","lamps":{"red":"dim"}}}"#, "signals.final.lamps.red: found \"dim\""),
            (#"{"final":"red"}"#, "signals.final: found \"red\""),
        ])
    func faults(signals: String, fault: String) throws {
        let error = #expect(throws: PayloadError.self) { try read(",\"signals\":\(signals)") }
        #expect(error?.description.contains(fault) == true, "\(String(describing: error))")
    }
}
