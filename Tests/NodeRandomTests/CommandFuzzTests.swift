import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Commands that no client would send, but that resemble real ones closely enough to pass the first checks.
@Suite("Random commands")
struct CommandFuzzTests {
    private static let keys = [
        "id", "command", "timer", "duration", "warning", "final", "name", "remaining", "seconds", "at", "sound",
        "force",
        "start", "event", "location", "groups", "timers", "settings", "selected", "version", "alarm", "at_zero", "x",
        "start_timer_immediately", "display", "selected_group", "selected_item", "transition",
    ]
    private static let scalars: [JSON] = [
        nil, true, 0, 1, -1, 5, 86_399, 86_400, .integer(.max), .integer(.min), .number(5), .number(5.5),
        .number(1e300),
        .number(-0.0), "", "1/1", "2/1", "1:30", "90s", "-5", "Talk", "beep", "none", "next", "2026-11-20T12:00:00Z",
        "0000-01-01T00:00:00Z", "9999-12-31T23:59:59+23:59", "74696d65-722d-8e6f-8064-650000000101", "\u{0}",
        "🙂\u{301}",
        .string(String(repeating: "é", count: 300)), "$", "9223372036854775807/1", "-9223372036854775808", "pause",
    ]

    private static func value(depth: Int, _ random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where depth > 0:
            return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        case 1 where depth > 0: return object(depth: depth - 1, &random)
        default: return scalars.randomElement(using: &random) ?? nil
        }
    }

    private static func object(depth: Int, _ random: inout SeededGenerator) -> JSON {
        .object(
            (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                let key = keys.randomElement(using: &random) ?? ""
                guard key == "groups" || key == "timers", Bool.random(using: &random) else {
                    return .init(key: key, value: value(depth: depth, &random))
                }
                let count = Int.random(in: 0..<4, using: &random)
                return .init(
                    key: key, value: .array((0..<count).map { _ in object(depth: max(0, depth - 1), &random) }))
            })
    }

    private static func payload(_ random: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return (0..<Int.random(in: 0..<40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        case 1: return []
        case 2:
            guard case .string(let text)? = scalars.randomElement(using: &random) else { return Array("+1".utf8) }
            return Array(text.utf8)
        default:
            var bytes = Array(object(depth: 4, &random).text.utf8)
            if Int.random(in: 0..<6, using: &random) == 0, let place = bytes.indices.randomElement(using: &random) {
                bytes[place] = .random(in: 0...255, using: &random)
            }
            return bytes
        }
    }

    @Test("never crash a node, and each receives one response")
    func random() throws {
        var random = SeededGenerator()
        var node = try Scenario(60, 30, 10) { $0.mqtt?.commandRate = 0 }
        let verbs =
            Verb.allCases.map { "/\($0.rawValue)" } + ["", "/dance", "/", "/timers", "/timers", "/edit", "/sync"]
        for _ in 0..<1000 {
            let recipient = ["lectern", "lectern", "lectern", "all", "@hall-a"].randomElement(using: &random) ?? ""
            let topic = "timer/\(recipient)/command\(verbs.randomElement(using: &random) ?? "")"
            let payload = Self.payload(&random)
            let before = node.publications.count
            let response = node.send(topic: topic, payload, responseTopic: "me")
            let answers = node.publications[before...].filter { $0.topic == "timer/lectern/response" }
            let what = "\(topic) \(String(decoding: payload, as: UTF8.self))"
            #expect(answers.count == 1, "\(what)")
            #expect(node.publications[before...].count { $0.topic == "me" } == 1, "\(what)")
            #expect(response?["status"] == "ok" || response?["code"] != nil, "\(what)")
            if Int.random(in: 0..<10, using: &random) == 0 {
                node.wait(.milliseconds(Int.random(in: 0..<9000, using: &random)))
            }
        }
        #expect(node.send("stop")?["status"] == "ok")
    }
}
