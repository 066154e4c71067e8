import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// A leader that publishes numbers that no clock or timer can have. `FUZZ_MESSAGES=1000000` sends a million messages.
@Suite("A leader with impossible numbers")
struct FollowedNumbersTests {
    private static func follower(saved: [UInt8]? = nil, after passed: Duration = .zero) throws -> Scenario {
        try Scenario(saved: saved, boot: "the follower's", after: passed) { configuration in
            configuration.node.id = "side"
            configuration.follow = .init(node: "lectern", prefix: "timer")
            configuration.storage = .init(directory: "/nowhere")
            configuration.mqtt?.healthInterval = .seconds(5)
            configuration.mqtt?.commandRate = 0
        }
    }

    /// Answers the time requests to the leader.
    private static func answer(_ node: inout Scenario, from seen: inout Int, _ clock: () -> String) {
        while seen < node.publications.count {
            let message = node.publications[seen]
            seen += 1
            guard message.topic == "timer/lectern/command/time",
                case .string(let id)? = (try? JSON(parsing: message.payload))?["id"]
            else { continue }
            let answer = """
                {"id":"\(id)","command":"time","status":"ok","mode":"stopped","remaining":6,\
                "time":"2023-11-14T22:13:20.000000Z","clock":{"boot":"a boot","now":\(clock())}}
                """
            node.send(topic: "timer/lectern/response", Array(answer.utf8))
        }
    }

    /// Checks that a follower's own messages are readable.
    private static func expectReadable(_ messages: some Sequence<OutgoingMessage>, _ what: String) {
        for message in messages {
            guard let topic = PublishedTopic(message.topic, prefix: "timer"), topic.node == "side",
                !message.payload.isEmpty
            else { continue }
            do throws(PayloadError) { _ = try PublishedMessage(topic.kind, message.payload) } catch {
                Issue.record("\(topic.kind): \(error): \(String(decoding: message.payload, as: UTF8.self)), \(what)")
            }
        }
    }

    @Test("never crashes a follower, even after a restart, and never makes it publish unreadable messages")
    func follower() throws {
        var random = SeededGenerator()
        let fuzz = try NumberFuzz()
        var left = NumberFuzz.count(6000)
        var saved: [UInt8]?
        var passed: Duration = .zero
        while left > 0 {
            var node = try Self.follower(saved: saved, after: passed)
            let start = node.now.instant
            var (seen, told) = (0, 0)
            for _ in 0..<min(left, 100) {
                left -= 1
                let message = fuzz.message(using: &random)
                let what = "\(message.kind) \(String(decoding: message.payload, as: UTF8.self))"
                node.send(
                    topic: message.kind.name(prefix: "timer", node: "lectern"), message.payload,
                    retained: message.retained)
                Self.answer(&node, from: &seen) {
                    Bool.random(using: &random) ? "1000000000" : NumberFuzz.number(insteadOf: "0", using: &random)
                }
                if Int.random(in: 0..<8, using: &random) == 0 {
                    node.wait(.milliseconds(Int.random(in: 0..<3000, using: &random)))
                }
                Self.expectReadable(node.publications[told...], what)
                told = node.publications.count
                try #require(!node.hasExited, "\(what)")
            }
            #expect(node.send(topic: "timer/side/command/state", [])?["status"] == "ok")
            #expect(node.setAside.isEmpty, "\(node.logs)")
            // Sometimes the follower is restarted in the same boot with its saved state.
            saved = Bool.random(using: &random) ? node.saved.last : nil
            passed = saved == nil ? .zero : passed + start.duration(to: node.now.instant) + .seconds(1)
        }
    }

    /// Numbers that used to crash a follower, each in a different calculation.
    private static let impossible: [(mode: String, changes: [(String, String)])] = [
        ("stopped", [("remaining", "-1"), ("left", "9223372036854775807")]),
        ("stopped", [("remaining", "0"), ("left", "9223372036854775807")]),
        ("stopped", [("remaining", "1"), ("left", "-9223372036854775808")]),
        ("paused", [("remaining", "0"), ("left", "9223372036854775807")]),
    ]

