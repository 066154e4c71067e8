import BrokerLink
import Foundation
import NodeConfiguration
import Synchronization
import Testing
import TimerEngine

@testable import LinuxSystem
@testable import TimerProtocol

@Suite("A log without a reader")
struct LogOutputTests {
    /// The kinds of file that standard error may refer to.
    enum Kind: CaseIterable {
        case pipe
        /// As with journald.
        case socket
        case terminal
    }

    /// Returns both ends: the one to read from, which does not block, and the one that a process inherits, which does.
    private func ends(_ kind: Kind) throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        switch kind {
        case .pipe: try #require(unsafe pipe(&ends) == 0)
        case .socket: try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        case .terminal:
            ends[0] = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
            // This replaces unlockpt and ptsname, which glibc declares only for X/Open sources.
            let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
            var (isLocked, number): (Int32, Int32) = (0, 0)
            let isUnlocked = unsafe ioctl(ends[0], unlock, &isLocked) == 0
            let isNumbered = unsafe ioctl(ends[0], getNumber, &number) == 0
            try #require(isUnlocked && isNumbered)
            ends[1] = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(ends[1] >= 0)
        }
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        return (ends[0], ends[1])
    }

    private func read(_ descriptor: Int32) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe Foundation.read(descriptor, &buffer, buffer.count), count > 0 {
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    @Test("does not block the node; dropped lines are reported once there is room", arguments: Kind.allCases)
    func stuck(kind: Kind) throws {
        let (reader, writer) = try ends(kind)
        defer {
            close(reader)
            close(writer)
        }
        // This runs on a separate thread, which may hang without hanging the test.
        let result = Mutex<[Interest]?>(nil)
        let log = Mutex<LogOutput?>(nil)
        Thread.detachNewThread {
            log.withLock { log in
                let output = LogOutput(descriptor: writer) { "\($0.rawValue): \($1)\n" }
                for number in 1...20_000 { output.write(.info, "line \(number)") }
                result.withLock { $0 = output.interests }
                log = output
            }
        }
        let end = ContinuousClock.now + .seconds(60)
        while result.withLock({ $0 == nil }), ContinuousClock.now < end { usleep(10_000) }
        // The output waits only for room.
        let interests = try #require(result.withLock { $0 }, "it hangs")
        #expect(interests.map(\.events) == [.write])
        #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0, "other processes share the descriptor")

        var text = read(reader)
        log.withLock { log in
            while let ready = log?.interests, !ready.isEmpty {
                #expect(log?.takeEvents(ready: ready, at: Instant(sinceEpoch: .zero)).isEmpty == true)
                text += read(reader)
            }
            log?.write(.info, "afterwards")
            #expect(log?.interests.isEmpty == true)
        }
        // Output to a terminal arrives slightly later. A terminal ends each line with two characters, which may be read
        // separately, so only the complete text is split.
        let whole = { text.replacing("\r\n", with: "\n") }
        while !whole().hasSuffix("afterwards\n"), ContinuousClock.now < end { text += read(reader) }
        let lines = whole().split(separator: "\n").map(String.init)
        // A terminal may have room again meanwhile, when the kernel has passed on its content.
        var next = 1
        for line in lines.dropLast() {
            if let match = line.wholeMatch(
                of: /warning: (\d+) log lines? (was|were) dropped: standard error was not read/)
            {
                next += Int(match.1) ?? 0
            } else {
                #expect(line == "info: line \(next)", "complete and in order")
                next += 1
            }
        }
        #expect(next == 20_001, "each line was written or counted")
        #expect(lines.suffix(2).first?.hasPrefix("warning: ") == true && lines.last == "info: afterwards")
    }

    @Test("is not waited for if it cannot be written")
    func full() throws {
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let output = LogOutput(descriptor: descriptor) { "\($1)\n" }
        for _ in 0..<3 { output.write(.info, "lost") }
        #expect(output.interests.isEmpty)
    }
}
