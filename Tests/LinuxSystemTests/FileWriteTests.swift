import Foundation
import Testing

@testable import LinuxSystem

@Suite("A file that is replaced as a whole")
struct FileWriteTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID().uuidString)").path

    @Test("keeps the permissions of the previous one, even if they are unusual", arguments: [0o600, 0o666])
    func permissions(mode: Int) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try #require(
            FileManager.default.createFile(atPath: path, contents: Data(), attributes: [.posixPermissions: mode]))
        try File.write(Array("new".utf8), to: path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    }
}