    @Test("is reported, and the follower continues with the last valid values", arguments: impossible)
    func endings(mode: String, changes: [(key: String, value: String)]) throws {
        let state = try #require(
            try NumberFuzz().messages.last { message in
                let text = String(decoding: message.payload, as: UTF8.self)
                return message.kind == .state && text.contains("\"left\":") && text.contains("\"mode\":\"\(mode)\"")
            })
        var text = String(decoding: state.payload, as: UTF8.self)
        for (key, value) in changes {
            let begin = try #require(text.firstRange(of: "\"\(key)\":")).upperBound
            let end = try #require(text[begin...].firstIndex { ",}".contains($0) })
            text.replaceSubrange(begin..<end, with: value)
        }
        var node = try Self.follower()
        node.send(topic: "timer/lectern/state", Array(text.utf8), retained: true)
        node.wait(.seconds(3))
        #expect(!node.hasExited && node.core.follower?.known.state == nil)
        let warning = "not following lectern: state: field"
        #expect(
            node.warnings.contains { $0.contains(warning) && $0.contains("expected a whole number from 0 to") },
            "\(node.logs)")
    }

    /// Numbers at the limits of their ranges, and the modes in which they occur.
    private static let lastNumbers: [(mode: String, key: String, value: String)] = [
        ("alarm", "\"zero\":", "-316224000000000000"), ("alarm", "\"zero\":", "-1"),
        ("alarm", "\"run\":{\"used\":", "632448000000"), ("countdown", "\"run\":{\"used\":", "632448000000"),
        ("paused", "\"run\":{\"used\":", "632448000000"), ("alarm", "\"since\":", "-316224000000000000"),
    ]

    @Test("is followed up to the limits of its numbers, with a readable state", arguments: lastNumbers)
    func farthest(mode: String, key: String, value: String) throws {
        let state = try #require(
            try NumberFuzz().messages.last { message in
                message.kind == .state
                    && String(decoding: message.payload, as: UTF8.self).contains("\"mode\":\"\(mode)\"")
            })
        var text = String(decoding: state.payload, as: UTF8.self)
        let begin = try #require(text.firstRange(of: key)).upperBound
        let end = try #require(text[begin...].firstIndex { ",}".contains($0) })
        text.replaceSubrange(begin..<end, with: value)
        var node = try Self.follower()
        var seen = 0
        node.send(topic: "timer/lectern/state", Array(text.utf8), retained: true)
        for _ in 0..<10 {
            Self.answer(&node, from: &seen) { "1000000000" }
            node.wait(.milliseconds(500))
        }
        #expect(node.publications.last { $0.topic == "timer/side/mode" }?.text == mode)
        Self.expectReadable(node.publications, "\(mode), \(key) \(value)")
    }

    @Test(
        "does not move a follower's clock with an impossible response",
        arguments: ["9223372036854775807", "-9223372036854775808", "-1", "316224000000000001"])
    func clock(now: String) throws {
        var node = try Self.follower()
        var seen = 0
        let state = try #require(try NumberFuzz().messages.last { $0.kind == .state })
        node.send(topic: "timer/lectern/state", state.payload, retained: true)
        for _ in 0..<10 {
            Self.answer(&node, from: &seen) { now }
            node.wait(.milliseconds(200))
        }
        #expect(seen > 0 && !node.hasExited)
        let health = try #require(node.core.follower?.report(at: node.now.instant))
        #expect(health.offset == nil && !health.isInStep)
    }

    @Test("does not crash a follower that has saved them, or one whose file was changed")
    func saved() throws {
        var random = SeededGenerator()
        let fuzz = try NumberFuzz()
        var node = try Self.follower()
        var seen = 0
        for kind in [TopicKind.timers, .state, .message] {
            let message = try #require(fuzz.messages.last { $0.kind == kind && !$0.payload.isEmpty })
            node.send(topic: kind.name(prefix: "timer", node: "lectern"), message.payload, retained: true)
        }
        Self.answer(&node, from: &seen) { "1000000000" }
        node.wait(.seconds(1))
        let json = try SavedDocument.state.open(try #require(node.saved.last))
        #expect(node.core.follower?.saved.clock != nil)
        for place in NumberFuzz.numbers(in: json) {
            for _ in 0..<6 {
                var changed = json
                let old = String(decoding: json[place], as: UTF8.self)
                let new = NumberFuzz.number(insteadOf: old, using: &random)
                changed.replaceSubrange(place, with: Array(new.utf8))
                var again = try Self.follower(saved: SavedDocument.state.seal(changed), after: .seconds(30))
                var seen = 0
                let message = fuzz.message(of: [.state], using: &random)
                again.send(topic: "timer/lectern/state", message.payload, retained: true)
                Self.answer(&again, from: &seen) { "1000000000" }
                again.wait(.seconds(2))
                #expect(!again.hasExited && again.setAside.count <= 1, "\(String(decoding: changed, as: UTF8.self))")
            }
        }
    }
}
