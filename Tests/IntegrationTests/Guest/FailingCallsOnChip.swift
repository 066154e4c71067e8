import BrokerLink
import Foundation
import IoTNode
import LinuxSystem
import NodeConfiguration
import NodePorts
import Testing
import TimerEngine

extension InSimulatedTime {
    /// Each system call of a short talk fails in its turn; strace injects the failure.
    ///
    /// `make test` lets a few calls of each kind fail, and tries a few amounts of memory. `FAILING_CALLS=all` lets each
    /// call fail, which takes a while.
    @Suite("A spawned node on the chip with one failing system call, or too little memory", .serialized)
    final class FailingCallsOnChip {
        /// The kinds of calls that can fail, each with an error that it can have.
        enum Call: String, CaseIterable {
            case openat, read, write, pread64, newfstatat, mmap, mprotect, fsync, renameat, unlinkat, mkdirat
            case fchown, socket, connect, sendto, recvfrom, setsockopt, poll, timerfd_create, timerfd_settime
            case eventfd2, signalfd4, ioctl, getrandom, clone3, getdents64, readlink, brk

            /// Whether it allocates memory. When an allocation fails, Swift's runtime stops the program without a message.
            var givesMemory: Bool { self == .mmap || self == .mprotect || self == .brk }

            var error: String {
                switch self {
                case .openat, .socket, .timerfd_create, .eventfd2, .signalfd4: "EMFILE"
                case .read, .pread64, .newfstatat, .fsync, .renameat, .unlinkat, .ioctl, .getdents64: "EIO"
                case .write, .mkdirat: "ENOSPC"
                case .mmap, .mprotect, .brk, .poll: "ENOMEM"
                case .fchown: "EPERM"
                case .connect: "ENETUNREACH"
                case .sendto, .recvfrom: "ECONNRESET"
                case .setsockopt, .timerfd_settime: "EINVAL"
                case .getrandom, .clone3: "EAGAIN"
                case .readlink: "EACCES"
                }
            }
        }

