import FoundationEssentials
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A saved state that cannot be used")
struct SetAsideTests {
    private func document() throws -> [UInt8] {
        var node = try Scenario { $0.storage = .init(directory: "/nowhere") }
        node.send("start")
        return try #require(node.saved.last)
    }

    private func node(
        _ document: [UInt8]?, fault: StoreError? = nil, configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> Scenario {
        try Scenario(saved: document, storeFault: fault) {
            $0.storage = .init(directory: "/nowhere")
            configure(&$0)
        }
    }

    @Test("has the checksum known as CRC-32")
    func checksum() {
        #expect(SavedDocument.checksum(of: Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(SavedDocument.checksum(of: []) == 0)
    }

    @Test("is read back as it was written")
    func roundTrip() throws {
        let document = try document()
        #expect(document.starts(with: Array("timer-node-state 1 ".utf8)))
        let node = try node(document)
        #expect(node.last("mode") == "countdown")
        #expect(node.setAside.isEmpty)
    }

    @Test("is rewritten with other JSON in each of its documents")
    func rewritten() {
        func file(_ texts: [String]) -> [UInt8] {
            Array(texts.map { SavedDocument.state.seal(Array($0.utf8)) }.joined(separator: [UInt8(ascii: "\n")]))
        }
        let rewritten = SavedDocument.rewriting(file(["1", "2"])) { [UInt8(ascii: "-")] + $0 }
        #expect(rewritten == file(["-1", "-2"]))
    }

    @Test("is set aside wherever it was truncated, with one warning, and then replaced")
    func torn() throws {
        let document = try document()
        for length in 0..<document.count {
            let node = try node(Array(document[..<length]))
            #expect(node.setAside == [.document(suffix: "set-aside-2023-11-14T221320Z")])
            #expect(node.logs.count { $0.contains("kept the old file as a file") } == 1, "\(node.logs)")
            #expect(node.saved.count == 1)
            #expect(node.last("mode") == "stopped")
        }
    }

    @Test("is ignored if it was truncated after a complete one")
    func tornAfterAnother() throws {
        let stopped = try Scenario { $0.storage = .init(directory: "/nowhere") }
        let (earlier, document) = (try #require(stopped.saved.last), try document())
        for length in 0...document.count {
            let node = try node(earlier + [UInt8(ascii: "\n")] + document[..<length])
            #expect(node.setAside.isEmpty)
            #expect(node.last("mode") == (length < document.count ? "stopped" : "countdown"), "\(length)")
        }
        let node = try node(
            earlier + [UInt8(ascii: "\n")] + Array(document[..<100]) + [UInt8](repeating: 0, count: document.count))
        #expect(node.last("mode") == "stopped")
    }

    @Test("is set aside with any one bit changed")
    func flipped() throws {
        let document = try document()
        for index in document.indices {
            var changed = document
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(try node(changed).setAside.count == 1, "byte \(index)")
        }
    }

    @Test(
        "is described in the warning",
        arguments: [
            ("", "the saved state was not written by timer-node; kept the old file as a file"),
            ("{}", "the saved state was not written by timer-node; kept the old file as a file"),
            (
                "timer-node-state 0 whatever\nno version",
                "the saved state was not written by timer-node; kept the old file as a file"
            ),
            (
                "timer-node-state 2 whatever\nsomething new",
                "the saved state has version 2, but only 1 is supported; kept the old file as a file"
            ),
            (
                "timer-node-state 1 00000000\n{}",
                "the saved state is damaged: its checksum does not match; kept the old file as a file"
            ),
        ])
    func warning(text: String, warning: String) throws {
        #expect(try node(Array(text.utf8)).logs.contains(warning))
    }

    @Test("is set aside when it is undamaged but invalid")
    func senseless() throws {
        let node = try node(SavedDocument.state.seal(Array(#"{"boot":1}"#.utf8)))
        #expect(node.setAside.count == 1)
        #expect(node.logs.contains { $0.hasPrefix("the saved state is invalid: ") })
    }

    @Test("is never replaced while it cannot be set aside; the node continues and tries again")
    func readOnly() throws {
        var node = try node([1, 2, 3], fault: StoreError("cannot rename: read-only"))
        node.send("start")
        node.wait(.seconds(3))
        #expect(node.lit == "yellow")
        #expect(node.logs.count { $0.contains("read-only") } == 1)
        #expect(node.saved.isEmpty && node.setAside.isEmpty)
        node.storeFault = nil
        node.wait(.seconds(60))
        #expect(node.setAside.count == 1 && !node.saved.isEmpty)
    }

    @Test("a full disk causes one warning, and one line when it is no longer full")
    func full() throws {
        var node = try node(nil, fault: StoreError("cannot write state.json: No space left on device"))
        node.send("start")
        node.wait(.seconds(200))
        #expect(node.last("mode") == "alarm")
        #expect(node.logs.count { $0.contains("No space left") } == 1)
        node.storeFault = nil
        node.wait(.seconds(60))
        #expect(node.saved.count == 1)
        #expect(node.logs.last == "the state can be saved again")
        let count = node.logs.count
        node.send("stop")
        #expect(node.logs.count == count)
    }

    // MARK: - Edits

    private func edited() throws -> [UInt8] {
        var node = try node(nil)
        node.send("edit", #"{"start":30}"#)
        return try #require(node.saved.last)
    }

    @Test("edits survive a restart")
    func editsStay() throws {
        let node = try node(edited())
        #expect(node.state?["start"] == 30)
        #expect(node.setAside.isEmpty)
    }

    @Test("edits are set aside, as a payload for the timers command, once the file has other timers")
    func editsSetAside() throws {
        let node = try node(edited()) {
            $0.timers = .init(name: "New", thresholds: Thresholds.zero.setting(start: 90))
        }
        #expect(node.state?["start"] == 90)
        guard case .edits(let payload, _)? = node.setAside.first else {
            Issue.record("nothing was set aside")
            return
        }
        #expect(node.logs.count { $0.contains("kept the edits as a file") } == 1)
        var other = try self.node(nil)
        #expect(other.send("timers", String(decoding: payload, as: UTF8.self))?["status"] == "ok")
        #expect(other.state?["start"] == 30)
    }

    @Test("without edits nothing is set aside when the file has other timers")
    func noEdits() throws {
        let node = try node(document()) {
            $0.timers = .init(name: "New", thresholds: Thresholds.zero.setting(start: 90))
        }
        #expect(node.setAside.isEmpty)
        #expect(node.state?["start"] == 90)
        #expect(node.last("mode") == "countdown", "and it continues to run")
    }

    @Test("edits are set aside at once by reset_timers, even if timers are read-only", arguments: [false, true])
    func reset(isReadOnly: Bool) throws {
        var node = try node(edited()) { $0.timers.isReadOnly = isReadOnly }
        #expect(node.state?["start"] == 30)
        #expect(node.send("reset_timers")?["status"] == "ok")
        #expect(node.state?["start"] == 6)
        guard case .edits(let payload, _)? = node.setAside.first else {
            Issue.record("nothing was set aside")
            return
        }
        #expect(String(decoding: payload, as: UTF8.self).contains(#""start":30"#))
        let warning = "the timers were reset to the ones in the configuration; kept the edits as a file"
        #expect(node.logs.contains(warning), "\(node.logs)")
        #expect(try self.node(node.saved.last).state?["start"] == 6, "and the reset is saved")
    }

    @Test("without storage, reset_timers loses the edits, which is logged, and does not keep them in memory")
    func resetWithoutStorage() throws {
        var node = try Scenario()
        for _ in 1...20 {
            node.send("edit", #"{"start":30}"#)
            #expect(node.send("reset_timers")?["status"] == "ok")
        }
        #expect(node.state?["start"] == 6 && node.setAside.isEmpty)
        #expect(node.warnings.contains { $0.hasSuffix("; the edits are lost because no storage is configured") })
    }

    @Test("a few edits wait for a failing disk; then reset_timers is refused")
    func resetOnFailingDisk() throws {
        var node = try node(nil)
        node.storeFault = StoreError("read-only")
        var codes: [JSON?] = []
        for _ in 1...20 {
            node.send("edit", #"{"start":30}"#)
            codes.append(node.send("reset_timers")?["code"])
            node.wait(.seconds(1))
        }
        #expect(codes.first == .some(nil) && codes.last == "not_allowed", "\(codes)")
        #expect(node.state?["start"] == 30, "nothing is lost")
    }

    @Test("without edits reset_timers changes nothing, and for several nodes it is refused")
    func resetOfNothing() throws {
        var node = try node(nil)
        node.send("start")
        let before = (node.last("timers"), node.last("state"), node.logs)
        #expect(node.send("reset_timers")?["status"] == "ok")
        #expect(node.send("reset_timers", to: "all")?["code"] == "not_allowed")
        #expect(node.setAside.isEmpty)
        #expect((node.last("timers"), node.last("state")) == (before.0, before.1))
    }

    @Test("timers that are read-only refuse edits", arguments: [("edit", #"{"start":30}"#), ("timers", "WHOLE")])
    func refusesEdits(verb: String, payload: String) throws {
        var node = try node(nil) { $0.timers.isReadOnly = true }
        let timers = try #require(node.last("timers"))
        #expect(node.send(verb, payload.replacing("WHOLE", with: timers))?["code"] == "read_only")
        #expect(node.send("start")?["status"] == "ok")
    }
}
