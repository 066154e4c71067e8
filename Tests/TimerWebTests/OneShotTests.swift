import Testing

@testable import timer_web

@Suite("A value that a task waits for")
struct OneShotTests {
    @Test("arrives once, whether early or late, from any number of threads")
    func once() async {
        for round in 0..<200 {
            let shot = OneShot<Int>()
            if round.isMultiple(of: 2) { shot.resume(1) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { shot.resume(1) } }
                #expect(await shot.value == 1)
            }
        }
    }
}
