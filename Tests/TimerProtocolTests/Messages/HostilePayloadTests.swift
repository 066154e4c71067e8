import TestSupport
import Testing

@testable import TimerProtocol

/// Payloads that no node publishes: each causes an error that describes what is wrong, and none causes a trap.
@Suite("An invalid payload")
struct HostilePayloadTests {
    /// The fields in the page's payloads that may be absent or null.
    private static let optional: [TopicKind: Set<String>] = [
        .state: [
            "paused_mode", "started_at", "ends_at", "until", "overtime", "timer.event", "timer.location", "next",
            "last",
            "last.ended_at", "undo", "run",
            "run.minimum", "run.maximum", "run.grace", "speaker", "locked", "meeting", "meeting.left", "lead", "entry",
            "budget",
            "follows",
            "clock.since", "clock.zero",
            // A node does not need to have any of these outputs.
            "outputs.buzzer", "outputs.green", "outputs.red", "outputs.yellow",
        ],
        .event: [],
        // An omitted mode has its usual signal.
        .health: Set(
            ["at", "name", "gpio.chip", "gpio.backend", "gpio.fault", "rss_bytes", "follow", "signals"]
                + ModeName.allCases.flatMap { ["signals.\($0)", "signals.\($0).lamps"] }
                + ["countdown.lamps.green", "warning.lamps.yellow", "final.lamps.red", "alarm.lamps.red"]
                .map { "signals.\($0)" }),
        // These fields have defaults, and a command may omit them.
        .timers: [
            "version", "model_revision", "settings", "settings.start_timer_immediately", "groups[1].name",
            "groups[1].display", "groups[1].alarm", "groups[1].sound", "groups[1].at_zero", "groups[1].timers[1].name",
            "groups[1].timers[1].minimum", "groups[1].timers[1].maximum",
            "groups[1].timers[1].warning", "groups[1].timers[1].final",
        ],
        // The page has responses with details. Without `time` and `page`, a response is read as one without details.
        .response: ["id", "command", "time", "page", "handed_to"],
        .runs: [
            "runs[1].speaker", "runs[1].added", "runs[1].grace", "runs[1].minimum", "runs[1].maximum",
            "runs[1].qualified",
        ],
        .message: ["until", "attention"],
        .programme: [
            "current", "entries[1].id", "entries[1].speaker", "entries[1].timer", "entries[1].at",
            "entries[1].planned", "entries[1].expected", "entries[1].used", "entries[2].id", "entries[2].warning",
            "entries[2].final", "entries[2].planned", "entries[2].expected", "entries[2].used",
        ],
        .agenda: [
            "zone", "remind_after", "next", "next.day", "meetings[1].begin", "meetings[1].attend",
            "meetings[1].location",
        ],
    ]

    /// The parsed payloads of the page.
    private static func payloads() throws -> [(kind: TopicKind, json: JSON)] {
        try TopicsPageMessageTests.payloads().map { ($0.kind, try JSON(parsing: Array($0.payload.utf8))) }
    }

    private static func isRead(_ kind: TopicKind, _ json: JSON) -> Bool {
        (try? PublishedMessage(kind, json.bytes)) != nil
    }

    @Test("lacks a required field")
    func missing() throws {
        for (kind, json) in try Self.payloads() {
            let optional = Self.optional[kind] ?? []
            #expect(!json.fields.isEmpty)
            for field in json.fields {
                let isOptional = optional.contains(field)
                #expect(Self.isRead(kind, json.replacing(field, with: nil)) == isOptional, "\(kind) without \(field)")
                // An output cannot be null: it is either present or absent.
                let mayBeNull = isOptional && !field.hasPrefix("outputs.") && !field.contains(".lamps.")
                #expect(Self.isRead(kind, json.replacing(field, with: .some(.null))) == mayBeNull, "\(kind), \(field)")
            }
        }
    }

