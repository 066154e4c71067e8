/// Durations as people write them, in a configuration and over MQTT: `90`, `1:30`, `0:01:30`, `500ms`, `90s`, `2m`, `1h`.
enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// The duration that a text means; nil for any other text.
    static func duration(_ text: String) -> Duration? {
        if let seconds = TimeText.seconds(text) { return .seconds(seconds) }
        for unit in units where text.hasSuffix(unit.suffix) {
            if let count = WholeNumber.parse(text.dropLast(unit.suffix.count)) {
                return .milliseconds(count * unit.milliseconds)
            }
        }
        return nil
    }

    /// The whole seconds that a text means; nil for any other text and for fractions of a second.
    static func seconds(_ text: String) -> Int? {
        guard let duration = duration(text), duration.components.attoseconds == 0 else { return nil }
        return Int(duration.components.seconds)
    }

    /// The same, with a sign in front or without one.
    static func signedSeconds(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        let seconds = seconds(isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text)
        return isNegative ? seconds.map { -$0 } : seconds
    }

    /// The shortest text for a duration of whole milliseconds.
    static func text(_ duration: Duration) -> String {
        let milliseconds = duration.count(of: .milliseconds(1))
        return milliseconds.isMultiple(of: 1000) ? text(seconds: milliseconds / 1000) : "\(milliseconds)ms"
    }

    /// The shortest text for a number of seconds.
    static func text(seconds: Int) -> String {
        if seconds > 0, seconds.isMultiple(of: 3600) {
            "\(seconds / 3600)h"
        } else if seconds > 0, seconds.isMultiple(of: 60) {
            "\(seconds / 60)m"
        } else {
            "\(seconds)s"
        }
    }
}
