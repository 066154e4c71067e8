import BrokerLink
import Foundation
import LinuxSystem
import NodePorts
import NodeTestSupport
import Testing

/// The rules of the ports, checked with the system's clock and disk.
@Suite("On Linux, conformance of")
struct LinuxSystemConformanceTests {
    @Test("a clock", arguments: ClockConformance.rules)
    func clock(rule: Rule<any ClockHarness>) throws { try rule.check(SystemClocks()) }

    @Test("a store", arguments: StoreConformance.rules)
    func store(rule: Rule<any StoreHarness>) throws {
        try withTemporaryFolder { try rule.check(Disk(folder: $0)) }
    }
}

/// The system's clock, and Swift's own clock to compare it with.
private struct SystemClocks: ClockHarness {
    private let began = ContinuousClock.now

    func makeClock() -> any NodeClock { BootClock() }
    func elapsed() -> Duration { ContinuousClock.now - began }
}

/// A folder on the disk.
private final class Disk: StoreHarness {
    let clock: any NodeClock = BootClock()
    private let directory: String

    init(folder: String) { directory = folder + "/state" }

    func makeStore() throws -> any Store { try BackgroundStore(FileStore(directory: directory)) }

    /// A file replaces the folder.
    func setFaulty(_ isFaulty: Bool) throws {
        let files = FileManager.default
        if isFaulty {
            try files.moveItem(atPath: directory, toPath: directory + ".away")
            try Data().write(to: URL(filePath: directory))
        } else {
            try files.removeItem(atPath: directory)
            try files.moveItem(atPath: directory + ".away", toPath: directory)
        }
    }

    func kept(as name: String) -> [UInt8]? { FileManager.default.contents(atPath: name).map(Array.init) }
}