    @Test("has a value of another type in a field")
    func wrongTypes() throws {
        for (kind, json) in try Self.payloads() {
            for field in json.fields {
                // No published field has such an array, object or string.
                var others: [JSON] = [[[1]], ["x": 1], "\u{1}"]
                let known = json.value(at: field)
                switch known {
                case .string: others = [1, true, [[1]], ["x": 1], .number(1.5)]
                case .bool: others += [1, "true"]
                case .integer, .number: others += [true, "x"]
                default: others += [true, .number(1e300)]
                }
                // Objects whose fields are all optional.
                let isAnyObject = ["gpio", "settings", "signals"].contains(field)
                // Here null is accepted in place of a Boolean.
                if field.hasSuffix("qualified") { others.removeAll { $0 == true } }
                for other in others where !(isAnyObject && other == ["x": 1]) {
                    #expect(!Self.isRead(kind, json.replacing(field, with: other)), "\(kind), \(field): \(other.text)")
                }
            }
        }
    }

    @Test("has a number out of range, or no number at all", arguments: ["NaN", "Infinity", "-Infinity", "1e999"])
    func noNumbers(number: String) throws {
        for (kind, payload) in try TopicsPageMessageTests.payloads() {
            // The number must follow a key, and must not be part of a date.
            let places = payload.indices.dropFirst().filter {
                payload[payload.index(before: $0)...].hasPrefix("\":") && payload[payload.index(after: $0)].isNumber
            }
            #expect(!places.isEmpty || [.response, .message].contains(kind))
            for place in places {
                let rest = payload[payload.index(after: place)...].drop { $0.isNumber || $0 == "." }
                let other = payload[...place] + number + rest
                #expect(throws: PayloadError.self) { try PublishedMessage(kind, Array(other.utf8)) }
            }
        }
        #expect(throws: PayloadError.self) { try TickMessage(Array(number.utf8)) }
    }

    @Test("has a number that is valid only as a fraction")
    func hugeNumbers() throws {
        let huge: [JSON] = [.number(1e300), .number(-1e300), .number(1e19), .number(9.3e18)]
        for (kind, json) in try Self.payloads() {
            for field in json.fields where field != "progress" {
                switch json.value(at: field) {
                case .integer, .number: break
                default: continue
                }
                for number in huge {
                    #expect(!Self.isRead(kind, json.replacing(field, with: number)), "\(kind), \(field)")
                }
            }
        }
    }

    @Test(
        "has numbers that fit their type but not their field", arguments: [Int.max, .min, -1_000_000_000_000_000_000])
    func impossibleNumbers(number: Int) throws {
        for (kind, json) in try Self.payloads() {
            for field in json.fields {
                guard case .integer? = json.value(at: field) else { continue }
                #expect(!Self.isRead(kind, json.replacing(field, with: .integer(number))), "\(kind), \(field)")
            }
        }
        #expect(throws: PayloadError.self) { try TickMessage(Array("\(number.magnitude)".utf8)) }
    }

    @Test(
        "has a string that controls a terminal, or that is far too long",
        arguments: ["a\u{1B}[2Jb", "a\u{9B}2Jb", "\u{0}", "a\nb", String(repeating: "a", count: 200_000)])
    func hostileTexts(text: String) throws {
        for (kind, json) in try Self.payloads() {
            for field in json.fields {
                guard case .string? = json.value(at: field) else { continue }
                #expect(!Self.isRead(kind, json.replacing(field, with: .string(text))), "\(kind), \(field)")
            }
        }
    }

