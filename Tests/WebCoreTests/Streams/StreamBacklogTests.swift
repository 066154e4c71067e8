import BrokerLink
import Testing
import TimerClient
import TimerEngine
import TimerProtocol

@testable import WebCore

@Suite("The backlog of a stream")
struct StreamBacklogTests {
    private func at(_ seconds: Double) -> Instant {
        Instant(sinceEpoch: .milliseconds(Int(seconds * 1000)))
    }

    @Test("is everything at first, and then all changes since the last write")
    func changes() throws {
        var (story, backlog) = (NodeStory(), StreamBacklog())
        story.say(.availability, "online")
        let first = backlog.take(story.snapshot, at: at(0))
        #expect(first?.everything == true && first?.since == nil)
        let position = story.snapshot.change
        story.say(.availability, "offline")
        story.say(.availability, "online")
        let whileWriting = backlog.take(story.snapshot, at: at(1))
        #expect(whileWriting == nil, "the first write is still in progress")
        backlog.wrote()
        let next = backlog.take(story.snapshot, at: at(2))
        #expect(next?.everything == false && next?.since == .init(position))
        backlog.wrote()
        let withoutNews = backlog.take(story.snapshot, at: at(3))
        #expect(withoutNews == nil, "nothing is new")
    }

    @Test("is the changes since a shared snapshot, but no event from before the stream")
    func sharedSnapshot() throws {
        var (story, backlog) = (NodeStory(), StreamBacklog())
        let event = { (left: Int) in
            #"{"event_type":"warning","from":"countdown","remaining":\#(left),"timer":"1/1","at":"2026-11-20T12:01:00Z"}"#
        }
        story.say(.availability, "online")
        let shared = story.snapshot.change
        story.say(.availability, "offline")
        story.say(.event, event(60))
        _ = backlog.take(story.snapshot, at: at(0))
        backlog.sends(snapshotOf: shared)
        story.say(.event, event(59))
        backlog.wrote()
        let next = backlog.take(story.snapshot, at: at(0))
        let since = try #require(next?.since)
        let events = try NodeStory.events(story.snapshot.events(since: since, for: Audience(role: .viewer)))
        try #require(events.map(\.name) == ["node", "event"])
        #expect(events[0].data["availability"] == "offline")
        #expect(events[1].data["event"]?["remaining"] == 59)
        backlog.wrote()
        let withoutNews = backlog.take(story.snapshot, at: at(1))
        #expect(withoutNews == nil, "nothing is new")
    }

    @Test("waits ten seconds for its reader, which then counts as stuck")
    func stuck() {
        var backlog = StreamBacklog()
        #expect(!backlog.isStuck(at: at(100)))
        _ = backlog.take(Snapshot(), at: at(100))
        #expect(!backlog.isStuck(at: at(109.9)))
        #expect(backlog.isStuck(at: at(110)))
        backlog.progressed(at: at(110))
        #expect(!backlog.isStuck(at: at(119.9)))
        #expect(backlog.isStuck(at: at(120)))
        backlog.wrote()
        #expect(!backlog.isStuck(at: at(200)))
    }

    @Test("includes pings and commands for a display, the newest of each once")
    func others() {
        var backlog = StreamBacklog()
        _ = backlog.take(Snapshot(), at: at(0))
        backlog.addPing()
        backlog.addPing()
        backlog.addBlackout(true)
        backlog.addBlackout(false)
        backlog.addIdentify()
        backlog.addName("Lobby")
        backlog.addDisplays()
        let whileWriting = backlog.take(Snapshot(), at: at(1))
        #expect(whileWriting == nil)
        backlog.wrote()
        let batch = backlog.take(Snapshot(), at: at(1))
        #expect(
            batch
                == StreamBacklog.Batch(
                    everything: false, since: nil, identify: true, blackout: false, name: "Lobby", displays: true,
                    ping: true))
        backlog.wrote()
        let afterAll = backlog.take(Snapshot(), at: at(2))
        #expect(afterAll == nil)
    }

    @Test("is everything again after the broker is back, and after more nodes were removed than are remembered")
    func resync() {
        var (story, backlog) = (NodeStory(), StreamBacklog())
        story.say(.availability, "online")
        _ = backlog.take(story.snapshot, at: at(0))
        backlog.wrote()
        story.disconnect()
        let lost = backlog.take(story.snapshot, at: at(1))
        #expect(lost?.since != nil && lost?.everything == false)
        backlog.wrote()
        story.connect()
        let afterReturn = backlog.take(story.snapshot, at: at(2))
        #expect(afterReturn?.everything == true)
        backlog.wrote()
        for number in 0...Snapshot.keptRemovals {
            story.say(.availability, "online", node: "n\(number)")
            story.say(.availability, "", node: "n\(number)")
        }
        let afterManyLeft = backlog.take(story.snapshot, at: at(3))
        #expect(afterManyLeft?.everything == true)
    }
}

