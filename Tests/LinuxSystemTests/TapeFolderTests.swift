import Foundation
import NodePorts
import NodeTestSupport
import Testing

@testable import LinuxSystem

@Suite("The files of a tape")
struct TapeFolderTests {
    @Test("are a ring: the oldest are removed so that all together are no larger than their limit")
    func ring() throws {
        try withTemporaryFolder { path in
            for process in 0..<2 {
                // A later process continues the ring.
                var folder = TapeFolder(directory: path + "/tape", size: 1000)
                for segment in 0..<10 {
                    try folder.begin(room: 250)
                    try folder.append([UInt8](repeating: UInt8(process * 10 + segment), count: 250))
                }
            }
            #expect(try TapeFolder.read(path + "/tape").map { $0[0] } == [16, 17, 18, 19])
            #expect(try TapeFolder.read(path + "/tape").allSatisfy { $0.count == 250 })
        }
    }

    @Test("leave other files in the folder alone")
    func others() throws {
        try withTemporaryFolder { path in
            let others = ["tape-1", "tape-0000000x", "state.json"]
            for other in others { try Data("x".utf8).write(to: URL(filePath: "\(path)/\(other)")) }
            var folder = TapeFolder(directory: path, size: 10)
            for _ in 0..<3 {
                try folder.begin(room: 10)
                try folder.append([UInt8](repeating: 0, count: 10))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(Set(names) == Set(others + ["tape-00000003"]))
        }
    }

    @Test("are complete once their writer has ended, and say why they cannot be written")
    func background() throws {
        try withTemporaryFolder { path in
            var tape: BackgroundTape? = try BackgroundTape(directory: path + "/tape", size: 1000, segmentSize: 250)
            tape?.beginSegment([1, 2], runs: nil) { $0 }
            try tape?.append([3])
            try tape?.append([4, 5])
            let full = [UInt8](repeating: 6, count: 250)
            #expect(throws: StoreError("cannot write the tape: the disk is too slow")) { try tape?.append(full) }
            #expect(throws: StoreError.self) { try tape?.append([7]) }
            tape?.beginSegment([8], runs: nil) { $0 }
            try tape?.append([9])
            tape = nil
            #expect(try TapeFolder.read(path + "/tape") == [[1, 2, 3, 4, 5], [8, 9]])
        }
    }
}
