import FoundationEssentials
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("The id of a run")
struct RunIDTests {
    @Test("has all bits of two random numbers, except for the version and the variant", arguments: UInt64(1)...4)
    func bits(seed: UInt64) {
        var (generator, same) = (SplitMix64(state: seed), SplitMix64(state: seed))
        let (first, second) = (same.next(), same.next())
        let high: UInt64 = first & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low: UInt64 = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = UUID.random(using: &generator).uuidString.filter { $0 != "-" }
        #expect(UInt64(digits.prefix(16), radix: 16) == high)
        #expect(UInt64(digits.suffix(16), radix: 16) == low)
    }
}
