import FoundationEssentials
import Testing

/// All suites that need the guest's chip. Their tests run one after another, since there is only one chip.
///
/// `Tests/guest/tests` runs them; outside the guest they are skipped.
@Suite("in the guest", .enabled(if: SimulatedChip.current != nil, "needs the guest's chip"), .serialized)
struct InGuest {}

/// Suites for a guest whose clocks skip every wait: tests that would otherwise take too long, or must be exact.
@Suite("in simulated time", .enabled(if: SimulatedChip.isTimeSimulated, "needs the guest's clocks"), .serialized)
struct InSimulatedTime {}

/// Suites for a guest whose first process is systemd.
@Suite("in systemd", .enabled(if: SimulatedChip.isInSystemd, "needs the guest's systemd"), .serialized)
struct InSystemd {}

extension SimulatedChip {
    /// Whether this process runs in a guest with systemd.
    static let isInSystemd =
        isTimeSimulated && (try? String(contentsOfFile: "/proc/1/comm", encoding: .utf8)) == "systemd\n"

    /// Whether this process runs in a guest whose clocks skip every wait.
    static let isTimeSimulated =
        current != nil
        && (try? String(contentsOfFile: "/proc/cmdline", encoding: .utf8))?.contains("time-travel=") == true
}
