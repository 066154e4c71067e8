import FoundationEssentials

/// The random numbers of a test, the same for the same seed, and the seed is printed.
///
/// `TEST_SEED=17 swift test --filter …` repeats what seed 17 did.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed that the environment names; nil for none.
    package static let wanted = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }

    /// The arguments of a test that is run once for each seed: so many, or the one that the environment names.
    package static func seeds(_ count: UInt64, in file: String = #fileID, line: Int = #line) -> [UInt64] {
        if let wanted { return [wanted] }
        print("\(file):\(line) has the seeds 0 to \(count - 1): TEST_SEED=0 repeats the first")
        return Array(0..<count)
    }

    private var state: UInt64

    /// Begins with a seed.
    package init(seed: UInt64) { state = seed }

    /// Begins with the seed that the environment names, or with another one each time, and prints it.
    package init(printedFor test: String = #function, in file: String = #fileID) {
        state = Self.wanted ?? .random(in: 0...999_999_999)
        print("\(file) \(test) has the seed \(state): TEST_SEED=\(state) repeats it")
    }

    /// The next number of SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
