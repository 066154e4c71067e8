import Foundation
import TestSupport
import Testing

@Suite("docs/promises.md")
struct PromisesPageTests {
    /// The contents of the files of tests, by name without `.swift`.
    private func testFiles() throws -> [String: String] {
        let folder = URL(filePath: repositoryFile("Tests"))
        var files: [String: String] = [:]
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            files[file.deletingPathExtension().lastPathComponent, default: ""] += try String(
                contentsOf: file, encoding: .utf8)
        }
        return files
    }

    @Test("has a test for each promise, and names only tests that exist")
    func tests() throws {
        let (page, files) = (try Page("docs/promises.md"), try testFiles())
        var promises = 0
        for heading in page.lines where heading.hasPrefix("## ") {
            for row in try page.table(heading) {
                let tests = row[1].matches(of: /`(\w+)` "([^"]*)"/)
                #expect(!tests.isEmpty, "\(row[0])")
                for test in tests {
                    let (file, name) = (String(test.1), test.2)
                    #expect(files[file]?.contains("\"\(name)\"") == true, "\(file) has no test \"\(name)\"")
                }
                promises += 1
            }
        }
        #expect(promises >= 30)
    }
}
