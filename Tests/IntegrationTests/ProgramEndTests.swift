import Foundation
import Testing

@Suite("A program that exits")
struct ProgramEndTests {
    @Test("runs no library destructors, since a thread that is still connecting may be inside OpenSSL")
    func handlers() throws {
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: ["mqtt://127.0.0.1:1"]}
            """, environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": "FOLDER/linker"])
        #expect(try node.process.terminate() == .exited(0))
        // The dynamic linker reports which libraries it initialises, and which it finalises when a program calls
        // exit().
        let report = try String(contentsOfFile: node.path("linker.\(node.process.pid)"), encoding: .utf8)
        #expect(report.contains("calling init: ") && report.contains("libmosquitto"))
        #expect(!report.contains("calling fini: "))
    }

    @Test("writes its whole output, on the right stream, and exits with the right code")
    func output() throws {
        let help = try SpawnedNode.run("--help")
        #expect(help.status == .exited(0) && help.output.contains { $0.contains("USAGE") } && help.errors.isEmpty)
        let wrong = try SpawnedNode.run("dance")
        #expect(wrong.status == .exited(64) && wrong.output.isEmpty && wrong.errors.contains { $0.contains("dance") })
        let reference = try SpawnedNode.run("configuration-reference")
        #expect(reference.status == .exited(0) && reference.output.count > 100)
    }
}
