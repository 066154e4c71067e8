import Foundation
internal import Mosquitto
import Testing
import TimerEngine

/// How a connection handles silence. Whatever counts seconds and wake-ups is tested in simulated time.
@Suite struct ConnectionKeepAliveTests {
    @Test("a keep-alive that the broker imposes is respected")
    func imposed() throws {
        let broker = try MosquittoBroker(settings: ["max_keepalive 10"])
        let driver = ConnectionDriver()
        let before = bootTime()
        try driver.connect(MosquittoConnectionTests.request(broker.port, keepAlive: 600))
        let next = try #require(driver.connection.nextInstant)
        // It sends the broker a request 4 s before the end of the keep-alive.
        #expect(before.duration(to: next) >= .seconds(6))
        #expect(before.duration(to: next) < .seconds(60))
    }
}
