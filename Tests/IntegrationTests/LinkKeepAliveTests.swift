import Foundation
import IoTNode
import Testing
import TimerEngine

/// What a link does about silence; what counts seconds and wake-ups is tried in simulated time.
@Suite struct LinkKeepAliveTests {
    @Test("a keep-alive that the broker imposes is kept")
    func imposed() throws {
        let broker = try MosquittoBroker(settings: ["max_keepalive 10"])
        let driver = LinkDriver()
        let before = bootTime()
        try driver.connect(LinkTests.request(broker.port, keepAlive: 600))
        let next = try #require(driver.link.nextInstant)
        #expect(before.duration(to: next) >= .seconds(11))
        #expect(before.duration(to: next) < .seconds(60))
    }
}
