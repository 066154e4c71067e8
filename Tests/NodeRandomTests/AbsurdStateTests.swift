import Foundation
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A saved state with absurd numbers")
struct AbsurdStateTests {
    /// JSON numbers at and beyond the limits of their types.
    private static let absurd = [
        "0", "-1", "1", "1.5", "-0.0", "1e300", "-1e300", "1e999", "5e-324", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615", "170141183460469231731687303715884105727", "1e17", "-1e17",
        "1e11",
        "-1e11", "99999999999", "86400", "1000000000000000000",
    ]

    private static func configure(_ configuration: inout NodeConfiguration) {
        configuration.storage = .init(directory: "/nowhere")
        let meeting = Agenda.Meeting(
            name: "Toastmasters", days: [.weekday(.tue)], at: TimeOfDay(secondOfDay: 22 * 3600), duration: 3600,
            group: 1)
        configuration.agenda = Agenda(zone: "UTC", remindAfter: 30, meetings: [meeting])
    }

    /// A different agenda, so the state contains an edited agenda.
    private static let agenda = """
        {"zone":"UTC","remind_after":40,"meetings":[{"name":"Toastmasters","day":"tue","at":"22:00","for":3600,"group":1},\
        {"name":"Later","day":["wed","2030-01-01"],"at":"9:00","for":"1h"}]}
        """

    /// Returns the documents that a node saved in each situation that adds numbers.
    private static func documents() throws -> [[UInt8]] {
        var documents: [[UInt8]] = []
        var node = try Scenario(configure: configure)
        func saved(_ seconds: Double, _ commands: String...) {
            for command in commands { node.send(command) }
            node.wait(.seconds(seconds))
            documents += node.saved.suffix(1)
        }
        saved(1, "start")
        saved(2, "pause")
        saved(9, "resume")
        saved(1, "silence")
        saved(1, "stop", "start")
        node.send("stop")
        #expect(node.send("agenda", Self.agenda)?["status"] == "ok")
        saved(60, "begin", "silence")
        saved(1, "stop")
        return documents
    }

    /// Checks that a node with a saved document continues from it or sets it aside, counts, executes commands, and
    /// stops.
    private func expectLife(with json: [UInt8], boot: String, _ afterReboot: AfterReboot, _ what: String) throws {
        var node = try Scenario(saved: SavedDocument.state.seal(json), boot: boot, after: .seconds(30)) {
            Self.configure(&$0)
            $0.storage?.afterReboot = afterReboot
        }
        node.wait(.seconds(3))
        #expect(node.send("state")?["status"] == "ok", "\(what)")
        #expect(node.send("edit", #"{"name":"Another"}"#)?["status"] == "ok", "\(what)")
        #expect(node.send("agenda", Self.agenda)?["status"] == "ok", "\(what)")
        #expect(node.send("start")?["status"] == "ok", "\(what)")
        node.wait(.seconds(8))
        #expect(node.last("mode") == "alarm", "\(what)")
        node.happens(.terminate)
        #expect(node.hasExited, "\(what)")
        #expect(node.setAside.count <= 1, "\(what)")
    }

    private static let boots: [(String, AfterReboot)] = [
        ("a boot", .pause), ("another", .pause), ("another", .resume), ("another", .stop),
    ]

    @Test("never crashes a node, whichever number is absurd")
    func each() throws {
        var random = SeededGenerator()
        for document in try Self.documents() {
            let json = try SavedDocument.state.open(document)
            for place in NumberFuzz.numbers(in: json) {
                for _ in 0..<2 {
                    var changed = json
                    changed.replaceSubrange(place, with: Array((Self.absurd.randomElement(using: &random) ?? "0").utf8))
                    let (id, policy) = Self.boots.randomElement(using: &random) ?? ("", .pause)
                    let what = "\(String(decoding: changed, as: UTF8.self)), \(id), \(policy)"
                    try expectLife(with: changed, boot: id, policy, what)
                }
            }
        }
    }

    @Test("never crashes a node, even with several absurd numbers at once")
    func random() throws {
        var random = SeededGenerator()
        let documents = try Self.documents()
        for round in 0..<200 {
            var json = try SavedDocument.state.open(documents.randomElement(using: &random) ?? [])
            for _ in 0...Int.random(in: 0..<5, using: &random) {
                guard let place = NumberFuzz.numbers(in: json).randomElement(using: &random) else { continue }
                let value =
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: "\(Int64.random(in: .min ... .max, using: &random))"
                    case 1: "\(Double(bitPattern: .random(in: 0...0x7fef_ffff_ffff_ffff, using: &random)))"
                    default: Self.absurd.randomElement(using: &random) ?? "0"
                    }
                json.replaceSubrange(place, with: Array(value.utf8))
            }
            let (id, policy) = Self.boots.randomElement(using: &random) ?? ("", .pause)
            let what = "round \(round): \(String(decoding: json, as: UTF8.self)), \(id), \(policy)"
            try expectLife(with: json, boot: id, policy, what)
        }
    }

    @Test(
        "is set aside with its reason",
        arguments: [
            (
                [#""date":"#], "1e300",
                #"field "date": found 1e+300, expected a number from -978307200 to 252423993599.999"#
            ),
            ([#""at":{"sinceEpoch":["#], "-1", "the time at which it was saved is out of range"),
            ([#""at":{"sinceEpoch":["#], "50", "an instant is later than the moment it was saved, or is out of range"),
            (
                [#""at":{"sinceEpoch":["#], "100000",
                "its timer had already ended, or runs for longer than a timer can"
            ),
            (
                [#""begun":["#, #""index":"#], "-2",
                "field agenda.begun[1].index: found -2, expected a whole number from -1 to 63"
            ),
            (
                [#""undo":{"command":"stop""#, #""until":{"sinceEpoch":["#], "1000000000",
                "the command that can be undone is out of range"
            ),
            (
                [#""undo":{"command":"stop""#, #""started_at":{"sinceEpoch":["#], "1000000000",
                "the command that can be undone is out of range"
            ),
        ])
    func reasons(keys: [String], value: String, reason: String) throws {
        let documents = try Self.documents().map {
            String(decoding: try SavedDocument.state.open($0), as: UTF8.self)
        }
        var text = try #require(documents.first { text in keys.allSatisfy { text.contains($0) } })
        let start = try keys.reduce(text.startIndex) { try #require(text[$0...].range(of: $1)).upperBound }
        let end = try #require(text[start...].firstIndex { ",]}".contains($0) })
        text.replaceSubrange(start..<end, with: value)
        try expectSetAside(SavedDocument.state.seal(Array(text.utf8)), after: .seconds(30), because: reason)
    }

    @Test("from a later moment of this boot is set aside")
    func future() throws {
        try expectSetAside(
            try #require(Self.documents().first), after: .seconds(-500), because: "its timestamp is in the future")
    }

    private func expectSetAside(_ document: [UInt8], after: Duration, because reason: String) throws {
        let node = try Scenario(saved: document, after: after, configure: Self.configure)
        #expect(node.setAside.count == 1)
        let warning = "the saved state is invalid: \(reason); kept the old file"
        #expect(node.logs.contains { $0.contains(warning) }, "\(node.logs)")
    }
}
