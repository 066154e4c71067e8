import Foundation
import IoTNode
import Testing

/// What a link asks of a broker, by the bytes of its packets.
@Suite struct PacketTests {
    @Test("CONNECT announces 256 KiB in MQTT 5, and asks for a clean session", arguments: MQTTVersion.allCases)
    func connect(version: MQTTVersion) throws {
        let listener = try TCPListener()
        let driver = LinkDriver()
        driver.link.connect(LinkTests.request(listener.port, version: version, keepAlive: 15))
        let packet = try PlayedBroker(listener).packet(1)
        // The protocol's name, its level, then the flags: the will is retained, with QoS 1.
        let level: UInt8 = version == .v5 ? 5 : 4
        var expected: [UInt8] = [0, 4] + Array("MQTT".utf8)
        expected += [level, 0b0010_1110, 0, 15]
        #expect(Array(packet.prefix(10)) == expected, "and the keep-alive last")
        guard version == .v5 else { return }
        let properties = Array(packet[11..<11 + Int(packet[10])])
        let maximum: [UInt8] = [0x27, 0, 4, 0, 0]
        // Maximum Packet Size is 0x27. There is no Session Expiry Interval, so that the session ends with the connection.
        #expect(properties.contains(maximum) && !properties.contains(0x11))
    }

    @Test("SUBSCRIBE wants nothing retained and each flag as it was sent, in MQTT 5", arguments: MQTTVersion.allCases)
    func subscribe(version: MQTTVersion) throws {
        let listener = try TCPListener()
        let driver = LinkDriver()
        driver.link.connect(LinkTests.request(listener.port, version: version))
        let broker = try PlayedBroker(listener)
        broker.send(version == .v5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0])
        try driver.run(until: "the connection") { $0.events.contains(.connected) }
        driver.link.subscribe(["a"])
        let packet = try broker.packet(8)
        let topic: [UInt8] = [0, 1, UInt8(ascii: "a")]
        // QoS 1; in MQTT 5, behind a list of no properties, Retain Handling 2 and Retain As Published.
        let expected: [UInt8] = version == .v5 ? [0] + topic + [0b0010_1001] : topic + [1]
        #expect(Array(packet.dropFirst(2)) == expected)
    }
}
