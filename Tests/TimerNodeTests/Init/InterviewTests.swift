import ArgumentParser
import CommandLineSupport
import NodeConfiguration
import Testing

@testable import LinuxSystem
@testable import timer_node

@Suite("The questions of init")
struct InterviewTests {
    /// A user who types these lines. Collects the output that is shown.
    private final class Person {
        var shown = ""
        private var lines: [String]

        init(_ lines: [String]) { self.lines = lines }

        var dialogue: Dialogue {
            Dialogue(say: { self.shown += $0 }, readLine: { self.lines.isEmpty ? nil : self.lines.removeFirst() })
        }
    }

    private func interview(_ dialogue: Dialogue?) -> Interview {
        Interview(terminal: dialogue) { answers throws(InvalidAnswer) in
            _ = try answers.load(file: "node.yaml", readFile: File.read)
        }
    }

    /// Types lines in response to a question; returns the text that was shown, and the resulting answers.
    private func answer(
        _ question: Question, _ lines: String..., from start: Answers = Answers()
    ) throws -> (shown: String, answers: Answers) {
        let person = Person(lines)
        var answers = start
        try interview(person.dialogue).ask(question, given: nil, &answers)
        return (person.shown, answers)
    }

    /// Returns the failure for an option's value without a terminal to ask in.
    private func failure(_ question: Question, _ given: String?, from start: Answers = Answers()) -> InitFailure? {
        var answers = start
        do throws(InitFailure) {
            try interview(nil).ask(question, given: given, &answers)
            return nil
        } catch {
            #expect(answers == start, "a wrong answer changes nothing")
            return error
        }
    }

    @Test("accept the default on Enter, and ignore spaces around an answer")
    func offers() throws {
        #expect(try answer(.id(hostName: "Lectern.example"), "").answers.id == "lectern")
        #expect(try answer(.id(hostName: "Lectern.example"), " desk\t").answers.id == "desk")
        #expect(try answer(.id(hostName: "###"), "").answers.id == "timer-node")
        #expect(try answer(.profile, " Toastmasters").answers.profile == .toastmasters)
        #expect(try answer(.broker, "").answers.broker == "mqtt://127.0.0.1:1883")
        #expect(try answer(.name, "").answers.name == nil)
        #expect(try answer(.line(of: "red", for: .podium, nil), "").answers.lines == ["red": "GPIO22"])
        #expect(try answer(.line(of: "buzzer", for: .podium, nil), "").answers.lines == ["buzzer": "GPIO18"])
        #expect(try answer(.line(of: "buzzer", for: .toastmasters, nil), "").answers.lines == [:])
    }

    @Test("are asked again after a wrong answer, with the reason")
    func askedAgain() throws {
        let (shown, answers) = try answer(.id(hostName: "x"), "Große Halle", "all", "hall")
        let prompt = "Id, used in the node's topics: timer/ID/… [x]: "
        let rest =
            ", expected 1 to 63 of the characters a-z, 0-9, _ and -, the first a letter or digit, and not the word all\n"
        #expect(shown == prompt + #"  found "Große Halle""# + rest + prompt + #"  found "all""# + rest + prompt)
        #expect(answers.id == "hall")
    }

    @Test("report the error in an option, and exit with 64")
    func wrongOptions() {
        var auto = Answers()
        (auto.chip, auto.broker, auto.username) = ("auto", "mqtt://a", "b")
        auto.lines = ["green": "GPIO1"]
        let cases: [(Question, String, String)] = [
            (.profile, "disco", #"--profile: found "disco", expected podium, toastmasters or rhythm"#),
            (.line(of: "red", for: .podium, nil), "GPIO1", "--red: line GPIO1 is already used for green"),
            (.activeLow, "perhaps", #"--active-low: found "perhaps", expected yes or no"#),
            (.broker, "http://a", #"--broker: found "http://a", expected mqtt://HOST"#),
            (.broker, "mqtt://a:b@c", "--broker: found a user name or a password in a URL instead of under"),
            (.username, "a\u{7}", #"--username: found "a\u{07}", expected a string of 1 to 128 bytes"#),
            (.passwordFile(hasPassword: false), "/no/file", "--password-file: found a path (not shown) without a file"),
            (.passwordFile(hasPassword: false), "/dev/null", "--password-file: found no password in /dev/null"),
            (.id(hostName: ""), "", "--id: found \"\", expected 1 to 63"),
            (.name, String(repeating: "n", count: 129), "--name: found "),
        ]
        for (question, text, reason) in cases {
            let failure = failure(question, text, from: auto)
            #expect(failure?.description.hasPrefix(reason) == true, "\(String(describing: failure))")
            #expect(failure?.code == .validationFailure)
            #expect(failure?.description.contains("b@c") != true)
        }
    }

    @Test("end at the end of the input")
    func endOfInput() {
        let failure = #expect(throws: InitFailure.self) { try answer(.profile, "disco") }
        #expect(failure?.code == .io)
        #expect(failure?.description == "unexpected end of input")
    }

    @Test("for yes or no accept nothing else")
    func confirmations() throws {
        for (lines, offer, expected) in [
            (["perhaps", "YES"], false, true), (["n"], true, false), ([""], true, true), ([""], false, false),
        ] {
            let person = Person(lines)
            #expect(try person.dialogue.confirm("Sure?", offer: offer) == expected)
            #expect(person.shown.contains("answer y or n") == (lines.count > 1))
        }
    }

    @Test("name all missing options at once, and options that cannot be used together")
    func options() throws {
        func given(_ words: String...) throws -> AnswerOptions { try AnswerOptions.parse(words) }
        #expect(
            try given("--yellow=1").missing == [
                "--profile", "--chip", "--green", "--red", "--buzzer", "--broker", "--id",
            ])
        #expect(try given("--chip=simulated", "--profile=podium").missing == ["--broker", "--id"])
        #expect(try given("--chip=simulated", "--red=1").conflict == "--chip simulated has no lines")
        #expect(try given("--broker=none", "--username=a").conflict != nil)
        #expect(try given("--username=none", "--password-file=a").conflict != nil)
        #expect(try given("--broker=none", "--username=none").conflict == nil)
    }
}