    @Test("has an output with an invalid name", arguments: ["", "Red", "a b", "a\u{1B}[2J", "all"])
    func outputNames(name: String) throws {
        let outputs = JSON.object([.init(key: name, value: "on")])
        let expected = Identifier.expected
        for (kind, json) in try Self.payloads() where kind == .state {
            #expect(throws: PayloadError("field outputs: found the output \(name.quoted), expected \(expected)")) {
                try StateMessage(json.replacing("outputs", with: outputs).bytes)
            }
        }
        for (kind, json) in try Self.payloads() where kind == .health {
            let field = "signals.final.lamps"
            #expect(throws: PayloadError("field \(field): found the output \(name.quoted), expected \(expected)")) {
                try HealthMessage(json.replacing(field, with: outputs).bytes)
            }
        }
    }

    @Test(
        "has a word for a mode that the configuration would not accept",
        arguments: [("", "\"\""), (String(repeating: "a", count: 25), "25 bytes")])
    func words(word: String, found: String) throws {
        for (kind, json) in try Self.payloads() where kind == .health {
            let field = "signals.final.word"
            #expect(
                throws: PayloadError(
                    "field \(field): found \(found), expected a string of 1 to 24 bytes without control characters")
            ) {
                try HealthMessage(json.replacing(field, with: .string(word)).bytes)
            }
        }
    }

    @Test("has more outputs than a node may have, which would take long to read")
    func outputs() throws {
        let many = JSON.object((0..<20_000).map { JSON.Member(key: "o\($0)", value: "on") })
        for (kind, json) in try Self.payloads() where kind == .state {
            #expect(throws: PayloadError("field outputs: found 20000 outputs, expected at most 256")) {
                try StateMessage(json.replacing("outputs", with: many).bytes)
            }
        }
    }

    @Test("is not UTF-8, not whole, not an object or nested too deep")
    func noJSON() throws {
        let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
        for (kind, payload) in try TopicsPageMessageTests.payloads() {
            let bytes = Array(payload.utf8)
            for length in bytes.indices {
                #expect(throws: PayloadError.self) { try PublishedMessage(kind, Array(bytes[..<length])) }
            }
            let others = ["[]", "null", "1", "\"state\"", payload + "x", payload.dropLast() + ",\"x\":\(deep)}"]
            for other in others {
                #expect(throws: PayloadError.self) { try PublishedMessage(kind, Array(other.utf8)) }
            }
            #expect(throws: PayloadError("the payload is not valid UTF-8")) {
                try PublishedMessage(kind, bytes.dropLast() + [0xFF])
            }
        }
    }

    @Test(
        "is another word",
        arguments: [TopicKind.availability, .mode, .tick],
        ["", "on", "Online", "online ", "-1", "1.5", "99999999999999999999"])
    func otherWords(kind: TopicKind, word: String) {
        #expect(throws: PayloadError.self) { try PublishedMessage(kind, Array(word.utf8)) }
        #expect(throws: PayloadError.self) { try PublishedMessage(kind, [0xC3]) }
    }

    @Test("is a tick of more than two days")
    func longTick() throws {
        #expect(try TickMessage(Array("172800".utf8)).remaining == 172_800)
        #expect(throws: PayloadError.self) { try TickMessage(Array("172801".utf8)) }
    }

    @Test("causes an error that states the position, the value found and the value expected")
    func description() {
        let payload = #"{"event_type":"run_ended","used":"long","over":0}"#
        #expect(
            throws: PayloadError("field \"used\": found \"long\", expected a number of seconds from 0 to 632448000000")
        ) {
            try EventMessage(Array(payload.utf8))
        }
        #expect(throws: PayloadError("found \"on\", expected online or offline")) { try Availability(Array("on".utf8)) }
        let response = #"{"status":"perhaps","mode":"stopped","remaining":5}"#
        #expect(throws: PayloadError("field \"status\": found \"perhaps\", expected ok or error")) {
            try Response(Array(response.utf8))
        }
    }

    @Test("that is almost valid causes an error, or can be read and written", arguments: SeededGenerator.seeds(300))
    func nearly(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for (kind, payload) in try TopicsPageMessageTests.payloads() {
            var bytes = Array(payload.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = bytes.indices.randomElement(using: &random) ?? 0
                bytes[place] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : UInt8(ascii: "9")
            }
            guard let message = try? PublishedMessage(kind, bytes) else { continue }
            #expect(try PublishedMessage(kind, message.bytes).bytes == message.bytes)
        }
    }
}
