import Foundation
import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode
@testable import LinuxSystem
@testable import TimerProtocol

/// The runs of a node that is killed while it saves them.
@Suite("The report")
struct RunKillTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    @Test("has each run that began before any of 500 kills at any write, exactly once")
    func kills() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(directory: folder.path)
        let program = try SpawnedNode.builtProgram("store-writer")
        var random = SeededGenerator(printedFor: "RunKillTests.kills")
        // The run that was in progress when the process was killed.
        var unfinished: String?
        var (all, between, within) = (Set<String>(), 0, 0)
        for process in 1...500 {
            let writer = try ChildProcess(program, ["--runs", folder.path, "\(process)"])
            try writer.waitForLine("a first run") { _ in true }
            usleep(.random(in: 0..<12_000, using: &random))
            try #require(try writer.terminate(by: SIGKILL) == .signalled(SIGKILL), "\(writer.errors)")
            let begun = Set(writer.output + [unfinished].compactMap(\.self))

            let records = try store.loadRuns().map { try SavedRuns($0).runs } ?? []
            let ids = records.map { $0.id.uuidString.lowercased() }
            try #require(Set(ids).count == ids.count, "there is a duplicate run after \(process) kills")
            unfinished = try SavedNodeState(try #require(try store.load())).run?.uuidString.lowercased()
            let lost = begun.subtracting(ids).subtracting([unfinished].compactMap(\.self))
            try #require(lost.isEmpty, "\(lost) of \(begun.count) runs are lost after \(process) kills")
            all.formUnion(begun)
            if let unfinished, ids.contains(unfinished) { between += 1 }
            if FileManager.default.fileExists(atPath: folder.appending(path: "runs.json.new").path) { within += 1 }
        }
        print("\(all.count) runs; \(within) kills were within a write of the runs, \(between) before that of the state")
        #expect(within > 0 && between > 0, "no kill hit a critical moment")
    }
}
