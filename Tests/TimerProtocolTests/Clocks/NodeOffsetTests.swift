import FoundationEssentials
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("The offset of a node's clock")
struct NodeOffsetTests {
    /// A node in another boot, whose time has not been requested yet.
    private func node() -> NodeTime {
        var node = NodeTime(ownBoot: "own", requests: TimeRequests(name: "guest", seed: 1))
        var state = StateMessage()
        state.clock.now = BootTime(boot: "other", now: .zero)
        node.note(state, after: nil, at: Instant(sinceEpoch: .zero))
        return node
    }

    /// Requests the time; the response arrives 10 ms later.
    ///
    /// - Parameters:
    ///   - seconds: when the request is sent.
    ///   - offset: the offset by which the node responds; nil for a response without a time.
    private func ask(_ node: inout NodeTime, at seconds: Int, offset: Duration?) throws -> Bool? {
        let asked = Instant(sinceEpoch: .seconds(seconds))
        let due = node.consumeDue(at: asked)
        let id = try #require(due)
        let time = offset.map { BootTime(boot: "other", now: asked.sinceEpoch + .milliseconds(5) + $0) }
        let response = Response(
            id: id, command: "time", outcome: .ok(mode: .stopped, remaining: 60),
            details: time.map { Response.Details.time(Date(timeIntervalSince1970: 0), $0) })
        return node.receive(response, at: asked + .milliseconds(10))
    }

    @Test("changes with the first response, and later by a millisecond or more")
    func changes() throws {
        var node = node()
        #expect(node.offset == nil)
        let first = try ask(&node, at: 0, offset: .seconds(5))
        #expect(first == true && node.offset == .seconds(5))
        let second = try ask(&node, at: 1, offset: .microseconds(5_000_999))
        #expect(second == false && node.offset == .seconds(5))
        let third = try ask(&node, at: 2, offset: .milliseconds(5001))
        #expect(third == true && node.offset == .milliseconds(5001))
    }

    @Test("does not change with a response that has no time or answers another request")
    func unchanged() throws {
        var node = node()
        let answer = try ask(&node, at: 0, offset: nil)
        #expect(answer == false && node.offset == nil)
        let other = node.receive(Response(), at: Instant(sinceEpoch: .seconds(1)))
        #expect(other == nil && node.offset == nil)
    }

    @Test("is unnecessary on the same machine, so a silent node there receives one request after a connection")
    func presence() {
        let now = Instant(sinceEpoch: .zero)
        var node = NodeTime(ownBoot: "own", requests: TimeRequests(name: "guest", seed: 1))
        var state = StateMessage()
        state.clock.now = BootTime(boot: "own", now: .zero)
        node.note(state, after: nil, at: now)
        node.isSilent = true
        node.connected(at: now)
        let id = node.consumeDue(at: now)
        #expect(node.offset == .zero && id != nil && node.nextInstant == now + .seconds(60))
    }
}
