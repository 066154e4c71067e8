import BrokerLink
import Testing

@testable import timer_node

@Suite("The last output of init")
struct NextStepsTests {
    @Test("names the service if it uses this file, and the program otherwise")
    func start() {
        var answers = Answers()
        (answers.broker, answers.id) = ("mqtt://127.0.0.1", "lectern")
        func text(_ file: String, isInstalled: Bool) -> String {
            NextSteps(file: file, answers: answers, isServiceInstalled: isInstalled).text
        }
        let usual = "/etc/timer-node/timer-node.yaml"
        #expect(text(usual, isInstalled: true).contains("\n  sudo systemctl restart timer-node "))
        #expect(text(usual, isInstalled: false).contains("\n  timer-node run --config \(usual)\n"))
        #expect(text("other.yaml", isInstalled: true).contains("\n  timer-node run --config other.yaml\n"))
        #expect(
            text(usual, isInstalled: true).hasSuffix("\n  timer-node watch lectern\n  timer-node send lectern start"))
        answers.broker = nil
        #expect(!text(usual, isInstalled: true).contains("watch"), "without a broker there is nothing to watch")
    }

    @Test("has a hint that fits the failure if the broker cannot be used")
    func hints() {
        func hint(_ text: String, _ host: String, hasUsername: Bool = false) -> String? {
            BrokerTrial.hint(for: text, from: Broker(host: host), hasUsername: hasUsername)
        }
        #expect(hint("x: cannot connect: Connection refused", "127.0.0.1")?.contains("apt install mosquitto") == true)
        #expect(hint("x: cannot connect: Connection refused", "10.0.0.1") == nil)
        let refused = "x: the broker refused the connection: Not authorized (CONNACK 0x87)"
        #expect(hint(refused, "127.0.0.1") == "it may need a user name and a password")
        #expect(hint(refused, "127.0.0.1", hasUsername: true) == "are the user name and the password right?")
        #expect(hint("x: cannot resolve the host name: y", "x") == "is the host name right?")
    }
}
