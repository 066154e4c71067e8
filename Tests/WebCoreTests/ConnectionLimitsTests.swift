import Testing
import WebCore

@Suite("Slots for connections")
struct ConnectionLimitsTests {
    @Test("are fewer than descriptors, and the last ones are for this machine")
    func total() {
        var limits = ConnectionLimits(descriptors: 200, used: 16)
        #expect(limits.total == 136)
        #expect(take(&limits, 200) == 120)
        #expect(take(&limits, 200, isOwn: true) == 16)
        limits.giveBack(nil)
        #expect(take(&limits, 1) == 0)
        #expect(take(&limits, 2, isOwn: true) == 1)
    }

    @Test("at the end are for health checks only, even if all clients are on this machine")
    func status() {
        var limits = ConnectionLimits(descriptors: 200, used: 16)
        for _ in 0..<120 { #expect(limits.take(nil, isOwn: true) == .anything) }
        for _ in 0..<16 { #expect(limits.take(nil, isOwn: true) == .status) }
        #expect(limits.take(nil, isOwn: true) == nil)
        for _ in 0..<17 { limits.giveBack(nil) }
        #expect(limits.take(nil, isOwn: true) == .anything)
    }

    @Test("are fewer if the server has more threads")
    func threads() {
        #expect(ConnectionLimits(descriptors: 1024, used: 300).total == 676)
    }

    @Test("are half of the descriptors if there are few")
    func few() {
        var limits = ConnectionLimits(descriptors: 20, used: 16)
        #expect(take(&limits, 20) == 8)
        #expect(take(&limits, 20, isOwn: true) == 2)
    }

    @Test("are a thousand for each network, and nothing is kept about released slots")
    func networks() {
        var limits = ConnectionLimits(descriptors: 4096, used: 16)
        #expect(take(&limits, 1500, "a") == 1000)
        #expect(take(&limits, 1500, "b") == 1000)
        limits.giveBack("b")
        #expect(take(&limits, 2, "b") == 1)
        #expect(take(&limits, 1500) == 1500)
        for _ in 0..<1000 {
            limits.giveBack("a")
            limits.giveBack("b")
        }
        for _ in 0..<1500 { limits.giveBack(nil) }
        #expect(limits == ConnectionLimits(descriptors: 4096, used: 16))
    }

    /// Takes slots; returns the number that were free.
    private func take(
        _ limits: inout ConnectionLimits, _ count: Int, _ network: String? = nil, isOwn: Bool = false
    ) -> Int {
        var taken = 0
        for _ in 0..<count where limits.take(network, isOwn: isOwn) != nil { taken += 1 }
        return taken
    }
}
