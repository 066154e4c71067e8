internal import Testing
internal import TimerProtocol
internal import WebCore

@Suite("The messages that are kept for all remotes")
struct KeptMessageListTests {
    private func change(_ text: String, keep: Bool = true) throws -> KeptMessageChange {
        try KeptMessageChange(Array("{\"text\":\"\(text)\",\"keep\":\(keep)}".utf8))
    }

    @Test("contain each message once, until it is removed")
    func once() throws {
        var kept = KeptMessages()
        let steps = [
            ("Louder", true, ["Louder"]), ("Wrap up", true, ["Louder", "Wrap up"]),
            ("Louder", true, ["Louder", "Wrap up"]), ("Louder", false, ["Wrap up"]), ("Louder", false, ["Wrap up"]),
        ]
        for (text, isKept, messages) in steps {
            let isDone = kept.apply(try change(text, keep: isKept))
            #expect(isDone && kept.messages == messages)
        }
    }

    @Test("are at most 50")
    func full() throws {
        var kept = KeptMessages()
        for number in 1...50 {
            let isDone = kept.apply(try change("\(number)"))
            #expect(isDone)
        }
        let isDone = kept.apply(try change("51"))
        #expect(!isDone && kept.messages == (1...50).map { "\($0)" })
        let isDoneForKnown = kept.apply(try change("50"))
        #expect(isDoneForKnown)
    }
}
