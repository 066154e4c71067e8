import BrokerLink
import Foundation
internal import Mosquitto
import Testing

/// The requests of a connection to a broker, checked byte by byte.
@Suite struct PacketTests {
    @Test("CONNECT announces 256 KiB in MQTT 5, and requests a clean session", arguments: MQTTVersion.allCases)
    func connect(version: MQTTVersion) throws {
        let listener = try TCPListener()
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(listener.port, version: version, keepAlive: 15))
        let packet = try ScriptedBroker(listener).packet(1)
        // The protocol's name and level, then the flags: the will is retained, with QoS 1.
        let level: UInt8 = version == .v5 ? 5 : 4
        var expected: [UInt8] = [0, 4] + Array("MQTT".utf8)
        expected += [level, 0b0010_1110, 0, 15]
        #expect(Array(packet.prefix(10)) == expected, "and the keep-alive last")
        guard version == .v5 else { return }
        let properties = Array(packet[11..<11 + Int(packet[10])])
        let maximum: [UInt8] = [0x27, 0, 4, 0, 0]
        // Maximum Packet Size is 0x27. Without a Session Expiry Interval, the session ends with the connection.
        #expect(properties.contains(maximum) && !properties.contains(0x11))
    }

    @Test(
        "SUBSCRIBE requests no retained messages and, in MQTT 5 if configured, Retain As Published and an identifier",
        arguments: MQTTVersion.allCases, [true, false])
    func subscribe(version: MQTTVersion, retainAsPublished: Bool) throws {
        let connack: [UInt8] = version == .v5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]
        for identifier in [nil, 3] {
            let packet = try subscribePacket(
                Subscription("a", retainAsPublished: retainAsPublished, identifier: identifier), version, connack)
            let topic: [UInt8] = [0, 1, UInt8(ascii: "a")]
            // QoS 1. In MQTT 5, after a list of properties, Retain Handling 2 is set, and possibly Retain As Published.
            let properties: [UInt8] = identifier.map { [2, 0x0B, UInt8($0)] } ?? [0]
            let options: [UInt8] = retainAsPublished ? [0b0010_1001] : [0b0010_0001]
            let expected: [UInt8] = version == .v5 ? properties + topic + options : topic + [1]
            #expect(packet == expected)
        }
    }

    @Test("SUBSCRIBE has no identifier if the broker supports none")
    func noIdentifier() throws {
        // Subscription Identifiers Available is 0x29.
        let connack: [UInt8] = [0x20, 5, 0, 0, 2, 0x29, 0]
        let packet = try subscribePacket(Subscription("a", identifier: 3), .v5, connack)
        #expect(packet == [0, 0, 1, UInt8(ascii: "a"), 0b0010_0001])
    }

    @Test("collected packets are sent together, in one TCP segment", arguments: [true, false])
    func collected(isCollected: Bool) throws {
        let listener = try TCPListener()
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(listener.port, version: .v5))
        let broker = try ScriptedBroker(listener)
        broker.send([0x20, 3, 0, 0, 0])
        try driver.run(until: "the connection") { $0.events.contains(.connected) }
        try broker.packet(1)
        let before = Self.dataSegments(sentBy: driver)
        if isCollected { driver.connection.collect() }
        for text in ["1", "2", "3"] { driver.connection.publish(OutgoingMessage(topic: "a", text: text)) }
        driver.connection.flush()
        for _ in 1...3 { try broker.packet(3) }
        #expect(Self.dataSegments(sentBy: driver) - before == (isCollected ? 1 : 3))
    }

    /// The number of segments with data that the connection has sent, without those that the kernel sent again because
    /// the other side was late to acknowledge them.
    private static func dataSegments(sentBy driver: ConnectionDriver) -> UInt32 {
        // Linux's `tcp_info`, of which Glibc only declares the beginning: word 39 is `tcpi_data_segs_out`, and word 25
        // is `tcpi_total_retrans`.
        var information = [UInt32](repeating: 0, count: 64)
        var size = socklen_t(information.count * MemoryLayout<UInt32>.size)
        let socket = driver.connection.interests.first?.descriptor ?? -1
        let code = unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &information, &size)
        #expect(code == 0, "the connection has a socket")
        return information[39] - information[25]
    }

    /// Returns the contents of the packet after the packet identifier.
    private func subscribePacket(
        _ subscription: Subscription, _ version: MQTTVersion, _ connack: [UInt8]
    ) throws -> [UInt8] {
        let listener = try TCPListener()
        let driver = ConnectionDriver()
        driver.connection.connect(MosquittoConnectionTests.request(listener.port, version: version))
        let broker = try ScriptedBroker(listener)
        broker.send(connack)
        try driver.run(until: "the connection") { $0.events.contains(.connected) }
        driver.connection.subscribe([subscription])
        return Array(try broker.packet(8).dropFirst(2))
    }
}