@Suite("The slots for streams")
struct StreamLimitsTests {
    @Test("leave nothing behind when they are released, so old clients cost nothing")
    func givenBack() {
        var limits = StreamLimits()
        let clients: [IPAddress?] = [IPAddress("192.0.2.1"), IPAddress("2001:db8::1"), nil]
        for client in clients + clients {
            let isTaken = limits.take(.viewer, from: client)
            #expect(isTaken)
        }
        for client in clients + clients { limits.giveBack(from: client) }
        #expect(limits == StreamLimits())
    }

    @Test("are reserved for remotes and operators at the end")
    func reserved() {
        var limits = StreamLimits(total: 10, reserved: 3, perAddress: 100)
        for _ in 0..<7 {
            let isAdmitted = limits.take(.viewer, from: IPAddress("192.0.2.1"))
            #expect(isAdmitted)
        }
        let isViewerAdmitted = limits.take(.viewer, from: IPAddress("192.0.2.2"))
        #expect(!isViewerAdmitted)
        for _ in 0..<3 {
            let isRemoteAdmitted = limits.take(.remote, from: IPAddress("192.0.2.2"))
            #expect(isRemoteAdmitted)
        }
        let isOperatorAdmitted = limits.take(.operator, from: IPAddress("192.0.2.3"))
        #expect(!isOperatorAdmitted)
        limits.giveBack(from: IPAddress("192.0.2.1"))
        let isViewerAdmittedAgain = limits.take(.viewer, from: IPAddress("192.0.2.3"))
        #expect(!isViewerAdmittedAgain, "nine are taken, and two of them are reserved")
        let isOperatorAdmittedAgain = limits.take(.operator, from: IPAddress("192.0.2.3"))
        #expect(isOperatorAdmittedAgain)
    }

    @Test("are limited to twenty for each address")
    func perAddress() {
        var limits = StreamLimits()
        for _ in 0..<20 {
            let isAdmitted = limits.take(.viewer, from: IPAddress("192.0.2.1"))
            #expect(isAdmitted)
        }
        let isAdmittedBeyond = limits.take(.operator, from: IPAddress("192.0.2.1"))
        #expect(!isAdmittedBeyond)
        let isSharedAdmitted = limits.take(.operator, from: IPAddress("192.0.2.1"), isShared: true)
        #expect(isSharedAdmitted, "many clients have this address")
        limits.giveBack(from: IPAddress("192.0.2.1"))
        let isOtherAdmitted = limits.take(.viewer, from: IPAddress("192.0.2.2"))
        #expect(isOtherAdmitted)
        limits.giveBack(from: IPAddress("192.0.2.1"))
        let isAdmittedAgain = limits.take(.viewer, from: IPAddress("192.0.2.1"))
        #expect(isAdmittedAgain)
    }

    @Test("are limited to twenty for each phone in a hall with IPv6, and to a thousand for all addresses of a machine")
    func perNetwork() {
        var limits = StreamLimits()
        let addresses = (1...51).map { IPAddress("2001:db8::\(String($0, radix: 16))") }
        for address in addresses.prefix(50) {
            for _ in 0..<20 {
                let isAdmitted = limits.take(.viewer, from: address)
                #expect(isAdmitted)
            }
        }
        let isAdmittedBeyond = limits.take(.viewer, from: addresses[50])
        #expect(!isAdmittedBeyond)
        let isOtherAdmitted = limits.take(.viewer, from: IPAddress("2001:db8:0:1::1"))
        #expect(isOtherAdmitted)
        limits.giveBack(from: addresses[0])
        let isAdmittedAgain = limits.take(.viewer, from: addresses[50])
        #expect(isAdmittedAgain)
    }
}
