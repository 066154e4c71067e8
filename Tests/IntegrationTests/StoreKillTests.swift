import Foundation
import NodeTestSupport
import TestSupport
import Testing

@testable import LinuxSystem

/// The store of a process that is killed while it writes.
@Suite("The file store")
struct StoreKillTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    @Test("holds a whole document after each of 1,000 kills at any point in a write, and none older than reported")
    func kills() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(directory: folder.path)
        let program = try SpawnedNode.builtProgram("store-writer")
        var random = SeededGenerator(printedFor: "StoreKillTests.kills")
        var saved = 0
        var interrupted = 0
        for _ in 0..<1000 {
            let writer = try ChildProcess(program, [folder.path, "\(saved + 1)"])
            try writer.waitForLine("a first document") { _ in true }
            usleep(.random(in: 0..<1500, using: &random))
            try #require(try writer.terminate(by: SIGKILL) == .signalled(SIGKILL), "\(writer.errors)")
            let promised = try #require(writer.output.last.flatMap { Int($0) })
            let document = try #require(try store.load())
            let number = try #require(
                NumberedDocument.number(in: document), "no complete document in \(document.count) bytes")
            // The last document may be in place even though its writer was killed before it could report that.
            #expect((promised...promised + 1).contains(number))
            let isBeginning = FileManager.default.fileExists(atPath: folder.appending(path: "state.json.new").path)
            if isBeginning || !NumberedDocument.isComplete(document) { interrupted += 1 }
            saved = number
        }
        #expect(interrupted > 0, "no kill hit a write")
    }
}
