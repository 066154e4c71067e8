import FoundationEssentials

/// A random number generator for repeatable tests. It prints its seed, which determines all numbers.
///
/// `TEST_SEED=17 swift test --filter …` repeats a test with seed 17.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed from the environment; nil if it is not set.
    package static let wanted = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }

    /// Returns the arguments for a test that runs once per seed: `count` seeds, or only the seed from the environment.
    package static func seeds(_ count: UInt64, in file: String = #fileID, line: Int = #line) -> [UInt64] {
        if let wanted { return [wanted] }
        print("\(file):\(line) has the seeds 0 to \(count - 1): TEST_SEED=0 repeats the first")
        return Array(0..<count)
    }

    private var state: UInt64

    /// Creates a generator with a seed.
    package init(seed: UInt64) { state = seed }

    /// Creates a generator with the seed from the environment or a random seed, and prints the seed.
    package init(printedFor test: String = #function, in file: String = #fileID) {
        state = Self.wanted ?? .random(in: 0...999_999_999)
        print("\(file) \(test) has the seed \(state): TEST_SEED=\(state) repeats it")
    }

    /// Returns the next number, computed by SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
