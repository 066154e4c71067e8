import BrokerLink
import Testing
import TimerEngine

@testable import Mosquitto

@Suite("The outbox")
struct OutboxTests {
    private let start = Instant(sinceEpoch: .seconds(100))

    private func message(_ topic: String, _ text: String = "x", retain: Bool = false) -> OutgoingMessage {
        OutgoingMessage(topic: topic, text: text, retain: retain)
    }

    /// Sends the messages that the window allows, as a connection does; each message counts as `bytes` bytes.
    private func send(_ outbox: inout Outbox, bytes: Int, from first: Int32 = 1) -> [OutgoingMessage] {
        var sent: [OutgoingMessage] = []
        while let next = outbox.next {
            outbox.recordSent(next, first + Int32(sent.count), bytes: bytes, at: start)
            outbox.removeFirst()
            sent.append(next)
        }
        return sent
    }

    @Test("sends no more than the window allows; the rest waits in order")
    func window() {
        var outbox = Outbox()
        let messages = (1...10).map { message("response", "\($0)") }
        for message in messages { _ = outbox.add(message) }
        let first = send(&outbox, bytes: 100_000)
        let acknowledged = outbox.recordAcknowledgement(1, at: start)
        let rest = send(&outbox, bytes: 1, from: 10)
        let again = outbox.recordAcknowledgement(1, at: start)
        #expect(first == Array(messages.prefix(3)), "the third exceeds 256 KiB")
        #expect(acknowledged?.topic == "response")
        #expect(rest == Array(messages.dropFirst(3)))
        #expect(outbox.count == 9)
        #expect(again == nil, "once")
    }

    @Test("keeps only the newest value of a waiting retained message, and all other messages")
    func newest() {
        var outbox = Outbox()
        #expect(outbox.hasRoom, "the first message need not wait")
        outbox.recordSent(message("first", retain: true), 1, bytes: Outbox.window, at: start)
        #expect(!outbox.hasRoom)
        for number in 1...100 {
            _ = outbox.add(message("timers", "\(number)", retain: true))
            _ = outbox.add(message("response", "\(number)"))
        }
        #expect(outbox.unretainedCount == 100)
        _ = outbox.recordAcknowledgement(1, at: start)
        let sent = send(&outbox, bytes: 10, from: 2)
        #expect(sent.first == message("timers", "100", retain: true))
        #expect(sent.dropFirst() == (1...100).map { message("response", "\($0)") }[...])
    }

    @Test("has a deadline only while a message waits; each acknowledgement extends it")
    func deadline() {
        var outbox = Outbox()
        outbox.recordSent(message("1"), 1, bytes: Outbox.window, at: start)
        #expect(outbox.deadline == nil)
        _ = outbox.add(message("2"))
        #expect(outbox.deadline == start + .seconds(5))
        _ = outbox.add(message("3"))
        _ = outbox.recordAcknowledgement(1, at: start + .seconds(3))
        outbox.recordSent(message("2"), 2, bytes: Outbox.window, at: start + .seconds(4))
        outbox.removeFirst()
        #expect(outbox.deadline == start + .seconds(9))
        // If not everything that the broker has sent has been read, an acknowledgement may still be unread.
        outbox.recordProgress(at: start + .seconds(8))
        #expect(outbox.deadline == start + .seconds(13))
    }

    @Test("has an oldest message, which changes with each acknowledgement in order, and stays the same if one is lost")
    func oldest() {
        var outbox = Outbox()
        #expect(outbox.oldestInFlight == nil)
        for number in 1...4 {
            outbox.recordSent(message("\(number)"), Int32(number), bytes: 1, at: start + .seconds(number))
        }
        #expect(outbox.oldestInFlight?.topic == "1" && outbox.oldestInFlight?.since == start + .seconds(1))
        _ = outbox.recordAcknowledgement(1, at: start + .seconds(6))
        #expect(outbox.oldestInFlight?.topic == "2" && outbox.oldestInFlight?.since == start + .seconds(6))
        _ = outbox.recordAcknowledgement(3, at: start + .seconds(7))
        #expect(outbox.oldestInFlight?.topic == "2" && outbox.oldestInFlight?.since == start + .seconds(6))
        _ = outbox.recordAcknowledgement(2, at: start + .seconds(8))
        #expect(outbox.oldestInFlight?.topic == "4" && outbox.oldestInFlight?.since == start + .seconds(8))
        _ = outbox.recordAcknowledgement(4, at: start + .seconds(9))
        #expect(outbox.oldestInFlight == nil)
        outbox.recordSent(message("5"), 5, bytes: 1, at: start + .seconds(60))
        #expect(outbox.oldestInFlight?.topic == "5" && outbox.oldestInFlight?.since == start + .seconds(60))
    }

    @Test("is bounded")
    func capacity() {
        var outbox = Outbox()
        let taken = (1...Outbox.capacity).count { _ in outbox.add(message("event")) }
        #expect(taken == Outbox.capacity)
        let beyond = [outbox.add(message("event")), outbox.add(message("state", retain: true))]
        #expect(beyond == [false, false])
        outbox.removeFirst()
        let states = [outbox.add(message("state", "1", retain: true)), outbox.add(message("state", "2", retain: true))]
        #expect(states == [true, true], "the second replaces the first")
    }
}
