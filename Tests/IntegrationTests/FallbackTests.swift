import Foundation
import Testing

@testable import TimerProtocol

@Suite("A spawned node and a broker that does not know MQTT 5")
struct FallbackTests {
    /// The ways in which a broker may refuse.
    enum Refusal: String, CaseIterable, CustomTestStringConvertible {
        case olderWords = "with a packet of 3.1.1"
        case newWords = "with a packet of 5"
        case close = "by closing the connection"
        case nonsense = "with bytes that are not a packet"

        var testDescription: String { rawValue }

        func answer(_ broker: ScriptedBroker) {
            switch self {
            case .olderWords: broker.send([0x20, 2, 0, 1])
            case .newWords: broker.send([0x20, 3, 0, 0x84, 0])
            case .close: broker.close()
            case .nonsense: broker.send(Array(repeating: 0xFF, count: 64))
            }
        }
    }

    @Test("speaks 3.1.1 with it at once, however the broker refuses", arguments: Refusal.allCases)
    func refused(refusal: Refusal) throws {
        let listener = try TCPListener()
        let node = try SpawnedNode("1:00", brokers: "mqtt://127.0.0.1:\(listener.port)")
        let first = try ScriptedBroker(listener)
        #expect(try first.connectLevel() == 5)
        refusal.answer(first)
        let second = try ScriptedBroker(listener)
        #expect(try second.connectLevel() == 4)
        second.send([0x20, 2, 0, 0])
        try second.packet(8)
        try node.process.waitForLine("the fallback") { $0.hasSuffix("; trying MQTT 3.1.1") }
        try node.process.waitForLine("the connection") { $0.hasSuffix(" with MQTT 3.1.1") }

        // The node remembers the older version, and the next connection begins with it.
        second.close()
        #expect(try ScriptedBroker(listener).connectLevel() == 4)
    }
}
