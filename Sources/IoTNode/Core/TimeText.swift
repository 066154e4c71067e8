/// Times of a timer as people write them.
enum TimeText {
    static func seconds(_ text: String) -> Int? { Int(text) }
}
