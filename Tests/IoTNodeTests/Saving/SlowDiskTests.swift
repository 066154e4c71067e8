import FoundationEssentials
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A node whose disk is slow")
struct SlowDiskTests {
    /// A connected node whose writes each take the given time.
    private func node(
        _ time: Duration = .milliseconds(600), saved: [UInt8]? = nil,
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> Scenario {
        var node = try Scenario(saved: saved) {
            $0.storage = .init(directory: "/nowhere")
            $0.mqtt?.commandRate = 1000
            configure(&$0)
        }
        node.wait(.seconds(1))
        node.diskTime = time
        return node
    }

    /// The next node, started at a time after the beginning.
    private func restored(_ document: [UInt8]?, after passed: Duration = .seconds(60)) throws -> Scenario {
        try Scenario(saved: document, after: passed) { $0.storage = .init(directory: "/nowhere") }
    }

    @Test("does 100 edits and a pause at once, with few saves: the newest state is kept")
    func burst() throws {
        var node = try node()
        node.send("start")
        let before = node.saved.count
        for number in 1...100 { #expect(node.send("edit", #"{"name":"Talk \#(number)"}"#)?["status"] == "ok") }
        #expect(node.send("pause")?["status"] == "ok")
        #expect(node.diary.last { $0.contains(" mode ") } == "1 mode paused")
        node.wait(.seconds(10))
        // The saves are the one at the start, which was in progress, and the newest one.
        #expect(node.saved.count == before + 2)
        let next = try restored(node.saved.last)
        #expect(next.core.timer.player.name == "Talk 100")
        #expect(next.core.timer.player.mode.isPaused)
    }

    @Test("keeps every lamp and message on time, whatever is saved meanwhile")
    func onTime() throws {
        let story = { (time: Duration) in
            var node = try node(time)
            node.send("start")
            for number in 1...30 {
                node.wait(.milliseconds(250))
                node.send("edit", #"{"name":"Talk \#(number)"}"#)
            }
            return node.story
        }
        #expect(try story(.milliseconds(600)) == story(.zero))
    }

    @Test("sets an unusable state aside once, and saves nothing until that is done")
    func setsAside() throws {
        var node = try Scenario(connected: false, saved: [1, 2, 3], diskTime: .seconds(2)) {
            $0.storage = .init(directory: "/nowhere")
        }
        node.accept()
        node.send("start")
        node.wait(.seconds(1))
        node.send("pause")
        #expect(node.setAside.isEmpty && node.saved.isEmpty)
        node.wait(.seconds(2))
        #expect(node.setAside.count == 1 && node.saved.isEmpty)
        node.wait(.seconds(10))
        #expect(node.setAside.count == 1 && node.saved.count == 1)
        #expect(try restored(node.saved.last).core.timer.player.mode.isPaused)
    }

    @Test("that is stopped is dark at once, and exits when its last state is on the disk")
    func stop() throws {
        var node = try node(.milliseconds(400))
        node.send("start")
        node.wait(.milliseconds(100))
        node.happens(.terminate)
        #expect(node.levels == nil && !node.isConnected)
        #expect(!node.hasExited)
        // The save at the start takes another 300 ms, and then the last state is saved.
        node.wait(.milliseconds(690))
        #expect(!node.hasExited)
        // No other event matters now.
        for event in [.terminate, .reloadRequested, .wallClockSet, .chipsChanged, .timePassed] as [NodeEvent] {
            node.happens(event)
        }
        #expect(!node.hasExited && node.reloads == 0)
        node.wait(.milliseconds(20))
        #expect(node.hasExited)
        #expect(!node.logs.contains { $0.contains("not saved") })
        let next = try restored(node.saved.last, after: .milliseconds(1100))
        #expect(next.state?["precise_remaining"] == .number(5.9))
    }

    @Test(
        "that is stopped exits after 900 ms, and logs that, if the disk takes longer",
        arguments: [600, 1_000_000])
    func stopWithHangingDisk(milliseconds: Int) throws {
        var node = try node(.milliseconds(milliseconds))
        node.send("start")
        node.wait(.milliseconds(100))
        node.happens(.terminate)
        node.wait(.milliseconds(890))
        #expect(!node.hasExited)
        node.wait(.milliseconds(10))
        #expect(node.hasExited)
        #expect(node.logs.last?.contains("the last state was not saved: the disk took longer than 900 ms") == true)
    }

    @Test("that is stopped exits if the disk has an error instead")
    func stopWithFault() throws {
        var node = try node(.milliseconds(200))
        node.storeFault = StoreError("cannot write: No space left on device")
        node.happens(.terminate)
        node.wait(.milliseconds(200))
        #expect(node.hasExited)
        #expect(node.logs.last == "cannot save the state: cannot write: No space left on device")
    }

    @Test("that is stopped in the middle of setting aside saves afterwards, and then exits")
    func stopWhileSettingAside() throws {
        var node = try Scenario(connected: false, saved: [1, 2, 3], diskTime: .milliseconds(300)) {
            $0.storage = .init(directory: "/nowhere")
        }
        node.happens(.terminate)
        node.wait(.milliseconds(599))
        #expect(!node.hasExited && node.setAside.count == 1)
        node.wait(.milliseconds(1))
        #expect(node.hasExited && node.setAside.count == 1 && node.saved.count == 1)
    }

    @Test("that is stopped just before its run is over saves a state that the next process resumes")
    func stopBeforeZero() throws {
        let configure = { (configuration: inout NodeConfiguration) in
            configuration.storage = .init(directory: "/nowhere")
        }
        var node = try Scenario(
            60, 0, 0, saved: [1, 2, 3], storeFault: StoreError("cannot rename: read-only"),
            diskTime: .milliseconds(450), configure: configure)
        node.wait(.milliseconds(850))
        node.send("start")
        node.storeFault = nil
        // The save is retried 60 s after it failed, at 60.45 s; the run is over at 60.85 s, during the retry.
        node.wait(.milliseconds(59_900))
        node.happens(.terminate)
        node.wait(.seconds(1))
        #expect(node.hasExited && node.setAside.count == 1 && !node.saved.isEmpty)
        let next = try Scenario(saved: node.saved.last, after: .seconds(65), configure: configure)
        #expect(next.setAside.isEmpty, "\(next.logs)")
    }

    @Test("tries again a minute after its newest save failed, but not after an older one did")
    func failures() throws {
        var node = try node(.milliseconds(100))
        node.storeFault = StoreError("cannot write: busy")
        node.send("start")
        node.send("pause")
        node.wait(.milliseconds(100))
        node.storeFault = nil
        node.wait(.milliseconds(100))
        #expect(node.logs.suffix(2) == ["cannot save the state: cannot write: busy", "the state can be saved again"])
        let count = node.saved.count
        node.wait(.seconds(120))
        #expect(node.saved.count == count)
    }

    /// The speakers of the runs on the disk, oldest first.
    private func savedSpeakers(_ node: Scenario) throws -> [String?] {
        try SavedRuns(try #require(node.savedRuns)).runs.map(\.speaker)
    }

    /// Sets the speaker of the last run.
    private func amend(_ node: inout Scenario, _ speaker: String) throws {
        let runs = try RunsMessage(Array(try #require(node.last("runs")).utf8)).runs
        let id = try #require(runs.first).id
        #expect(node.send("runs", #"{"run":"\#(id)","speaker":"\#(speaker)"}"#)?["status"] == "ok")
    }

    @Test("saves its runs once, and not again while they are being written or afterwards")
    func runsUnderWay() throws {
        var node = try node()
        node.send("start")
        node.wait(.seconds(3))
        let (saves, runsSaves) = (node.saved.count, node.runsSaves)
        node.send("stop")
        for _ in 1...5 {
            node.wait(.milliseconds(100))
            node.send("state")
        }
        node.wait(.seconds(5))
        #expect(node.saved.count == saves + 1 && node.runsSaves == runsSaves + 1)
        node.send("edit", #"{"name":"Other"}"#)
        node.wait(.seconds(5))
        #expect(node.saved.count == saves + 2 && node.runsSaves == runsSaves + 1)
        let next = try Scenario(saved: node.saved.last, savedRuns: node.savedRuns, after: .seconds(60)) {
            $0.storage = .init(directory: "/nowhere")
        }
        #expect(next.runsSaves == 0, "nor after a restart")
    }

    @Test("saves runs only once if they changed while older ones were being written")
    func runsChangedUnderWay() throws {
        var node = try node()
        node.send("start")
        node.wait(.seconds(3))
        let (saves, runsSaves) = (node.saved.count, node.runsSaves)
        node.send("stop")
        node.wait(.milliseconds(100))
        try amend(&node, "Ada")
        // The older runs are on the disk, but the newer ones are not.
        node.wait(.milliseconds(600))
        #expect(node.saved.count == saves + 1)
        #expect(try savedSpeakers(node) == [nil])
        for _ in 1...3 {
            node.send("state")
            node.wait(.milliseconds(100))
        }
        node.wait(.seconds(5))
        #expect(node.saved.count == saves + 2 && node.runsSaves == runsSaves + 2)
        #expect(try savedSpeakers(node) == ["Ada"])
        node.send("edit", #"{"name":"Other"}"#)
        node.wait(.seconds(5))
        #expect(node.runsSaves == runsSaves + 2)
    }

    @Test("retries runs that could not be written")
    func runsFailed() throws {
        var node = try node()
        node.send("start")
        node.wait(.seconds(3))
        node.send("stop")
        node.wait(.milliseconds(100))
        node.storeFault = StoreError("cannot write: busy")
        node.wait(.seconds(1))
        #expect(node.savedRuns == nil)
        node.storeFault = nil
        node.wait(.seconds(65))
        #expect(try savedSpeakers(node) == [nil])
    }

    @Test("retries runs that could not be written, even if older ones could")
    func changedRunsFailed() throws {
        var node = try node()
        node.send("start")
        node.wait(.seconds(3))
        node.send("stop")
        node.wait(.milliseconds(100))
        try amend(&node, "Ada")
        node.wait(.milliseconds(600))
        node.storeFault = StoreError("cannot write: busy")
        node.wait(.seconds(1))
        #expect(try savedSpeakers(node) == [nil])
        node.storeFault = nil
        node.wait(.seconds(65))
        #expect(try savedSpeakers(node) == ["Ada"])
    }

    @Test("sets pending edits aside in the new folder when the folder changes")
    func otherFolder() throws {
        var edited = try node(.zero)
        edited.send("edit", #"{"start":30}"#)
        var node = try Scenario(
            saved: edited.saved.last, after: .seconds(60), storeFault: StoreError("cannot create: read-only")
        ) {
            $0.storage = .init(directory: "/read-only")
            $0.timers = .init(name: "New", thresholds: Thresholds.zero.setting(start: 90))
        }
        #expect(node.setAside.isEmpty)
        node.storeFault = nil
        var configuration = node.core.configuration
        configuration.storage = .init(directory: "/elsewhere")
        node.reload(.success(.init(configuration)))
        #expect(node.setAside.count == 1 && !node.saved.isEmpty)
    }
}
