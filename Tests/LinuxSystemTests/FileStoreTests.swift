import Foundation
import IoTNode
import NodePorts
import NodeTestSupport
import Testing

@testable import LinuxSystem
@testable import TimerProtocol

@Suite("A file store")
struct FileStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    private func withStore(_ body: (FileStore) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(FileStore(directory: folder.path))
    }

    private func content(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("has no document at first, and then the last one, after those that this process saved before it")
    func saves() throws {
        try withStore { store in
            #expect(try store.load() == nil)
            try store.save(Array("one".utf8))
            try store.save(Array("two".utf8))
            #expect(try content("\(folder.path)/state.json") == "one\ntwo")
            try FileStore(directory: folder.path).save(Array("another".utf8))
            #expect(try store.load() == Array("another".utf8))
            // Another process has replaced the file.
            try store.save(Array("mine".utf8))
            #expect(try store.load() == Array("mine".utf8))
            try FileManager.default.removeItem(at: folder)
            try store.save(Array("again".utf8))
            #expect(try store.load() == Array("again".utf8))
        }
    }

    @Test("begins a new file when the old one is full")
    func full() throws {
        try withStore { store in
            let document = [UInt8](repeating: 0x20, count: 1000)
            var sizes: [Int] = []
            for _ in 0..<100 {
                try store.save(document)
                sizes.append(try #require(try store.load()).count)
            }
            #expect(sizes[0] == 1000 && sizes[64] == 65_064 && sizes[65] == 1000)
            try store.save([UInt8](repeating: 0x20, count: 100_000))
            #expect(try store.load()?.count == 100_000)
        }
    }

    @Test("sets aside under a new name each time, and replaces nothing")
    func setsAside() throws {
        try withStore { store in
            for (number, name) in ["state.json.old", "state.json.old-2", "state.json.old-3"].enumerated() {
                try store.save(Array("state \(number)".utf8))
                #expect(try store.setAside(.document(suffix: "old")) == "\(folder.path)/\(name)")
                #expect(try store.load() == nil)
            }
            for (number, name) in ["timers.old.json", "timers.old-2.json"].enumerated() {
                let timers = Array("timers \(number)".utf8)
                #expect(try store.setAside(.edits(timers, suffix: "old")) == "\(folder.path)/\(name)")
            }
            #expect(try content("\(folder.path)/state.json.old") == "state 0")
            #expect(try content("\(folder.path)/state.json.old-3") == "state 2")
            #expect(try content("\(folder.path)/timers.old.json") == "timers 0")
            #expect(try content("\(folder.path)/timers.old-2.json") == "timers 1")
        }
    }

    @Test("refuses to write a document that is too large to read, and keeps the last one")
    func tooLarge() throws {
        try withStore { store in
            let largest = [UInt8](repeating: 0x20, count: StoreLimits.documentSize)
            for save in [store.save(_:), store.save(runs:)] {
                try save(largest)
                let error = #expect(throws: StoreError.self) { try save(largest + [0x20]) }
                #expect(error?.description.contains("would be 3145729 bytes, more than the limit of 3145728") == true)
            }
            #expect(try store.load() == largest && store.loadRuns() == largest)
        }
    }

    @Test("names the file, the step and the reason of a failure")
    func failures() throws {
        let store = FileStore(directory: "/proc/nothing")
        let error = #expect(throws: StoreError.self) { try store.save([1]) }
        #expect(error?.description == "cannot create /proc/nothing: No such file or directory")
        try withStore { store in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "state.json"), withIntermediateDirectories: true)
            let error = #expect(throws: StoreError.self) { try store.load() }
            #expect(error?.description == "cannot read \(folder.path)/state.json: it is not a regular file")
        }
    }

    @Test("gives files that root writes to the owner of the folder", .enabled(if: geteuid() == 0, "needs root"))
    func owner() throws {
        try withStore { store in
            try store.save([1])
            try FileManager.default.setAttributes(
                [.ownerAccountID: 61_234, .groupOwnerAccountID: 61_234], ofItemAtPath: folder.path)
            // Another process begins a new file.
            try FileStore(directory: folder.path).save([2])
            _ = try store.setAside(.edits([3], suffix: "aside"))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.count == 2)
            for file in files {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path)
                #expect(attributes[.ownerAccountID] as? Int == 61_234, "\(file)")
                #expect(attributes[.groupOwnerAccountID] as? Int == 61_234, "\(file)")
            }
        }
    }

    @Test("creates its folder and all missing parent folders")
    func parents() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(directory: "\(folder.path)/a/b/c/")
        #expect(try store.load() == nil)
        try store.save([1])
        #expect(try store.load() == [1])
        #expect(try content("\(folder.path)/a/b/c/state.json") == "\u{1}")
    }
}
