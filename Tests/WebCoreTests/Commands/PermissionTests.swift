import Testing
import TimerEngine
import TimerProtocol

@testable import WebCore

@Suite("The role that a command needs")
struct PermissionTests {
    /// The table in the documentation: the lowest role; nil if no role is enough.
    private static let table: [Verb: Role?] = [
        .start: .remote, .pause: .remote, .resume: .remote, .toggle: .remote, .stop: .remote, .end: .remote,
        .rewind: .remote, .fastForward: .remote, .next: .remote, .previous: .remote, .select: .remote, .set: .remote,
        .add: .remote, .began: .remote, .undo: .remote, .switch: .remote, .resetAccounts: .remote, .silence: .remote,
        .speaker: .remote, .message: .remote,
        .identify: .remote, .state: .remote,
        .runs: .remote, .edit: .operator, .timers: .operator, .resetTimers: .operator, .agenda: .operator,
        .begin: .operator, .programme: .operator, .entry: .remote, .lock: .operator, .unlock: .operator,
        .beep: .operator, .sync: .operator,
        .lampTest: .operator, .clearRuns: nil, .time: nil,
    ]

    private func expected(_ least: Role?, for role: Role?) -> Permission {
        guard let least else { return .unknown }
        return role.map { $0 >= least } == true ? .allowed : .needs(least)
    }

    @Test("follows from the table, for each verb and role", arguments: Verb.allCases, [nil] + Role.allCases)
    func all(verb: Verb, role: Role?) throws {
        let least = try #require(Self.table[verb])
        #expect(Permission.of(verb, .object([]), for: role) == expected(least, for: role))
    }

    @Test(
        "is a different one for some fields",
        arguments: [
            (Verb.start, #"{"duration":60}"#, Role.operator), (.start, #"{"until":"19:30"}"#, .operator),
            (.start, #"{"duration":null}"#, .remote),
            (.start, #"{"timer":"1/2","speaker":"Ada"}"#, .remote), (.runs, #"{"page":2}"#, .remote),
            (.runs, #"{"run":"x","speaker":"Ada"}"#, .operator), (.runs, #"{"id":"x","speaker":""}"#, .operator),
            (.lampTest, #"{"force":false}"#, .operator), (.lampTest, #"{"force":true}"#, nil),
        ] as [(Verb, String, Role?)], [nil] + Role.allCases)
    func fields(_ command: (verb: Verb, fields: String, least: Role?), role: Role?) throws {
        let fields = try JSON(parsing: Array(command.fields.utf8))
        #expect(Permission.of(command.verb, fields, for: role) == expected(command.least, for: role))
    }
}

@Suite("The body of a command")
struct CommandBodyTests {
    private func body(_ text: String) throws -> CommandBody {
        try CommandBody(Array(text.utf8), newID: "new")
    }

    private func payload(_ text: String) throws -> String { String(decoding: try body(text).payload, as: UTF8.self) }

    @Test("gets an id if it has none, and keeps its own")
    func id() throws {
        for empty in ["", "{}", " { } ", #"{"id":null}"#] { #expect(try payload(empty) == #"{"id":"new"}"#) }
        #expect(try payload(#"{"seconds":30,"id":null}"#) == #"{"id":"new","seconds":30}"#)
        let own = try body(#"{"seconds":30,"id":"mine"}"#)
        #expect(own.id == "mine" && own.fields.text == #"{"seconds":30,"id":"mine"}"#)
    }

    @Test("reaches the node unchanged")
    func asItCame() throws {
        #expect(try payload(#" {"seconds": 3e1, "a":"\u00e9"} "#) == #"{"id":"new","seconds": 3e1, "a":"\u00e9"} "#)
        let own = #"{ "id" : "mine", "seconds":3e1 }"#
        #expect(try payload(own) == own)
    }

    @Test(
        "is refused if no node could respond to it",
        arguments: [
            "[]", "1", "x", #"{"a":1,"a":2}"#, #"{"id":1}"#, #"{"id":""}"#,
            "{\"id\":\"\(String(repeating: "x", count: 129))\"}",
        ])
    func refused(text: String) { #expect(throws: PayloadError.self) { try body(text) } }
}
