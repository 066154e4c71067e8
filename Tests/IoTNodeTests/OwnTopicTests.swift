import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The node's own retained topics")
struct OwnTopicTests {
    /// Returns how many times the node published on a topic.
    private func count(_ node: Scenario, _ topic: String) -> Int {
        node.publications.count { $0.topic == "timer/lectern/\(topic)" }
    }

    /// Publishes as another client on one of the node's topics.
    private func somebody(_ node: inout Scenario, _ topic: String, _ payload: String, retained: Bool = false) {
        node.send(topic: "timer/lectern/\(topic)", Array(payload.utf8), retained: retained)
    }

    private static let kinds = TopicKind.allCases.filter(\.isRetained).map(\.rawValue)

    @Test("are all subscribed to, except for the node's own and earlier retained messages")
    func subscribed() throws {
        let node = try Scenario()
        let own = node.subscriptions.filter { $0.noLocal }
        #expect(node.subscriptions.suffix(own.count) == own[...], "after all other subscriptions")
        #expect(own.map(\.filter) == Self.kinds.map { "timer/lectern/\($0)" })
        #expect(own.allSatisfy { !$0.sendsRetained && !$0.retainAsPublished })
    }

    @Test("are corrected at once when another client publishes a different value", arguments: kinds)
    func corrected(kind: String) throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.wait(.seconds(5))
        let truth = node.last(kind)
        let before = count(node, kind)
        somebody(&node, kind, kind == "availability" ? "offline" : "something else")
        #expect(count(node, kind) == before + 1)
        #expect(node.publications.last { $0.topic.hasSuffix("/\(kind)") }?.retain == true)
        if ["state", "health"].contains(kind) {
            #expect(node.last(kind)?.contains(#""mode":"countdown""#) == (kind == "state"))
        } else {
            #expect(node.last(kind) == truth)
        }
        #expect(node.logs.last == "another client overwrote timer/lectern/\(kind); republishing")
        #expect(node.warnings.isEmpty)
        node.wait(.seconds(30))
        #expect(node.state?["revision"] == .integer(kind == "state" ? 3 : 2))
        #expect(count(node, kind) == before + 1, "once")
    }

    @Test("are not corrected if they have the right value", arguments: kinds)
    func right(kind: String) throws {
        var node = try Scenario()
        let before = node.publications.count
        for _ in 0..<5 { somebody(&node, kind, node.last(kind) ?? "") }
        node.wait(.seconds(60))
        #expect(node.publications.count == before)
    }

    @Test("ignore messages that were retained before, and all messages while there is no connection")
    func old() throws {
        var node = try Scenario()
        let before = node.publications.count
        somebody(&node, "availability", "offline", retained: true)
        #expect(node.publications.count == before)
        node.lose()
        somebody(&node, "availability", "offline")
        #expect(node.publications.count == before)
    }

    @Test("are not corrected for an echo of a value that the node itself has just published")
    func echo() throws {
        var node = try Scenario(60, 0, 0)
        for verb in ["start", "pause", "resume"] { node.send(verb) }
        let modes = node.publications.filter { $0.topic.hasSuffix("/mode") }.map {
            String(decoding: $0.payload, as: UTF8.self)
        }
        #expect(modes == ["stopped", "countdown", "paused", "countdown"])
        let before = node.publications.count
        // A broker without No Local echoes the values one after another.
        for mode in modes.dropFirst() { somebody(&node, "mode", mode) }
        node.wait(.milliseconds(900))
        for message in node.publications.filter({ $0.topic.hasSuffix("/state") }) {
            somebody(&node, "state", String(decoding: message.payload, as: UTF8.self))
        }
        node.wait(.milliseconds(90))
        #expect(node.publications[before...].allSatisfy { $0.topic.hasSuffix("/tick") })
    }

    @Test("are corrected less and less often if echoes take longer than expected")
    func slowEchoes() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.wait(.seconds(1))
        node.send("pause")
        var heard = 0
        for _ in 0..<6000 {
            let states = node.publications.filter { $0.topic.hasSuffix("/state") }
            // Each value comes back 3.5 s after it was published.
            while heard < states.count, let at = date(of: states[heard]), node.now.date.timeIntervalSince(at) >= 3.5 {
                heard += 1
                somebody(&node, "state", String(decoding: states[heard - 1].payload, as: UTF8.self))
            }
            node.wait(.milliseconds(100))
        }
        #expect(count(node, "state") < 25, "in ten minutes")
    }

    private func date(of message: OutgoingMessage) -> Date? {
        (try? StateMessage(message.payload))?.date
    }

    @Test("are not corrected for an echo that arrives once per matching subscription")
    func copies() throws {
        var node = try Scenario(60, 0, 0)
        for verb in ["start", "pause"] { node.send(verb) }
        let before = count(node, "mode")
        for mode in ["countdown", "countdown", "paused", "paused"] { somebody(&node, "mode", mode) }
        node.wait(.seconds(10))
        #expect(count(node, "mode") == before)
    }

    @Test("are published again when the broker finally accepts their subscription", arguments: kinds)
    func heardAgain(kind: String) throws {
        var node = try Scenario()
        node.refuse("timer/lectern/\(kind)")
        let before = count(node, kind)
        // Other values may have been published there meanwhile.
        node.accept("timer/lectern/\(kind)")
        #expect(count(node, kind) == before + 1)
        node.wait(.seconds(60))
        #expect(count(node, kind) == before + 1)
    }

    @Test("cause one warning if the broker refuses all of their subscriptions")
    func unheard() throws {
        var node = try Scenario()
        for kind in Self.kinds { node.refuse("timer/lectern/\(kind)", code: 0x87, "Not authorized (SUBACK 0x87)") }
        #expect(node.warnings.count == 1)
        #expect(node.warnings.first?.hasSuffix("publish on the node's topics are not corrected") == true)
    }

    @Test("that are empty for a follower are emptied again, but no others")
    func follower() throws {
        var node = try Scenario { $0.follow = .init(node: "stage", prefix: "timer") }
        let before = node.publications.count
        somebody(&node, "runs", "{}")
        #expect(node.publications[before...].map(\.topic) == ["timer/lectern/runs"])
        #expect(node.publications.last?.payload.isEmpty == true)
    }

    @Test("are corrected if the last value is an old value of the node, or arrives too late to be an echo")
    func oldValue() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        somebody(&node, "mode", "stopped")
        #expect(count(node, "mode") == 2)
        node.wait(.seconds(2))
        #expect(count(node, "mode") == 3)
        #expect(node.last("mode") == "countdown")
        node.wait(.seconds(5))
        somebody(&node, "mode", "stopped")
        #expect(count(node, "mode") == 4)
    }

    @Test("are corrected less and less often if another client keeps publishing, with one warning")
    func conflictThreshold() throws {
        var node = try Scenario()
        var times: [Double] = []
        let start = node.now.instant
        for _ in 0..<6000 {
            for kind in ["availability", "mode"] { somebody(&node, kind, "nonsense") }
            while times.count < count(node, "availability") {
                times.append(start.duration(to: node.now.instant).inSeconds)
            }
            node.wait(.milliseconds(100))
        }
        // The first state was published on connecting.
        let gaps = zip(times.dropFirst(), times.dropFirst(2)).map { $1 - $0 }
        for (gap, expected) in zip(gaps, [1.0, 2, 4, 8, 16, 32, 60, 60, 60]) { #expect(abs(gap - expected) < 0.15) }
        #expect(gaps.count >= 9)
        #expect(node.warnings.count == 1)
        #expect(node.warnings.first?.hasSuffix("; is there another node with the id lectern?") == true)
        // After a quiet period, the count starts again.
        node.wait(.seconds(200))
        let before = count(node, "availability")
        somebody(&node, "availability", "offline")
        #expect(count(node, "availability") == before + 1)
    }

    @Test("are not corrected twice if a change has already corrected them")
    func changed() throws {
        var node = try Scenario(60, 0, 0)
        somebody(&node, "mode", "alarm")
        #expect(count(node, "mode") == 2)
        somebody(&node, "mode", "alarm")
        node.wait(.milliseconds(500))
        node.send("start")
        node.wait(.seconds(10))
        #expect(count(node, "mode") == 3)
    }

    @Test("that a broker refuses are published again, with only the newest value", arguments: [0x83, 0x87, 0x97])
    func refused(code: Int) throws {
        var node = try Scenario(60, 0, 0)
        for kind in Self.kinds {
            let before = count(node, kind)
            node.refusePublication(on: "timer/lectern/\(kind)", code: code)
            #expect(count(node, kind) == before)
            node.wait(.seconds(1))
            #expect(count(node, kind) == before + 1, "\(kind)")
        }
        let modes = count(node, "mode")
        node.refusePublication(on: "timer/lectern/mode", code: code)
        node.send("start")
        node.wait(.seconds(10))
        #expect(count(node, "mode") == modes + 1 && node.last("mode") == "countdown")
        // This continues as long as the message is refused.
        var times: [Double] = []
        for _ in 0..<5 {
            node.refusePublication(on: "timer/lectern/mode", code: code)
            let (start, before) = (node.now.instant, count(node, "mode"))
            for _ in 0..<700 where count(node, "mode") == before { node.wait(.milliseconds(100)) }
            times.append(start.duration(to: node.now.instant).inSeconds)
        }
        #expect(times.last ?? 0 > 7)
        #expect(!node.warnings.contains { $0.contains("another client") })
    }

    @Test("that are not retained are not published again if the broker refuses them")
    func forbidden() throws {
        var node = try Scenario()
        let before = node.publications.count
        node.refusePublication(on: "timer/lectern/event", code: 0x97, isRetained: false)
        node.wait(.seconds(60))
        #expect(node.publications.count == before)
    }

    @Test("are all published again on the command state, including the availability")
    func asked() throws {
        var node = try Scenario()
        let before = node.publications.count
        node.send("state")
        let topics = node.publications[before...].map(\.topic)
        #expect(
            Set(topics).isSuperset(
                of: ["availability", "mode", "state", "timers", "health"].map { "timer/lectern/\($0)" }))
    }

    @Test("are received by a remote on the same topic through its own subscription")
    func remote() throws {
        let remotes = [
            NodeConfiguration.Remote(
                topic: try TopicFilter("timer/+/mode"), path: nil, conditions: [], ignoreRepeat: .zero, commands: [:])
        ]
        let node = try Scenario { $0.remotes = remotes }
        #expect(node.subscriptions.count { $0.filter == "timer/lectern/mode" } == 0)
        #expect(node.subscriptions.count { $0.filter == "timer/+/mode" } == 1)
    }
}
