import Testing
import TimerEngine

@testable import IoTNode

@Suite("What is on its way to the broker")
struct OutboxTests {
    private let start = TimerEngine.Instant(sinceEpoch: .seconds(100))

    private func message(_ topic: String, _ text: String = "x", retain: Bool = false) -> Publication {
        Publication(topic: topic, text: text, retain: retain)
    }

    /// Sends what may be sent, as a connection does; each message counts as so many bytes.
    private func send(_ outbox: inout Outbox, bytes: Int, from first: Int32 = 1) -> [Publication] {
        var sent: [Publication] = []
        while let next = outbox.next {
            outbox.noteSent(first + Int32(sent.count), bytes: bytes, at: start)
            sent.append(next)
        }
        return sent
    }

    @Test("is no more than it acknowledges, then the rest waits in order")
    func window() throws {
        var outbox = Outbox()
        let messages = (1...10).map { message("response", "\($0)") }
        for message in messages { try #require(outbox.add(message)) }
        let first = send(&outbox, bytes: 100_000)
        #expect(first == Array(messages.prefix(3)), "the third goes beyond 256 KiB")
        #expect(outbox.noteAcknowledged(1, at: start)?.topic == "response")
        #expect(send(&outbox, bytes: 1, from: 10) == Array(messages.dropFirst(3)))
        #expect(outbox.count == 9)
        #expect(outbox.noteAcknowledged(1, at: start) == nil, "once")
    }

    @Test("is of a retained message that waits the newest value alone, in the place of the older; all others stay")
    func newest() throws {
        var outbox = Outbox()
        #expect(outbox.add(message("first", retain: true)))
        outbox.noteSent(1, bytes: Outbox.window, at: start)
        for number in 1...100 {
            #expect(outbox.add(message("timers", "\(number)", retain: true)))
            #expect(outbox.add(message("response", "\(number)")))
        }
        #expect(outbox.lossesWhenClosed == 100)
        _ = outbox.noteAcknowledged(1, at: start)
        let sent = send(&outbox, bytes: 10, from: 2)
        #expect(sent.first == message("timers", "100", retain: true))
        #expect(sent.dropFirst() == (1...100).map { message("response", "\($0)") }[...])
    }

    @Test("has a deadline only while something waits, which each acknowledgement moves")
    func deadline() throws {
        var outbox = Outbox()
        #expect(outbox.add(message("1")))
        outbox.noteSent(1, bytes: Outbox.window, at: start)
        #expect(outbox.deadline == nil)
        #expect(outbox.add(message("2")))
        #expect(outbox.deadline == start + .seconds(5))
        #expect(outbox.add(message("3")))
        _ = outbox.noteAcknowledged(1, at: start + .seconds(3))
        outbox.noteSent(2, bytes: Outbox.window, at: start + .seconds(4))
        #expect(outbox.deadline == start + .seconds(9))
        // Where not all is read that the broker has sent, there may be one that nobody has seen yet.
        outbox.noteProgress(at: start + .seconds(8))
        #expect(outbox.deadline == start + .seconds(13))
    }

    @Test("is bounded")
    func capacity() throws {
        var outbox = Outbox()
        for _ in 0..<Outbox.capacity { #expect(outbox.add(message("event"))) }
        #expect(!outbox.add(message("event")))
        #expect(!outbox.add(message("state", retain: true)))
        outbox.removeNext()
        #expect(outbox.add(message("state", "1", retain: true)))
        #expect(outbox.add(message("state", "2", retain: true)), "in the place of the older")
    }
}
