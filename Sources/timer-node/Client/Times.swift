internal import ArgumentParser
internal import TimerEngine
internal import TimerProtocol

/// A time on the command line: `5`, `5s`, `500ms`, `1:30`.
struct TimeArgument: ExpressibleByArgument, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = DurationText.duration(argument), duration > .zero, duration <= .seconds(3600) else {
            return nil
        }
        self.duration = duration
    }

    var description: String { DurationText.text(duration) }
}

/// Times as the commands show them.
enum TimeDisplay {
    /// `4:12 left`, `0:00 left`.
    static func left(_ seconds: Int) -> String { "\(time(seconds)) left" }

    /// `4:12`, `1:00:05`, `0:05`, for whole seconds from 0.
    static func time(_ seconds: Int) -> String {
        let text = TimerEngine.timerDisplay(of: seconds)
        return seconds < 60 ? "0:" + String(repeating: "0", count: seconds < 10 ? 1 : 0) + String(seconds) : text
    }
}
