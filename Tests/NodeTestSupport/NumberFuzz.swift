internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import TimerEngine
package import TimerProtocol

/// The messages that a node publishes in an evening, with their numbers replaced by extreme values for their types and
/// fields.
package struct NumberFuzz {
    /// A message as a client receives it.
    package struct Message {
        package let kind: TopicKind
        package let payload: [UInt8]
        /// Whether the message is retained.
        package let retained: Bool
    }

    /// Returns the number of messages that a test sends: `FUZZ_MESSAGES` if that is set, otherwise `usual`.
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["FUZZ_MESSAGES"].flatMap { Int($0) } ?? usual
    }

    /// The messages that a real node published, each payload once.
    package let messages: [Message]

    package init() throws {
        var node = try Scenario(60, 30, 10) { configuration in
            configuration.mqtt?.healthInterval = .seconds(20)
            let meeting = Agenda.Meeting(
                name: "Toastmasters", days: [.weekday(.tue)], at: TimeOfDay(secondOfDay: 22 * 3600), duration: 3600,
                group: 1)
            configuration.agenda = Agenda(zone: "UTC", meetings: [meeting])
            configuration.signals.grace = .seconds(2)
        }
        node.wait(.seconds(1))
        for (seconds, verb, payload) in [
            (35.0, "start", ""), (2, "message", #"{"text":"Wrap up","attention":true,"for":60}"#), (2, "pause", ""),
            (30, "resume", ""), (5, "time", ""), (1, "speaker", "Ada"), (1, "stop", ""), (1, "runs", ""),
            (9, "start", #"{"duration":20,"warning":9,"final":3,"name":"Once"}"#), (1, "add", "30"), (1, "end", ""),
        ] {
            node.send(verb, payload)
            node.wait(.seconds(seconds))
        }
        var seen: Set<[UInt8]> = []
        messages = node.publications.compactMap { message in
            guard let topic = PublishedTopic(message.topic, prefix: "timer"), seen.insert(message.payload).inserted
            else {
                return nil
            }
            return Message(kind: topic.kind, payload: message.payload, retained: message.retain)
        }
    }

    /// Returns one of the messages with different numbers, and sometimes with a different mode or date.
    ///
    /// - Parameter kinds: the kinds to choose from; nil for any.
    package func message(
        of kinds: Set<TopicKind>? = nil, using random: inout some RandomNumberGenerator
    ) -> Message {
        // Every kind is equally likely, even though there are more ticks than other messages.
        let kind = (kinds ?? Set(messages.map(\.kind))).sorted { $0.rawValue < $1.rawValue }.randomElement(
            using: &random)
        guard let message = messages.filter({ $0.kind == kind }).randomElement(using: &random) else {
            return Message(kind: .tick, payload: [], retained: false)
        }
        var payload = message.payload
        if Int.random(in: 0..<4, using: &random) == 0 { Self.changeMode(in: &payload, using: &random) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let place = Self.numbers(in: payload).randomElement(using: &random) else { break }
            let old = String(decoding: payload[place], as: UTF8.self)
            payload.replaceSubrange(place, with: Array(Self.number(insteadOf: old, using: &random).utf8))
        }
        if Int.random(in: 0..<4, using: &random) == 0 { Self.changeDate(in: &payload, using: &random) }
        return Message(kind: message.kind, payload: payload, retained: Bool.random(using: &random))
    }

    /// Replaces one date with another, because dates are converted to numbers as well.
    private static func changeDate(in payload: inout [UInt8], using random: inout some RandomNumberGenerator) {
        let begins = payload.indices.filter { payload[$0...].starts(with: Array("\"2023-".utf8)) }
        guard let begin = begins.randomElement(using: &random),
            let end = payload[(begin + 1)...].firstIndex(of: UInt8(ascii: "\""))
        else { return }
        let dates = [
            "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1970-01-01T00:00:00Z",
            "2023-11-14T22:00:00.999999Z",
        ]
        payload.replaceSubrange(begin + 1..<end, with: Array((dates.randomElement(using: &random) ?? "").utf8))
    }

    private static func changeMode(in payload: inout [UInt8], using random: inout some RandomNumberGenerator) {
        let text = String(decoding: payload, as: UTF8.self)
        let mode = ModeName.allCases.randomElement(using: &random) ?? .stopped
        for old in ModeName.allCases {
            payload = Array(text.replacing("\"mode\":\"\(old.rawValue)\"", with: "\"mode\":\"\(mode.rawValue)\"").utf8)
            if payload != Array(text.utf8) { return }
        }
    }

    /// Returns a number at or just beyond the limit of a type or a field, or one near the old number.
    package static func number(insteadOf old: String, using random: inout some RandomNumberGenerator) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "\(Int64.random(in: .min ... .max, using: &random))"
        case 1: return "\(Double(bitPattern: .random(in: 0...0x7fef_ffff_ffff_ffff, using: &random)))"
        case 2:
            let bits = Int.random(in: 0..<63, using: &random)
            let power = Int64(1) << bits
            return "\(Bool.random(using: &random) ? power : -power)"
        case 3:
            guard let number = Int(old) else { return old }
            return "\(number &+ Int.random(in: -2...2, using: &random))"
        default: return extremes.randomElement(using: &random) ?? "0"
        }
    }

    /// JSON numbers, as strings, at and beyond the limits of types and fields.
    package static let extremes: [String] = {
        let texts = [
            "0", "-0.0", "1.5", "-0.0004", "1e300", "-1e300", "1e999", "5e-324", "18446744073709551615",
            "170141183460469231731687303715884105727", "9.3e18", "1.7976931348623157e308", "1e12", "-1e12",
        ]
        let ends: [Int64] = [
            .max, .min, .min + 1, 1, 2, 59, 60, 86_399, 86_400, 172_800, 604_800, 1_000_000, 86_400_000,
            Int64(Int32.max), 9_007_199_254_740_991, 1_000_000_000_000_000_000,
            // Ten thousand years in seconds, milliseconds and microseconds.
            316_224_000_000, 316_224_000_000_000, 316_224_000_000_000_000,
        ]
        let near = ends.flatMap { [$0, 0 &- $0, $0 &- 1, $0 &+ 1, 1 &- $0] }
        return texts + near.map(String.init)
    }()

    /// Returns the ranges of the numbers in JSON text, outside strings.
    package static func numbers(in json: [UInt8]) -> [Range<Int>] {
        let digits = Set("0123456789+-.eE".utf8)
        var numbers: [Range<Int>] = []
        var (isString, isEscaped) = (false, false)
        for (place, byte) in json.enumerated() {
            if isString {
                if byte == UInt8(ascii: "\""), !isEscaped { isString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if let last = numbers.last, last.upperBound == place, digits.contains(byte) {
                numbers[numbers.count - 1] = last.lowerBound..<place + 1
            } else if byte == UInt8(ascii: "-") || (48...57).contains(byte) {
                numbers.append(place..<place + 1)
            }
        }
        return numbers
    }
}
