import Testing

@testable import TimerProtocol

@Suite("A quoted string")
struct QuotedStringTests {
    @Test(
        "is whole with up to 40 characters, counted with its escapes, and is shortened to 40 at most otherwise",
        arguments: [
            (String(repeating: "a", count: 40), 42), (String(repeating: "a", count: 41), 40),
            (String(repeating: "a", count: 38) + "\"", 42), (String(repeating: "a", count: 39) + "\"", 40),
            (String(repeating: "\"", count: 50), 39),
        ])
    func length(text: String, length: Int) {
        #expect(text.quoted.unicodeScalars.count == length)
    }
}
