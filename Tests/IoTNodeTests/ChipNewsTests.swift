import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A chip that goes away")
struct ChipNewsTests {
    /// The types and messages of the events about the chip.
    private func news(_ node: Scenario) -> [String] {
        node.publications.filter { $0.topic == "timer/lectern/event" }.compactMap { publication in
            guard case .object(let members)? = try? JSON(parsing: publication.payload) else { return nil }
            let texts = ["event_type", "message"].compactMap { key in
                if case .string(let text)? = members.first(where: { $0.key == key })?.value { text } else { nil }
            }
            return texts.first?.hasPrefix("gpio_") == true ? texts.joined(separator: ": ") : nil
        }
    }

    @Test("while nothing changes is detected through the device change; the current mode is shown when it is back")
    func steady() throws {
        var node = try Scenario(60, 30, 0)
        node.send("start")
        node.wait(.milliseconds(1500))
        node.happens(.chipsChanged)
        #expect(node.lit == "green", "a different chip appeared")
        #expect(news(node) == [])

        node.linesFault = LinesFault("gone")
        node.happens(.chipsChanged)
        #expect(node.levels == nil)
        node.linesFault = LinesFault("no chip")
        node.wait(.seconds(40))
        #expect(news(node) == ["gpio_fault: gone"], "one event, whatever the reason is later")
        #expect(node.story.filter { $0.contains("tick") }.count == 42, "60 to 19")
        #expect(node.logs.filter { $0.hasPrefix("outputs: ") } == ["outputs: gone", "outputs: no chip"])

        node.wait(.milliseconds(300))
        node.linesFault = nil
        node.happens(.chipsChanged)
        #expect(node.lit == "yellow", "at once")
        #expect(news(node) == ["gpio_fault: gone", "gpio_recovered: all lines are held"])
    }

    @Test("and returns between two checks is lost and found through two device changes")
    func goneAndBack() throws {
        var node = try Scenario()
        node.send("start")
        node.linesFault = LinesFault("gone")
        node.happens(.chipsChanged)
        node.linesFault = nil
        node.happens(.chipsChanged)
        #expect(node.lit == "green")
    }

    @Test("without a broker is reported once connected, with its instant, and only once")
    func toldLater() throws {
        var node = try Scenario(60, 30, 0, connected: false)
        node.linesFault = LinesFault("gone")
        node.happens(.chipsChanged)
        node.wait(.seconds(5))
        node.accept()
        #expect(news(node) == ["gpio_fault: gone"])
        let event = node.last("event") ?? ""
        #expect(event.contains(#""at":"2023-11-14T22:13:20.000Z""#), "\(event)")
        node.lose()
        node.accept()
        #expect(news(node).count == 1)

        node.lose()
        node.linesFault = nil
        node.wait(.seconds(2))
        #expect(node.lit == "dark")
        node.accept()
        #expect(news(node) == ["gpio_fault: gone", "gpio_recovered: all lines are held"])
    }

    @Test("with only the buttons is reported as well, and ends when all lines are held again")
    func buttons() throws {
        var node = try Scenario(60, 30, 0) { $0.gpio.buttons = [NodeConfiguration.Button(line: "A")] }
        node.inputsFault = LinesFault("A is busy")
        node.happens(.inputs(.failed(LinesFault("A is busy"))))
        #expect(news(node) == ["gpio_fault: A is busy"])
        node.linesFault = LinesFault("gone")
        node.happens(.chipsChanged)
        node.linesFault = nil
        node.wait(.seconds(5))
        #expect(news(node).count == 1, "there is still a fault")
        node.inputsFault = nil
        node.wait(.seconds(2))
        #expect(news(node) == ["gpio_fault: A is busy", "gpio_recovered: all lines are held"])
    }

    @Test("leaves the outputs off in the state, and causes no wake-ups for a lamp that cannot flash")
    func state() throws {
        var node = try Scenario(10, 0, 0)
        node.linesFault = LinesFault("gone")
        node.happens(.chipsChanged)
        node.wait(.milliseconds(500))
        node.send("start")
        node.wait(.milliseconds(10_100))
        #expect(node.last("mode") == "alarm")
        #expect(node.state?["outputs"]?["red"] == "off")
        // The lines are requested every two seconds, and the lamp would change every 425 ms.
        #expect(node.core.nextInstant.map { node.now.instant.duration(to: $0) } == .milliseconds(1400))
    }

    @Test("is back when the lines are held, not when the configuration is read again", arguments: [true, false])
    func reload(cures: Bool) throws {
        var node = try Scenario(60, 30, 0)
        node.linesFault = LinesFault("no line GREAN")
        node.happens(.chipsChanged)
        #expect(news(node).count == 1)
        var new = node.core.configuration
        new.gpio.outputs["green"] = NodeConfiguration.Output(line: "another")
        node.linesFault = cures ? nil : LinesFault("no line GREEM")
        node.reload(.success(.init(new)))
        #expect(news(node).dropFirst() == (cures ? ["gpio_recovered: all lines are held"] : []))
        #expect(node.logs.contains("outputs are back") == cures)
    }
}
