import Foundation
import NodePorts
import NodeTestSupport
import Testing

@testable import LinuxSystem
@testable import NodeConfiguration
@testable import TimerProtocol

/// The folder belongs to the user of a service, and root runs the service by hand. Files that the user planted there
/// must not give access to any other files.
@Suite("A file store in a folder with planted files")
struct PlantedFileTests {
    private static let service = 61_234
    private static let isRoot = geteuid() == 0

    private let box = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
    private var folder: String { box.appending(path: "state").path }
    private var victim: String { box.appending(path: "victim").path }

    /// Runs a body with a store, in a folder of another user if possible, and creates a file that the store must not
    /// touch.
    private func withStore(_ body: (FileStore) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: box) }
        if Self.isRoot { try #require(unsafe lchown(folder, 61_234, 61_234) == 0) }
        try "secret".write(toFile: victim, atomically: false, encoding: .utf8)
        try body(FileStore(directory: folder))
    }

    private func owner(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
    }

    private func expectVictimUntouched() throws {
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "secret")
        #expect(try owner(victim) == Int(geteuid()))
    }

    enum Plant: CaseIterable {
        case link, hardLink, linkToNothing, pipe
    }

    private func plant(_ plant: Plant, as name: String) throws {
        let path = "\(folder)/\(name)"
        switch plant {
        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        case .hardLink: try FileManager.default.linkItem(atPath: victim, toPath: path)
        case .linkToNothing:
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim + ".new")
        case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
        }
        if Self.isRoot, plant != .hardLink { try #require(unsafe lchown(path, 61_234, 61_234) == 0) }
    }

    @Test("writes a new file, whatever was planted under its name", arguments: Plant.allCases)
    func save(planted: Plant) throws {
        try withStore { store in
            try plant(planted, as: "state.json.new")
            try store.save(Array("mine".utf8))
            try expectVictimUntouched()
            #expect(!FileManager.default.fileExists(atPath: victim + ".new"))
            #expect(try store.load() == Array("mine".utf8))
            #expect(try owner("\(folder)/state.json") == (Self.isRoot ? Self.service : Int(geteuid())))
        }
    }

    @Test("sets aside under another name", arguments: Plant.allCases)
    func setAside(planted: Plant) throws {
        try withStore { store in
            try plant(planted, as: "timers.old.json")
            #expect(try store.setAside(.edits([1], suffix: "old")) == "\(folder)/timers.old-2.json")
            try store.save([2])
            try plant(planted, as: "state.json.old")
            #expect(try store.setAside(.document(suffix: "old")) == "\(folder)/state.json.old-2")
            try expectVictimUntouched()
            #expect(!FileManager.default.fileExists(atPath: victim + ".new"))
        }
    }

    @Test(
        "neither reads a link nor waits for a pipe, and sets them aside as they are",
        arguments: [.link, .linkToNothing, .pipe] as [Plant])
    func load(planted: Plant) throws {
        try withStore { store in
            try plant(planted, as: "state.json")
            let error = #expect(throws: StoreError.self) { try store.load() }
            let reason = planted == .pipe ? "it is not a regular file" : "it is a link"
            #expect(error?.description == "cannot read \(folder)/state.json: \(reason)")
            _ = try store.setAside(.document(suffix: "old"))
            try store.save([1])
            #expect(try store.load() == [1])
            try expectVictimUntouched()
        }
    }

    @Test("follows a link to its folder; as root, only a link that root made")
    func folderLink() throws {
        try withStore { _ in
            let link = box.appending(path: "link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "state")
            let store = FileStore(directory: link + "/deeper")
            try store.save([1])
            #expect(try FileStore(directory: folder + "/deeper").load() == [1])
            guard Self.isRoot else { return }
            try #require(unsafe lchown(link, 61_234, 61_234) == 0)
            for fails in [{ _ = try store.load() }, { try store.save([2]) }] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self) { try fails() }
                #expect(
                    error?.description
                        == "cannot open \(link)/deeper: link is another user's link, which root does not follow"
                )
            }
            #expect(try FileStore(directory: folder + "/deeper").load() == [1])
        }
    }
}
