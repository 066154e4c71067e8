import BrokerLink
import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode
@testable import NodeConfiguration

/// Replays the tables in `docs/mirrors.md`: what a node sends, and what each device does according to its documentation.
@Suite("The devices in docs/mirrors.md")
struct MirrorRecipeTests {
    private static let devices = [
        "Zigbee2MQTT", "Tasmota", "Shelly, first generation", "Shelly, second generation and later", "WLED", "ESPHome",
        "AWTRIX 3",
    ]

    @Test("are told what the tables say, and show it", arguments: devices)
    func tables(title: String) throws {
        let page = try Page("docs/mirrors.md")
        let rows = try page.table("### \(title)")
        let yaml = try #require(try page.blocks("### \(title)").first { $0.hasPrefix("mirrors:\n") })
        let text = "mqtt: {brokers: [mqtt://a]}\n\(yaml)"
        #expect(findings(text).isEmpty)
        let mirrors = try load(text).configuration.mirrors
        var node = try Scenario { $0.mirrors = mirrors }
        var device = MirrorDevice()
        var count = 0
        try #require(rows.map { $0[0] } == ["stopped", "countdown", "warning", "final", "alarm"].map { "`\($0)`" })
        for (place, row) in (rows + [rows[0]]).enumerated() {
            if place == 1 { node.send("start") } else if place == 5 { node.send("stop") }
            if (2...4).contains(place) { node.wait(.seconds(2)) }
            let told = node.publications.dropFirst(count).filter { $0.topic == mirrors[0].topic }
            count = node.publications.count
            for message in told {
                try device.take(String(decoding: message.payload, as: UTF8.self), on: message.topic, as: title)
            }
            // At the end, a device that is off already is not told again.
            if place < 5 {
                #expect(told.last.map { String(decoding: $0.payload, as: UTF8.self) } == row[1].code.first, "\(row)")
            }
            #expect(device.shown == row[2], "\(row)")
        }
    }

    @Test("are all that the page shows")
    func all() throws {
        let headings = try Page("docs/mirrors.md").lines.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
        #expect(headings == Self.devices)
    }
}
