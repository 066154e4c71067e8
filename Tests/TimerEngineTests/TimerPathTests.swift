import Testing
import TimerEngine

@Suite("A timer's path")
struct TimerPathTests {
    @Test("paths count from 1 in text", arguments: [("1/1", 0, 0), ("2/1", 1, 0), ("12/4", 11, 3)])
    func paths(_ text: String, group: Int, item: Int) throws {
        #expect(TimerPath(text) == TimerPath(group: group, item: item))
        #expect(TimerPath(group: group, item: item).description == text)
    }

    @Test(
        "invalid text is not a path",
        arguments: [
            "", "/", "1", "1/", "/1", "0/1", "1/0", "-1/1", "+1/1", "1/1/1", " 1/1", "1/1 ", "a/b", "1.0/1",
            "99999999999999999999/1", "١/١",
        ])
    func noPaths(_ text: String) {
        #expect(TimerPath(text) == nil)
    }
}
