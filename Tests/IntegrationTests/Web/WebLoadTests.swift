import Foundation
import Testing

/// How much many streams cost: the numbers are printed, and bounded generously, since a machine may be busy.
@Suite("timer-web with 500 streams")
struct WebLoadTests {
    private static let count = 500

    @Test("tells each of them soon what changes, and stays small")
    func many() throws {
        let served = try ServedNode()
        let web = served.web
        let alone = try web.residentMegabytes
        let streams = try (0..<Self.count).map { try web.stream("?node=lectern", from: UInt8(2 + $0 / 20)) }
        for stream in streams { try stream.waitForEvent("snapshot") }
        var ways: [Double] = []
        for round in 0..<20 {
            let text = "round \(round)"
            let counts = streams.map(\.received.count)
            let begin = ContinuousClock.now
            #expect(try web.command("message", #"{"text":"\#(text)"}"#).status == 200)
            var waiting = Set(streams.indices)
            while !waiting.isEmpty, ContinuousClock.now - begin < .seconds(30) {
                for place in waiting {
                    streams[place].read()
                    let new = streams[place].received[counts[place]...]
                    guard new.firstRange(of: Array(text.utf8)) != nil else { continue }
                    ways.append((ContinuousClock.now - begin) / .milliseconds(1))
                    waiting.remove(place)
                }
            }
            #expect(waiting.isEmpty)
        }
        ways.sort()
        let (median, p99) = (ways[ways.count / 2], ways[ways.count * 99 / 100])
        let memory = try web.residentMegabytes
        print(
            "a change at \(Self.count) streams: median \(median) ms, p99 \(p99) ms; resident \(alone) MiB without and",
            "\(memory) MiB with them")
        #expect(p99 < 3000)
        #expect(memory < 96)
    }
}
