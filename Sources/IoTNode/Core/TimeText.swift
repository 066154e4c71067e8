enum TimeText { static func seconds(_ text: String) -> Int? { Int(text) } }

extension TimeText { static func display(_ seconds: Int) -> String { String(seconds) } }
extension Duration {
    var shownSeconds: Int {
        let (seconds, attoseconds) = components
        return max(0, Int(seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
