/// Growing delays with full jitter: somewhere between nothing and 1, 2, 4 … up to 60 seconds, so that many nodes do not
/// come back to a broker at once.
struct Backoff: Hashable, Sendable {
    /// The longest delay.
    static let maximumDelay: Duration = .seconds(60)

    private var failures = 0
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    /// The delay before the next attempt.
    mutating func next() -> Duration {
        let ceiling = min(Self.maximumDelay, .seconds(1 << min(failures, 6)))
        failures += 1
        return ceiling * Double.random(in: 0...1, using: &random)
    }

    /// Begins anew after a connection that lasted.
    mutating func reset() {
        failures = 0
    }
}

/// A small random number generator that can be repeated from its seed (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014).
struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
