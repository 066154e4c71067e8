import FoundationEssentials
import TestSupport
import Testing
import TimerProtocol

@Suite("config/mosquitto/timer-node.acl")
struct AccessListTests {
    @Test("lets each role write only the commands that the table of verbs allows", arguments: Role.allCases)
    func commands(role: Role) throws {
        let list = try Page("config/mosquitto/timer-node.acl").lines
        let begin = try #require(list.firstIndex(of: "user \(role.rawValue)"), "there is no user \(role.rawValue)")
        let block = list[begin...].prefix { !$0.isEmpty }
        let verbs = Verb.allCases.filter { $0.rules.brokerRole <= role }.map(\.rawValue)
        // A role that may send every command has a single rule.
        if role == .operator { return #expect(block.contains("topic write timer/+/command/+")) }
        var missing = Set(verbs)
        for (index, line) in zip(block.indices, block) where line.hasPrefix("topic write ") {
            let verb = line.split(separator: "/").last.map(String.init) ?? ""
            #expect(line == "topic write timer/+/command/\(verb)", "line \(index + 1): \(line)")
            #expect(missing.remove(verb) != nil, "line \(index + 1): a \(role.rawValue) may not send \(verb)")
        }
        #expect(missing.isEmpty, "below line \(begin + 1): a \(role.rawValue) has to send \(missing.sorted())")
    }
}
