import IoTNode
import Testing
import TimerEngine

@Suite struct InMemoryLinkTests {
    private static let now = TimerEngine.Instant(sinceEpoch: .seconds(1))

    @Test("what is pushed is reported at once, and once")
    func push() {
        let link = InMemoryLink()
        #expect(link.nextInstant == nil)
        link.push(.connected)
        #expect(link.nextInstant.map { $0 <= Self.now } == true)
        #expect(link.takeEvents(ready: [], at: Self.now) == [.link(.connected)])
        #expect(link.nextInstant == nil)
        #expect(link.takeEvents(ready: [], at: Self.now).isEmpty)
    }

    @Test("what is asked is recorded in order")
    func calls() {
        let link = InMemoryLink()
        let publication = Publication(topic: "timer/node/mode", text: "stopped")
        link.subscribe([Subscription("timer/node/command/+")])
        link.publish(publication)
        link.disconnect(patience: .seconds(1))
        #expect(link.publications == [publication])
        #expect(
            link.takeCalls() == [
                .subscribe([Subscription("timer/node/command/+")]), .publish(publication), .disconnect,
            ])
        #expect(link.calls.isEmpty)
    }

    @Test("a dropped connection reports nothing more")
    func dropped() {
        let link = InMemoryLink()
        link.push(.connected)
        link.disconnect(patience: .zero)
        #expect(link.takeEvents(ready: [], at: Self.now).isEmpty)
    }
}
