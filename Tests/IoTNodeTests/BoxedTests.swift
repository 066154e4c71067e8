import Testing

@testable import IoTNode

@Suite("A boxed value")
struct BoxedTests {
    private struct Owner: Hashable {
        @Boxed var numbers = [1, 2]
    }

    @Test("belongs to one owner only, and is equal to a value like it")
    func copies() {
        let first = Owner()
        var second = first
        second.numbers.append(3)
        #expect(first.numbers == [1, 2] && second.numbers == [1, 2, 3])
        #expect(first != second)
        second.numbers.removeLast()
        #expect(first == second && first.hashValue == second.hashValue)
    }

    @Test("makes its owner as small as a pointer")
    func size() {
        #expect(MemoryLayout<Owner>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<ShownNode>.size < 2_500)
    }
}
