import FoundationEssentials
import Testing
import TimerEngine

@Suite("A saved player")
struct TimerPlayerCodingTests {
    private func copy(_ player: TimerPlayer) throws -> TimerPlayer {
        try JSONDecoder().decode(TimerPlayer.self, from: JSONEncoder().encode(player))
    }

    @Test("has the same future, on into the next timer")
    func future() throws {
        var original = try player([[(4, 3, 2), (3, 2, 0)]])
        _ = try original.start(at: at(0))
        _ = original.play(until: at(1.5))
        var restored = try copy(original)
        #expect(restored == original)
        #expect(restored.play() == original.play())
        _ = restored.stop(at: at(100))
        #expect(try copy(restored) == restored)
    }

    @Test("that is restored late catches up into the next timer, which has lost no time")
    func late() throws {
        var original = try player([[(4, 3, 2), (30, 2, 0)]])
        _ = try original.start(at: at(0))
        var restored = try copy(original)
        #expect(restored.advance(to: at(14.5)).lines.suffix(2) == ["4.0: final → countdown", "14.0: 20"])
        #expect(restored.countdown.zero == at(34))
    }

    @Test("keeps a run of other times")
    func oneOff() throws {
        var original = try player([[(4, 3, 2)]])
        _ = try original.start(.init(thresholds: times(60, 30), name: "Break"), at: at(0))
        #expect(try copy(original) == original)
    }

    @Test("whose countdown is another timer's is refused")
    func nonsense() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(try player([[(44, 3, 2)]])), as: UTF8.self)
        let other = text.replacing(#""final":2,"start":44"#, with: #""final":2,"start":45"#)
        #expect(other != text)
        #expect(throws: PlayerError.notAPlayer("its countdown is not the selected timer's")) {
            try JSONDecoder().decode(TimerPlayer.self, from: Data(other.utf8))
        }
    }

    @Test(
        "with a run that none can have been is refused",
        arguments: [
            (#""over":[0,0]"#, #""over":[5,0]"#), (#""over":[0,0]"#, #""over":[-1,0]"#),
            (#""over":[0,0]"#, #""over":[9223372036854775807,0]"#), (#""path":"1\/1""#, #""path":"0\/1""#),
        ])
    func lastRun(_ old: String, new: String) throws {
        var player = try player([[(44, 3, 2)]])
        _ = try player.start(at: at(0))
        _ = player.stop(at: at(1))
        let text = String(decoding: try JSONEncoder().encode(player), as: UTF8.self)
        let other = text.replacing(old, with: new, maxReplacements: 1)
        #expect(other != text, "\(text)")
        let error = #expect(throws: (any Error).self) {
            try JSONDecoder().decode(TimerPlayer.self, from: Data(other.utf8))
        }
        #expect(error is PlayerError || error is DecodingError || error is ModelError)
    }

    @Test("with a single run of no time is refused")
    func emptyOneOff() throws {
        var player = try player([[(4, 0, 0)]])
        _ = try player.start(.init(thresholds: times(60)), at: at(0))
        let text = String(decoding: try JSONEncoder().encode(player), as: UTF8.self)
        let other = text.replacing(#""start":60"#, with: #""start":0"#)
        #expect(other != text)
        #expect(throws: PlayerError.notAPlayer("a single run of no time")) {
            try JSONDecoder().decode(TimerPlayer.self, from: Data(other.utf8))
        }
    }

    @Test("of another boot is moved to the new clock")
    func shifted() throws {
        var original = try player([[(10, 0, 0)]])
        _ = try original.start(at: at(1000))
        _ = original.play(until: at(1003.5))
        original.shift(by: lasting(-1000))
        #expect(try original.pause(at: at(3.5)).lines == ["3.5: countdown → paused(countdown, 3.5)"])
    }
}
