extension TimeText {
    /// The seconds as a display shows them: `h:mm:ss` from an hour up, `m:ss` from a minute up, else `s`; empty at 0.
    static func display(_ seconds: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return if hours > 0 { "\(hours):\(two(minutes)):\(two(rest))" } else if minutes > 0 {
            "\(minutes):\(two(rest))"
        } else { rest > 0 ? "\(rest)" : "" }
    }
}
