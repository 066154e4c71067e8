import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("A saved player")
struct SavedPlayerTests {
    /// An object that contains only a time.
    private struct Time: Record, Equatable {
        var time = Duration.zero

        mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
            try visitor.field("time", &time, .exact, "A time.")
        }
    }

    private func read(_ text: String) throws -> Duration { try Time.read(Array(#"{"time":\#(text)}"#.utf8)).time }

    @Test("has times in the format of the standard library, and reads them to the nanosecond")
    func times() throws {
        var random = SeededGenerator()
        let longest = Int64(10_000 * 366 * 86_400)
        for _ in 0..<10_000 {
            let time = Time(
                time: .seconds(Int64.random(in: -longest + 1..<longest, using: &random))
                    + .nanoseconds(Int.random(in: 0..<1_000_000_000, using: &random)))
            #expect(try Time.read(time.json()) == time)
        }
        // As `JSONEncoder` of Swift 6.3 writes 1.5 s, -1 ns and 1,000,018.5 s.
        #expect(try read("[0,1500000000000000000]") == .milliseconds(1500))
        #expect(try read("[-1,18446744072709551616]") == .nanoseconds(-1))
        #expect(Time(time: .nanoseconds(-1)).json() == Array(#"{"time":[-1,18446744072709551616]}"#.utf8))
    }

    @Test(
        "with a time that no clock reaches is refused before any arithmetic",
        arguments: [
            "[9223372036854775807,18446744073709551615]", "[-9223372036854775808,0]", "[9223372036854775807,0]",
            "[100000000000,0]", "[1e300,0]", "[0.5,0]", "[0,-1]", "[0,1e300]", #"["0",0]"#, "[]", "[0]", "0",
        ])
    func farTimes(_ far: String) { #expect(throws: PayloadError.self) { try read(far) } }

    @Test("is the same after writing and reading, in each state")
    func roundTrip() throws {
        func at(_ seconds: Int) -> Instant { .init(sinceEpoch: .seconds(seconds)) }
        var player = TimerPlayer(
            try TimerModel(groups: [TimerGroup(timers: [TimerItem(thresholds: .init(start: 60))])]))
        func check() throws { #expect(try TimerPlayer.read(player.json()) == player) }
        try check()
        _ = try player.start(at: at(100))
        try check()
        _ = try player.pause(at: at(110))
        try check()
        _ = try player.resume(at: at(120))
        _ = player.advance(to: at(200))
        try check()
        _ = player.stop(at: at(210))
        try check()
        _ = try player.start(.init(thresholds: .init(start: 30, warning: 10), name: "Break"), at: at(300))
        try check()
    }

    @Test("keeps what is left in the accounts of its timers, in the order of the timers' ids")
    func accounts() throws {
        func at(_ seconds: Int) -> Instant { .init(sinceEpoch: .seconds(seconds)) }
        let ids = try (1...4).map { try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")) }
        let timers = try ids.map { TimerItem(id: $0, thresholds: try .init(start: 60), carry: true) }
        var player = TimerPlayer(try TimerModel(groups: [TimerGroup(timers: timers)]))
        for item in timers.indices {
            _ = try player.start(TimerPath(group: 0, item: item), at: at(100 * item))
            _ = player.stop(at: at(100 * item + 10 + item))
        }
        let saved = player.json()
        let restored = try TimerPlayer.read(saved)
        #expect(restored == player)
        #expect(restored.countdown.remaining(at: at(1000)) == .seconds(47))
        let json = try JSON(parsing: saved)
        let order = (1...4).compactMap { json.value(at: "accounts[\($0)].timer") }
        #expect(order == ids.map { JSON.string($0.uuidString) })
    }

    @Test("that is invalid is refused with a reason")
    func refused() throws {
        let text = String(decoding: TimerPlayer().json(), as: UTF8.self)
        let other = text.replacing(
            #""countdown":{"thresholds":{"start":0"#, with: #""countdown":{"thresholds":{"start":1"#)
        let error = #expect(throws: PayloadError.self) { try TimerPlayer.read(Array(other.utf8)) }
        #expect(error?.description == "not a saved player: its countdown is not the selected timer's")
    }
}
