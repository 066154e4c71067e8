import Foundation
import IoTNode
import Testing

/// The store in a process that is killed while it writes.
@Suite("The file store")
struct StoreKillTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    @Test("holds a whole document after each of 1,000 kills at any point of a write, and none older than promised")
    func kills() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileStore(directory: folder.path)
        // So that the child finds everything loaded.
        try store.save(Self.document(0))
        let progress = try SharedCounter()
        var random = SystemRandomNumberGenerator()
        var interrupted = 0
        for _ in 0..<1000 {
            let before = progress.value
            let writer = try fork { () -> Never in
                while true {
                    try? store.save(Self.document(progress.value + 1))
                    progress.value += 1
                }
            }
            try waitUntil("a first document") { progress.value > before }
            usleep(.random(in: 0..<1500, using: &random))
            kill(writer, SIGKILL)
            waitpid(writer, nil, 0)
            let document = try #require(try store.load())
            let number = try #require(Self.number(in: document), "a torn file of \(document.count) bytes")
            #expect((progress.value...progress.value + 1).contains(number))
            if FileManager.default.fileExists(atPath: folder.appending(path: "state.json.new").path) {
                interrupted += 1
            }
            progress.value = number
        }
        #expect(interrupted > 0, "no kill was within a write")
    }

    /// A document of some pages, each number of which has another length.
    private static func document(_ number: Int) -> [UInt8] {
        Array(String(repeating: "\(number) ", count: 1000 + number % 1000).utf8)
    }

    /// The number of a document that is whole.
    private static func number(in document: [UInt8]) -> Int? {
        let first = Int(String(decoding: document.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        return first.flatMap { Self.document($0) == document ? $0 : nil }
    }

    /// Runs a closure in a child process, which has to be killed.
    private func fork(_ body: () -> Never) throws -> pid_t {
        // Swift hides it, since little is safe in the child of a process with threads: here it only saves.
        typealias Function = @convention(c) () -> pid_t
        guard let symbol = unsafe dlsym(nil, "fork") else { throw TestFailure("no fork") }
        let child = unsafe unsafeBitCast(symbol, to: Function.self)()
        if child == 0 { body() }
        guard child > 0 else { throw TestFailure("fork: \(errorText(errno))") }
        return child
    }
}

/// A number that a child shares with its parent.
// SAFETY: the page is never unmapped; parent and child look at it in turn.
@safe
private struct SharedCounter {
    private let memory: UnsafeMutablePointer<Int>

    init() throws {
        let page = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let page = unsafe page, unsafe page != MAP_FAILED else { throw TestFailure("mmap: \(errorText(errno))") }
        unsafe memory = page.bindMemory(to: Int.self, capacity: 1)
    }

    var value: Int {
        get { unsafe memory.pointee }
        nonmutating set { unsafe memory.pointee = newValue }
    }
}
