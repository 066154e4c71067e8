import BrokerLink
import IoTNode
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine
import TimerProtocol

@testable import NodeTape

@Suite("A tape without names")
struct AnonymousTests {
    private static let names = [
        "Ada Lovelace", "Zoë", "Opening", "lectern-7", "broker.example", "Prize-giving", "Grace", "Hopper", "Hall",
        "adas-raspberry",
    ]

    /// Returns the tape of a node, and its configuration in the format of the file.
    private func recorded() throws -> Tape {
        let yaml = """
            # Ada Lovelace's node
            node: {id: lectern-7, name: 'Hall''s # 1'} # for Grace
            mqtt: {brokers: ["mqtt://broker.example"], prefix: "timer"} # not Hopper's
            mirrors: [{show: digits, topic: "stage/digits", value: '{"by":"{speaker}","left":{remaining}}'}]
            timers:
              groups:
                - name: Opening # by Zoë
                  timers: [{name: Prize-giving, start: 6, warning: 4, final: 2}]
                # These names are the program's own.
                - timers: [{start: 9}]
            """
        let configuration = try load(yaml).configuration
        let tape = MemoryTape()
        var node = try Scenario(tape: tape) { $0 = configuration }
        node.send("start", #"{"speaker":"Ada Lovelace"}"#, to: "lectern-7")
        node.wait(.seconds(2))
        // A client may escape all characters beyond ASCII.
        node.send("start", #"{"speaker":"Zo\u00eb","timer":"Prize-giving"}"#, to: "lectern-7")
        node.wait(.seconds(9))
        node.send("stop", to: "lectern-7")
        var recorded = try Tape(tape.segments)
        recorded.segments[0].header.configuration.text = Array(yaml.utf8)
        recorded.segments[0].header.configuration.hostName = "adas-raspberry"
        return recorded
    }

    @Test("has none of them, and replays without a difference")
    func names() throws {
        let tape = try recorded()
        let read = { (taped: TapeConfiguration) throws(ConfigurationError) in
            try load(String(decoding: taped.text, as: UTF8.self)).configuration
        }
        #expect(try Replay(tape, load: read).differences.isEmpty)
        let anonymous = try tape.anonymous(try tape.configurations(read: read))
        let text = String(decoding: anonymous.bytes, as: UTF8.self)
        for name in Self.names { #expect(text.split(separator: name).count == 1, "\(name)") }
        #expect(!text.contains("Zo\\u00eb") && text.contains("anon1"))
        let replay = try Replay(anonymous, load: read)
        #expect(replay.differences.isEmpty, "\(replay.text(prefix: ""))")
        #expect(replay.compared > 15)
    }
}
