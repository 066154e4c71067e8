import Foundation
import NodeTestSupport
import Testing
import TimerEngine

@testable import TimerClient
@testable import TimerProtocol

@Suite("The download of a report")
struct RunsDownloadTests {
    private let start = Instant(sinceEpoch: .seconds(1))

    private func response(_ runs: [UUID], pages: Int) throws -> Response {
        let records = try runs.map { id in
            RunRecord(
                id: id, timer: TimerPath(group: 0, item: 0), name: "Talk", group: "", speaker: nil,
                startedAt: Date(timeIntervalSince1970: 0), endedAt: Date(timeIntervalSince1970: 50), used: .seconds(50),
                paused: .zero, over: .zero, start: 60, qualifying: try QualifyingTime(minimum: nil, maximum: nil),
                qualified: nil)
        }
        return Response(
            id: "a", command: "runs", outcome: .ok(mode: .stopped, remaining: 60),
            details: .runs(Response.RunsPage(runs: records, page: 1, pages: pages)))
    }

    private func refusal(_ code: Refusal.Code) -> Response {
        Response(id: "a", command: "runs", outcome: .error(Refusal(code, "no")))
    }

    @Test("requests one page after another, and has each run once")
    func pages() throws {
        var download = RunsDownload(at: start)
        let ids = (0..<5).map { _ in UUID() }
        #expect(download.question == .runs(.page(1)))
        #expect(download.receive(try response([ids[0], ids[1]], pages: 3), at: start) == .ask)
        #expect(download.question == .runs(.page(2)))
        #expect(download.receive(refusal(.rateLimited), at: start) == .wait(.seconds(1)))
        #expect(download.question == .runs(.page(2)))
        // Another run has ended, so the others have moved to later pages.
        #expect(download.receive(try response([ids[1], ids[2]], pages: 3), at: start) == .ask)
        #expect(download.receive(try response([ids[3]], pages: 3), at: start) == .done(isComplete: true))
        #expect(download.runs.map(\.id) == Array(ids.prefix(4)))
    }

    @Test("ends without runs if there are none")
    func empty() throws {
        var download = RunsDownload(at: start)
        #expect(download.receive(try response([], pages: 0), at: start) == .done(isComplete: true))
        #expect(download.receive(try response([], pages: 9), at: start) == .done(isComplete: true))
    }

    @Test("ends with the runs received so far if the report was cleared, and fails if the node refuses")
    func refused() throws {
        var download = RunsDownload(at: start)
        #expect(download.receive(refusal(.notFound), at: start) == .failed(Refusal(.notFound, "no")))
        #expect(download.receive(try response([UUID()], pages: 2), at: start) == .ask)
        #expect(download.receive(refusal(.notAllowed), at: start) == .failed(Refusal(.notAllowed, "no")))
        #expect(download.receive(refusal(.notFound), at: start) == .done(isComplete: true))
        let other = Response(id: "a", command: "runs", outcome: .ok(mode: .stopped, remaining: 60))
        #expect(download.receive(other, at: start) == .failed(nil))
    }

    @Test("ends if the node always refuses because of its rate limit, within the minute that a proxy waits")
    func alwaysLimited() throws {
        for pagesBefore in [0, 1] {
            var (download, now, count) = (RunsDownload(at: start), start, 0)
            if pagesBefore == 1 { #expect(download.receive(try response([UUID()], pages: 9), at: now) == .ask) }
            var step = download.receive(refusal(.rateLimited), at: now)
            while case .wait(let time) = step, count < 1000 {
                (now, count) = (now + time, count + 1)
                step = download.receive(refusal(.rateLimited), at: now)
            }
            let end: RunsDownload.Step =
                pagesBefore == 1 ? .done(isComplete: false) : .failed(Refusal(.rateLimited, "no"))
            #expect(step == end && download.runs.count == pagesBefore)
            #expect(start.duration(to: now) < .seconds(60) && count >= 40)
        }
    }

    @Test("ends even if a node keeps sending pages, however fast or slow they are", arguments: [0, 1, 5000])
    func endless(milliseconds: Int) throws {
        var (download, now, count) = (RunsDownload(at: start), start, 0)
        var step = RunsDownload.Step.ask
        while step == .ask, count < 1000 {
            (now, count) = (now + .milliseconds(milliseconds), count + 1)
            step = download.receive(try response([UUID()], pages: .max), at: now)
        }
        #expect(step == .done(isComplete: false) && download.runs.count == count)
        #expect(count <= 100 && start.duration(to: now) < .seconds(60))
    }

    @Test("contains all of the thousand runs on a node that accepts one command a second")
    func thousand() throws {
        var (download, now, step) = (RunsDownload(at: start), start, RunsDownload.Step.ask)
        var nextAllowed = start
        while step == .ask || step == .wait(.seconds(1)) {
            if case .wait(let time) = step { now = now + time }
            now = now + .milliseconds(20)
            if now < nextAllowed {
                step = download.receive(refusal(.rateLimited), at: now)
            } else {
                nextAllowed = now + .seconds(1)
                step = download.receive(try response((0..<25).map { _ in UUID() }, pages: 40), at: now)
            }
        }
        #expect(step == .done(isComplete: true) && download.runs.count == 1000)
    }
}
