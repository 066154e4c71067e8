import NodeTestSupport
import Testing

@testable import NodeConfiguration

@Suite("The leader in a configuration")
struct FollowConfigurationTests {
    private static let node = "node: {id: side}\nmqtt: {brokers: [mqtt://127.0.0.1], prefix: hall/timer}\n"

    @Test("has the prefix of the section mqtt, or a separate one")
    func prefix() throws {
        let same = try load(Self.node + "follow: {node: stage}")
        #expect(same.configuration.follow == .init(node: "stage", prefix: "hall/timer") && same.warnings.isEmpty)
        let other = try load(Self.node + "follow: {node: side, prefix: timer}")
        #expect(other.configuration.follow == .init(node: "side", prefix: "timer"))
        #expect(try load(Self.node).configuration.follow == nil)
    }

    @Test(
        "must be another node with a valid id, on a broker",
        arguments: [
            (Self.node + "follow: {node: side}", "follow: found the node itself, expected the id of another node"),
            (Self.node + "follow: {}", "follow.node: found nothing, expected"),
            (Self.node + "follow: {node: Stage}", "follow.node: found \"Stage\", expected 1 to 63 of the characters"),
            (Self.node + "follow: {node: all}", "follow.node: found \"all\""),
            (Self.node + "follow: {node: stage, prefix: a/#}", "follow.prefix: found \"a/#\", expected topic levels"),
            (Self.node + "follow: {nodes: stage}", "unknown; did you mean node?"),
            ("follow: {node: stage}", "follow: needs mqtt"),
        ])
    func faults(yaml: String, fault: String) {
        #expect(findings(yaml).contains { $0.contains(fault) }, "\(findings(yaml))")
    }

    @Test("has the timers that remotes start, instead of those in this file")
    func selectors() {
        let file =
            Self.node
                + """
                gpio: {chip: simulated}
                remotes: [{topic: desk, map: {ON: start 3/1, OFF: 'edit {"name":"New"}'}}]
                timers: {read_only: true, groups: [{timers: [{start: 60}]}]}

                """
        #expect(findings(file).count == 2, "\(findings(file))")
        #expect(findings(file + "follow: {node: stage}").isEmpty, "\(findings(file + "follow: {node: stage}"))")
    }
}
