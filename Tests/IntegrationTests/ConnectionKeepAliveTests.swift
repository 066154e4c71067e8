import Foundation
internal import Mosquitto
import Testing
import TimerEngine

/// How a connection handles silence. Tests that count seconds and wake-ups run in simulated time.
@Suite struct ConnectionKeepAliveTests {
    @Test("a keep-alive that the broker imposes is respected")
    func imposed() throws {
        let broker = try MosquittoBroker(settings: ["max_keepalive 10"])
        let driver = ConnectionDriver()
        let before = bootTime()
        try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 600))
        let next = try #require(driver.connection.nextInstant)
        // It pings the broker 4 s before the end of the keep-alive.
        #expect(before.duration(to: next) >= .seconds(6))
        #expect(before.duration(to: next) < .seconds(60))
    }
}
