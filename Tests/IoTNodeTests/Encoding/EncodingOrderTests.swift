import BrokerLink
import FoundationEssentials
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A message is encoded when it is sent")
struct EncodingOrderTests {
    /// The effects of the core for a command, in order.
    private func effects(_ verb: String, _ node: Scenario) -> [NodeEffect] {
        var core = node.core
        let message = IncomingMessage(topic: "timer/lectern/command/\(verb)", payload: [])
        return core.effects(of: [.connection(.message(message))], at: node.now)
    }

    @Test("with only the lines before mode: the status, which displays convert to text, is shown afterwards")
    func status() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        let effects = effects("stop", node)
        guard case .setOutputs? = effects.first, case .publish(let mode)? = effects.dropFirst().first else {
            Issue.record("\(effects)")
            return
        }
        #expect(mode.topic == "timer/lectern/mode")
        #expect(effects.contains { if case .show = $0 { true } else { false } })
    }

    @Test("so mode, which needs no encoding, is sent before state, event and response are encoded")
    func values() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        let publications = effects("pause", node).compactMap { effect in
            if case .publish(let publication) = effect { publication } else { nil }
        }
        #expect(publications.map(\.topic) == ["mode", "state", "event", "response"].map { "timer/lectern/\($0)" })
        let kinds = publications.map { publication in
            switch publication.content {
            case .message(.availability), .message(.mode), .message(.tick): "word"
            case .message: "value"
            case .bytes: "bytes"
            }
        }
        #expect(kinds == ["word", "value", "value", "value"])
    }

    @Test("and no message for commands, connections or health is encoded earlier")
    func all() throws {
        var node = try Scenario(60, 0, 0)
        for command in ["start", "add +30", "pause", "edit", "state", "stop", "no such command"] {
            let parts = command.split(separator: " ").map(String.init)
            node.send(parts[0], parts.count > 1 ? parts[1] : parts[0] == "edit" ? #"{"name":"Talk"}"# : "")
        }
        node.lose()
        node.wait(.seconds(2))
        node.accept()
        // A message that empties a topic has nothing to encode.
        let early = node.publications.filter {
            if case .bytes(let bytes) = $0.content { !bytes.isEmpty } else { false }
        }
        #expect(early.map(\.topic) == [])
    }

    @Test("and is the same for each reader, however many times it is read")
    func again() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        for publication in node.publications { #expect(publication.payload == publication.payload) }
    }

    @Test("in the same form as before")
    func state() throws {
        var node = try Scenario(60, 20, 10)
        node.send("start")
        node.wait(.milliseconds(18_500))
        node.send("pause")
        let id = node.core.timer.player.model.selectedTimer.id.uuidString.lowercased()
        #expect(
            node.last("state") == """
                {"mode":"paused","paused_mode":"countdown","remaining":42,"precise_remaining":41.5,"elapsed":18.5,\
                "progress":0.308,"display":"42","start":60,"warning":20,"final":10,\
                "started_at":"2023-11-14T22:13:20.000Z","ends_at":null,"until":null,"overtime":null,\
                "timer":{"path":"1/1","id":"\(id)","name":"Talk","event":null,"location":null},\
                "group":{"index":1,"name":"Timers","display":"numerical"},"next":null,"last":null,"undo":null,\
                "run":{"used":18.5,"paused":0,"minimum":null,"maximum":null,"grace":0},\
                "outputs":{"buzzer":"off","green":"blink","red":"off","yellow":"off"},\
                "patterns":{"green":{"steps_ms":[500,1500],"repeat":true,"began":1018500000}},\
                "speaker":null,"locked":false,"meeting":null,"lead":null,"entry":null,"budget":null,"follows":null,"at":"2023-11-14T22:13:38.500Z",\
                "clock":{"boot":"a boot","now":1018500000,"since":1018500000,"zero":null},"revision":3}
                """)
    }
}
