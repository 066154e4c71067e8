import FoundationEssentials
import Testing
import TimerEngine

@Suite("A mode as text")
struct ModeCodingTests {
    static let modes: [(Mode, String)] = [
        (.stopped, "stopped"), (.countdown, "countdown"), (.warning, "warning"), (.final, "final"),
        (.alarm, "alarm"), (.paused(mode: .countdown, pauseTime: 2.1), "paused(countdown, 2.1)"),
        (.paused(mode: .final, pauseTime: -24.5), "paused(final, -24.5)"),
        (.paused(mode: .warning, pauseTime: 1.0 / 3), "paused(warning, 0.3333333333333333)"),
    ]

    @Test("is written as its description and can be read back", arguments: modes)
    func roundTrip(_ mode: Mode, text: String) throws {
        let data = try JSONEncoder().encode(mode)
        #expect(String(decoding: data, as: UTF8.self) == "\"\(text)\"")
        #expect(try JSONDecoder().decode(Mode.self, from: data) == mode)
        #expect(Mode(text) == mode)
    }

    @Test(
        "is refused if it is not valid for any timer",
        arguments: [
            "", "Stopped", "paused", "paused()", "paused(alarm, 2.1)", "paused(stopped, 0.0)", "paused(countdown)",
            "paused(countdown, )", "paused(countdown, nan)", "paused(countdown, inf)", "paused(countdown,2.1)",
            "paused(countdown, 2.1", "paused(paused(countdown, 1.0), 2.1)", "final ",
        ])
    func refused(_ text: String) throws {
        #expect(Mode(text) == nil)
        let data = try JSONEncoder().encode(text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Mode.self, from: data) }
    }
}
