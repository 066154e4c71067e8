import BrokerLink
import ConfigurationFiles
import TestSupport
import Testing

@testable import LinuxSystem
@testable import NodeConfiguration
@testable import timer_node

@Suite("The configuration that init writes")
struct InitTextTests {
    /// Reads the configuration for the answers; each file that it names contains a password.
    private func load(_ answers: Answers) throws -> NodeConfiguration.Loaded {
        try NodeConfiguration.load(
            yaml: Array(answers.text.utf8), file: "node.yaml", hostName: "other",
            readFile: { (_, _) throws(FileError) in Array("secret".utf8) })
    }

    private func shipped(_ file: String) throws -> NodeConfiguration {
        try NodeConfiguration.load(
            path: repositoryFile("config/\(file)"), environment: [:], hostName: "lectern", readFile: File.read
        ).configuration
    }

    /// All combinations of the possible forms of the answers.
    private var combinations: [Answers] {
        let lines: [(chip: String, lines: [OutputName: String])] = [
            ("simulated", [:]), ("auto", ["green": "GPIO17", "yellow": "GPIO27", "red": "GPIO22", "buzzer": "GPIO18"]),
            ("auto", ["green": "GPIO17", "yellow": "GPIO27", "red": "GPIO22"]),
            ("/dev/gpiochip4", ["green": "0", "yellow": "1", "red": "2", "buzzer": "3"]),
        ]
        let brokers: [(url: String?, username: String?, file: String?)] = [
            (nil, nil, nil), ("mqtt://127.0.0.1:1883", nil, nil), ("mqtts://broker.example", "lectern", nil),
            ("mqtt://[::1]:1884", "lectern", Answers.passwordFile),
        ]
        return SignalProfile.allCases.flatMap { profile in
            lines.flatMap { lines in
                brokers.flatMap { broker in
                    [false, true].flatMap { activeLow in
                        [nil, "Main hall"].map { name in
                            Answers(
                                profile: profile, chip: lines.chip, lines: lines.lines, activeLow: activeLow,
                                broker: broker.url, username: broker.username, passwordFile: broker.file,
                                id: "lectern", name: name)
                        }
                    }
                }
            }
        }
    }

    @Test("is valid without a warning, and matches the answers, for all combinations of answers")
    func combined() throws {
        #expect(combinations.count == 3 * 4 * 4 * 2 * 2)
        for answers in combinations {
            let loaded = try load(answers)
            #expect(loaded.warnings.isEmpty, "\(answers)")
            let configuration = loaded.configuration
            #expect(configuration.node == .init(id: "lectern", name: answers.name))
            #expect(configuration.mqtt?.link.brokers == answers.broker.map { [Broker(url: $0)].compactMap { $0 } })
            let credentials = answers.username.map { name in
                Credentials(username: name, password: answers.passwordFile.map(Credentials.Password.file))
            }
            #expect(configuration.mqtt?.link.credentials == credentials)
            let isSimulated = answers.chip == "simulated"
            #expect((configuration.gpio.chip == .simulated) == isSimulated)
            #expect((configuration.gpio.chip == .auto) == (answers.chip == "auto"))
            let outputs = answers.lines.mapValues { NodeConfiguration.Output(line: $0, activeLow: answers.activeLow) }
            #expect(configuration.gpio.outputs == (isSimulated ? NodeConfiguration.GPIO.stoplight : outputs))
            #expect(configuration.storage == .init())
            #expect(answers.text.hasSuffix("\n") && !answers.text.contains("\n\n\n"))
            #expect(answers.text.split(separator: "\n").allSatisfy { $0.count <= 120 && $0.last != " " })
        }
    }

    @Test("has the timers and the signals of the shipped files")
    func ready() throws {
        var answers = Answers()
        #expect(try load(answers).configuration.timers == shipped("timer-node.yaml").timers)
        #expect(try load(answers).configuration.signals == SignalTable(.podium))
        answers.profile = .toastmasters
        #expect(try load(answers).configuration.timers == shipped("toastmasters.yaml").timers)
        #expect(try load(answers).configuration.signals == shipped("toastmasters.yaml").signals)
    }

    @Test(
        "keeps any text as it was typed",
        arguments: [
            #"the "big" hall"#, "Saal: groß # 1", #"back\slash\n"#, "it's", "- {a: [b]}", "&x *y !z", "null", "~",
            "yes",
            "0x1F", "講壇 🎤", "a\u{2028}b\u{2029}c", "zero\u{200B}width\u{FEFF}",
            "e\u{301} é", "%TAG", "@home `x`", "'", "\"", "\\", "| >", "\u{E000}\u{10FFFF}",
        ])
    func hostile(text: String) throws {
        var answers = Answers()
        answers.broker = "mqtt://127.0.0.1"
        (answers.name, answers.username, answers.passwordFile) = (text, text, text)
        (answers.chip, answers.lines) = (text, ["green": text, "red": "b"])
        let loaded = try load(answers)
        #expect(loaded.warnings.isEmpty)
        #expect(Array(loaded.configuration.node.name.unicodeScalars) == Array(text.unicodeScalars))
        #expect(loaded.configuration.mqtt?.link.credentials == Credentials(username: text, password: .file(text)))
        #expect(loaded.configuration.gpio.chip == .named(text))
        #expect(loaded.configuration.gpio.outputs["green"]?.line == text)
        #expect(answers.text.split(separator: "\n").count == Answers.lineCount(of: answers), "it adds no line")
    }
}

extension Answers {
    /// Returns the number of non-empty lines in the file if each answer is a plain word.
    fileprivate static func lineCount(of answers: Answers) -> Int {
        var plain = answers
        (plain.name, plain.username, plain.passwordFile) = ("a", "a", "a")
        (plain.chip, plain.lines) = ("a", ["green": "a", "red": "b"])
        return plain.text.split(separator: "\n").count
    }
}
