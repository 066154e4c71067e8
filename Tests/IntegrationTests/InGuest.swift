import Testing

/// All the suites that need the guest's chip, one test after another, since there is one chip.
///
/// `swift test` runs them through ``GuestTests``; outside the guest they are skipped.
@Suite("in the guest", .enabled(if: SimulatedChip.current != nil, "needs the guest's chip"), .serialized)
struct InGuest {}
