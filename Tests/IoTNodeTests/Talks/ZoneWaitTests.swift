import BrokerLink
import Calendar
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// A node whose disk reads time zones only when a test tells it to.
@Suite("Commands that wait for time zones")
struct ZoneWaitTests {
    /// A core with its output: each zone request, and each response.
    private struct Node {
        var core: NodeCore
        var asked: [[String]] = []
        var answers: [JSON] = []
        private var time = Instant(sinceEpoch: .seconds(1000))

        init() {
            var configuration = NodeConfiguration(node: .init(id: "lectern"))
            configuration.mqtt = .init(brokers: [Broker(host: "broker.test")], clientID: "lectern")
            core = NodeCore(configuration: configuration, seed: 1)
            happens([.started(saved: nil, boot: "a boot")])
            happens([.connection(.connected)])
        }

        mutating func happens(_ events: [NodeEvent]) {
            let now = Moment(instant: time, date: AgendaStory.before)
            for effect in core.effects(of: events, at: now) {
                switch effect {
                case .readTimeZones(let names): asked.append(names)
                case .publish(let message) where message.topic.hasSuffix("/response"):
                    if let answer = try? JSON(parsing: message.payload) { answers.append(answer) }
                default: break
                }
            }
        }

        /// Commands that arrive together.
        mutating func send(_ commands: (verb: String, payload: String)...) { send(commands) }

        mutating func send(_ commands: [(verb: String, payload: String)]) {
            happens(
                commands.map { command in
                    .connection(
                        .message(
                            IncomingMessage(
                                topic: "timer/lectern/command/\(command.verb)", payload: Array(command.payload.utf8))))
                })
        }

        /// Makes the disk complete the last request; every zone except `Nowhere` exists.
        mutating func read() {
            let names = Set(asked.last ?? [])
            let found = Dictionary(uniqueKeysWithValues: names.subtracting(["Nowhere"]).map { ($0, TimeZoneRules.utc) })
            happens([.timeZonesRead(TimeZones(machine: .utc, machineName: "UTC", named: found, asked: names))])
        }

        var ids: [JSON?] { answers.map { $0["id"] } }
        var agenda: String? { core.agenda.agenda?.meetings.first?.name }
    }

    private func agenda(_ id: String, zone: String?) -> (verb: String, payload: String) {
        let zone = zone.map { #""zone":"\#($0)","# } ?? ""
        return (
            "agenda",
            #"{"id":"\#(id)",\#(zone)"meetings":[{"name":"\#(id)","day":"tue","at":"20:00","for":"1h"}]}"#
        )
    }

    @Test("cause all zones to be read with one request, are parsed once, and are answered in order")
    func together() {
        var node = Node()
        let commands = (1...8).map { agenda("\($0)", zone: "Z/\($0)") }
        node.send(commands)
        #expect(node.asked == [(1...8).map { "Z/\($0)" }] && node.answers.isEmpty)
        node.read()
        #expect(node.ids == (1...8).map { .string("\($0)") } && node.answers.allSatisfy { $0["status"] == "ok" })
        #expect(node.agenda == "8" && node.core.agenda.revision == 9)
        #expect(node.asked.count == 1)
        #expect(node.core.commands.parsedBytes == commands.reduce(0) { $0 + $1.payload.utf8.count })
    }

    @Test("are limited to eight; further commands are refused at once")
    func bound() {
        var node = Node()
        node.send((1...10).map { agenda("\($0)", zone: "Z/\($0)") })
        #expect(node.ids == ["9", "10"] && node.answers.allSatisfy { $0["code"] == "rate_limited" })
        #expect(node.asked == [(1...8).map { "Z/\($0)" }])
        // Other commands do not wait for the queued ones.
        node.send(("start", ""), ("stop", ""))
        #expect(node.answers.suffix(2).allSatisfy { $0["status"] == "ok" })
        node.read()
        #expect(node.agenda == "8" && node.answers.count == 12)
        node.send(agenda("11", zone: "Nowhere"))
        node.read()
        #expect(node.answers.last?["id"] == "11" && node.answers.last?["code"] == "invalid_payload")
    }

    @Test("keep their order relative to commands that need no zone or arrive while zones are being read")
    func order() {
        var node = Node()
        node.send(agenda("a", zone: "A"))
        node.send(agenda("b", zone: "B"), agenda("c", zone: nil), ("begin", #"{"id":"d","meeting":"c"}"#))
        node.send(agenda("e", zone: "E"))
        #expect(node.asked == [["A"]] && node.answers.isEmpty)
        node.read()
        #expect(node.ids == ["a"] && node.agenda == "a")
        #expect(node.asked.last == ["A", "B", "E"], "and the current agenda's zones")
        node.read()
        #expect(node.ids == ["a", "b", "c", "d", "e"] && node.answers.allSatisfy { $0["status"] == "ok" })
        #expect(node.agenda == "e" && node.asked.count == 2)
    }

    @Test("are executed once if they arrive twice")
    func twice() {
        var node = Node()
        node.send(agenda("a", zone: "A"), agenda("a", zone: "A"))
        node.read()
        #expect(node.answers.map { $0["duplicate"] } == [nil, true] && node.core.agenda.revision == 2)
    }

    @Test("are refused like any other if there are too many commands while they wait")
    func limited() {
        var node = Node()
        node.send((1...120).map { agenda("\($0)", zone: "Z") })
        #expect(node.answers.count == 92 + 1, "each command beyond eight, up to the burst, and one refusal a second")
    }
}