        private let isThorough = ProcessInfo.processInfo.environment["FAILING_CALLS"] == "all"
        private let chip: SimulatedChip
        private let broker: MosquittoBroker
        private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
        private let trace = "/dev/shm/calls-\(UUID().uuidString)"

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            broker = try MosquittoBroker()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            gpio:
              chip: auto
              outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
              buttons: [{line: BUTTON, press: start}]
            timers: {groups: [{timers: [{name: Talk, start: 4s, warning: 3s, final: 2s}]}]}
            storage: {directory: \(folder.path)/state}
            """.write(to: folder.appending(path: "timer-node.yaml"), atomically: true, encoding: .utf8)
        }

        deinit {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: trace)
        }

        /// A talk, from the start of the program to its end.
        struct Talk {
            var recording: ChipRecording
            var ending: ChildProcess.ExitStatus
            /// Whether the program ended before it was asked to.
            var endedEarly: Bool
            var output: [String]
            var errors: [String]
        }

        /// Lets strace trace a talk from a separate process, so that the spawned process id is that of the node.
        private func tracedTalk(_ options: [String]) throws -> Talk {
            try talk(under: ["strace", "-D", "-f", "-qq", "-v", "-e", "signal=none", "-o", trace] + options)
        }

        private func talk(under wrapper: [String]) throws -> Talk {
            try? FileManager.default.removeItem(at: folder.appending(path: "state"))
            let words =
                wrapper + [try SpawnedNode.program, "run", "--config", folder.appending(path: "timer-node.yaml").path]
            var started: ChildProcess?
            let recording = try ChipRecording(chip, seconds: 30) { _ in
                let node = try ChildProcess(
                    words[0], Array(words.dropFirst()), environment: ["SWIFT_BACKTRACE": "enable=no"])
                started = node
                // The button is pressed again, because the node may not hold its lines yet.
                try waitUntil("green or the end", pause: { usleep(500_000) }) {
                    if try node.exitStatus() != nil || chip.highLines().contains("GREEN") { return true }
                    try chip.setPull(.up, of: "BUTTON")
                    usleep(100_000)
                    try chip.setPull(.down, of: "BUTTON")
                    return false
                }
            }
            let node = try #require(started)
            let endedEarly = node.exitStatus() != nil
            return Talk(
                recording: recording, ending: try node.terminate(), endedEarly: endedEarly, output: node.output,
                errors: node.errors)
        }

        /// The calls of a talk in which nothing fails: how often the busiest thread makes each of them.
        private func count(_ call: Call) throws -> Int {
            let talk = try tracedTalk(["-e", "trace=?\(call.rawValue)"])
            #expect(talk.ending == .exited(0))
            check(talk.recording, hasLostLines: false, "no fault")
            let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            let threads = lines.filter { $0.contains(" \(call.rawValue)(") }.map { $0.prefix { $0 != " " } }
            return Dictionary(grouping: threads) { $0 }.values.map(\.count).max() ?? 0
        }

        @Test("keeps the lamps' seconds, or ends with a sentence and dark lamps", arguments: Call.allCases)
        func each(call: Call) throws {
            let count = try count(call)
            guard count > 0 else { return }
            for number in isThorough ? Array(1...count) : Set([count / 2, count]).subtracting([0]).sorted() {
                let fault = "\(call.rawValue):error=\(call.error):when=\(number)"
                let talk = try tracedTalk(["-e", "trace=ioctl,\(call.rawValue)", "-e", "inject=\(fault)"])
                if talk.endedEarly || talk.ending != .exited(0) {
                    // Swift's runtime finds the program's arguments in /proc/self/maps. Without them, the program prints
                    // its help, and systemd starts it again.
                    let hasHelp = talk.output.first?.hasPrefix("OVERVIEW") == true
                    #expect(hasHelp || call.givesMemory || talk.errors.last?.isEmpty == false, "\(fault)")
                } else {
                    check(talk.recording, hasLostLines: talk.errors.contains { $0.contains("outputs are back") }, fault)
                }
                #expect(try chip.highLines().isEmpty, "\(fault)")
                // The node itself sets the safe values, before the kernel takes the lines from it.
                if call != .ioctl {
                    let calls = try String(contentsOfFile: trace, encoding: .utf8).components(separatedBy: "\n")
                    #expect(LineTrace(calls).lit.isEmpty, "\(fault)")
                }
                try checkDocuments(fault)
            }
        }

        @Test("keeps the lamps' seconds, or ends with dark lamps, with any amount of memory")
        func memory() throws {
            var ended: [Int: Bool] = [:]
            // From less than the loader needs to more than the program does.
            for size in stride(from: 16, through: 256, by: isThorough ? 2 : 48) {
                let fault = "\(size) MiB of addresses"
                let talk = try talk(under: ["prlimit", "--as=\(size << 20)"])
                ended[size] = talk.endedEarly
                if !talk.endedEarly { check(talk.recording, hasLostLines: false, fault) }
                #expect(try chip.highLines().isEmpty, "\(fault)")
                try checkDocuments(fault)
            }
            #expect(ended[16] == true && ended[256] == false, "\(ended.sorted { $0.key < $1.key })")
        }

        private func check(_ recording: ChipRecording, hasLostLines: Bool, _ fault: String) {
            if hasLostLines {
                #expect(Set(recording.changes.suffix(2).map(\.high)) == [["RED"], []], "\(fault): the alarm flashes")
                return
            }
            let lamps: Set = ["GREEN", "YELLOW", "RED"]
            #expect(recording.changes.allSatisfy { $0.high.intersection(lamps).count <= 1 }, "\(fault)")
            let begin = recording.rises(of: "GREEN").first ?? .infinity
            for (line, due) in [("YELLOW", 1.0), ("RED", 2), ("BUZZER", 4)] {
                let rise = recording.rises(of: line).first ?? .infinity
                #expect(abs(rise - begin - due) < 0.02, "\(fault): \(line) after \(rise - begin) s")
            }
        }

        /// Whether a node can use everything that was saved.
        private func checkDocuments(_ fault: String) throws {
            let store = FileStore(directory: folder.appending(path: "state").path)
            var configuration = NodeConfiguration(node: .init(id: "lectern"))
            configuration.storage = .init(directory: folder.path)
            var core = NodeCore(configuration: configuration, seed: 1)
            let turn = core.handle(
                [.runsLoaded(try store.loadRuns()), .started(saved: try store.load(), boot: "a boot")],
                at: Moment(instant: Instant(sinceEpoch: .seconds(1)), date: .now))
            let first = turn.first
            let effects = first + core.deferredEffects(of: turn)
            let isWhole = !effects.contains { if case .setAside = $0 { true } else { false } }
            #expect(isWhole, "\(fault)")
        }
    }
}
