import NodeTestSupport
import Testing
import TimerEngine
import TimerProtocol

@testable import NodeConfiguration

@Suite("The rhythm of lamps")
struct RhythmConfigurationTests {
    private func signals(_ yaml: String) throws -> SignalTable { try load(yaml).configuration.signals }

    @Test("is the profile rhythm, or is added to any profile, but not to the modes in the file")
    func everyProfile() throws {
        let table = try signals("signals: {profile: toastmasters, rhythm: true, final: {red: on}}")
        #expect(table.modes[.countdown] == nil)
        #expect(table.modes[.warning]?["green"] == .blink(.slow))
        #expect(table.modes[.final] == ["red": .on])
        #expect(table.modes[.alarm]?["red"] == .on)
        let rhythm = try signals("signals: {profile: rhythm}")
        #expect(try rhythm == signals("signals: {rhythm: true}") && rhythm != .podium)
        #expect(try signals("signals: {rhythm: false}") == .podium)
    }

    @Test("is shown by a single lamp of any name, beside what makes a noise")
    func oneLamp() throws {
        let outputs = "gpio: {chip: auto, outputs: {strip: {line: GPIO22}, buzzer: {line: GPIO18}}}\n"
        let modes = try signals(outputs + "signals: {profile: rhythm}").modes
        let expected: [ModeName: LampSignal] = [
            .countdown: .on, .warning: .blink(.slow), .final: .blink(.quick), .alarm: .blink(.flash),
        ]
        #expect(modes.compactMapValues { $0["strip"] } == expected)
        #expect(modes[.alarm]?["buzzer"] == SignalTable.podium.modes[.alarm]?["buzzer"])
        #expect(modes.values.allSatisfy { $0.keys.filter { !SignalTable.noisy.contains($0) } == ["strip"] })
        #expect(try signals(outputs).modes.values.allSatisfy { $0["strip"] == nil })
    }
}
