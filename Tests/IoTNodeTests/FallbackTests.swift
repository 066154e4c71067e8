import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A broker that does not know MQTT 5")
struct FallbackTests {
    @Test("is connected with 3.1.1 at once, and from then on")
    func fallback() throws {
        let brokers = [Broker(host: "old.test"), Broker(host: "new.test")]
        var node = try Scenario(brokers: brokers, connected: false)
        node.lose("refused", hintsAtOlderProtocol: true)
        #expect(node.attempts.map(\.version) == [.v5, .v311])
        #expect(node.attempts.map(\.broker.host) == ["old.test", "old.test"])
        #expect(node.logs.last == "no connection to mqtt://old.test:1883: refused; trying MQTT 3.1.1")
        node.accept()
        #expect(node.logs.last == "connected to mqtt://old.test:1883 with MQTT 3.1.1")

        node.wait(.seconds(60))
        node.lose()
        node.wait(.seconds(1))
        #expect(node.attempts.last?.broker.host == "new.test")
        #expect(node.attempts.last?.version == .v5)
        node.lose()
        node.wait(.seconds(60))
        #expect(node.attempts[3].broker.host == "old.test")
        #expect(node.attempts[3].version == .v311)
    }

    @Test("is retried with 5, after a growing delay, once 3.1.1 has failed too, which is logged once")
    func neither() throws {
        var node = try Scenario(connected: false)
        var delays: [Double] = []
        for _ in 0..<20 {
            #expect(node.attempts.last?.version == .v5)
            node.lose("closed", hintsAtOlderProtocol: true)
            #expect(node.attempts.last?.version == .v311)
            let before = node.now.instant
            let attempts = node.attempts.count
            node.lose("closed")
            while node.attempts.count == attempts { node.wait(.milliseconds(50)) }
            delays.append(before.duration(to: node.now.instant).inSeconds)
        }
        #expect(delays.max() ?? 0 > 10)
        #expect(node.logs.filter { $0.contains("closed") }.count == 2, "once for each version")
    }

    @Test("is never tried with 5 if the configuration says so")
    func configured() throws {
        var node = try Scenario(connected: false) { $0.mqtt?.link.version = .v311 }
        node.lose("refused")
        node.wait(.seconds(60))
        #expect(Set(node.attempts.map(\.version)) == [.v311])
    }
}
