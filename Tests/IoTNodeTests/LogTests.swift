import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The log")
struct LogTests {
    private let date = Date(timeIntervalSince1970: 1_700_000_000.25)

    @Test(
        "has one line per event",
        arguments: [
            (.text, false, .info, "begun", "2023-11-14T22:13:20.250Z info: begun\n"),
            (.text, true, .debug, "begun", "<7>begun\n"), (.text, true, .info, "begun", "<6>begun\n"),
            (.text, true, .warning, "begun", "<4>begun\n"), (.text, true, .error, "begun", "<3>begun\n"),
            (.text, true, .info, "a\nb\r\u{1B}[1m\u{85}\u{2028}ü\"", "<6>a\\nb\\r\\u{1B}[1m\\u{0085}\\u{2028}ü\"\n"),
            (
                .json, false, .warning, "a\n\"b\"",
                #"{"time":"2023-11-14T22:13:20.250Z","level":"warning","message":"a\n\"b\""}"# + "\n"
            ),
            (
                .json, true, .error, "a",
                #"<3>{"time":"2023-11-14T22:13:20.250Z","level":"error","message":"a"}"# + "\n"
            ),
        ] as [(LogFormat, Bool, LogLevel, String, String)])
    func lines(format: LogFormat, isJournal: Bool, level: LogLevel, message: String, line: String) {
        #expect(format.line(level, message, at: date, isJournal: isJournal) == line)
    }

    @Test("contains the levels from the configured one up")
    func levels() {
        for (index, least) in LogLevel.allCases.enumerated() {
            #expect(LogLevel.allCases.filter { $0.isLogged(from: least) } == Array(LogLevel.allCases[index...]))
        }
    }

    @Test("shows no password, nor does any topic, description or saved state")
    func password() throws {
        let password = "correct-horse-battery"
        var node = try Scenario {
            $0.mqtt?.link.credentials = Credentials(username: "me", password: .text(password))
            $0.storage = .init(directory: "/nowhere")
        }
        node.send("start")
        node.lose("not authorised")
        node.wait(.seconds(30))
        node.accept()
        var other = node.core.configuration
        other.mqtt?.link.credentials = Credentials(username: "other", password: .text(password + "2"))
        node.reload(.success(.init(other)))
        node.accept()
        node.happens(.terminate)
        #expect(node.attempts.last?.credentials?.password == .text(password + "2"), "it is used")
        var told = node.logs + node.publications.map { $0.topic + $0.text } + node.diary
        told += node.saved.map { String(decoding: $0, as: UTF8.self) }
        told +=
            node.attempts.map { "\($0)" } + [
                "\(other)", String(reflecting: other), "\(NodeEffect.connect(try #require(node.attempts.last)))",
            ]
        #expect(told.count > 20)
        #expect(!told.contains { $0.contains(password) })
    }
}
