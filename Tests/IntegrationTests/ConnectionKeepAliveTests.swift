import Foundation
internal import Mosquitto
import Testing
import TimerEngine

/// What a connection does about silence; what counts seconds and wake-ups is tried in simulated time.
@Suite struct ConnectionKeepAliveTests {
    @Test("a keep-alive that the broker imposes is kept")
    func imposed() throws {
        let broker = try MosquittoBroker(settings: ["max_keepalive 10"])
        let driver = ConnectionDriver()
        let before = bootTime()
        try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 600))
        let next = try #require(driver.connection.nextInstant)
        // It asks the broker for a sign of life 4 s before the end of the keep-alive.
        #expect(before.duration(to: next) >= .seconds(6))
        #expect(before.duration(to: next) < .seconds(60))
    }
}
