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

    @Test("lets a node publish on each of its topics, and read the retained ones", arguments: TopicKind.allCases)
    func topics(kind: TopicKind) throws {
        let access = kind.isRetained ? "readwrite" : "write"
        let list = try Page("config/mosquitto/timer-node.acl").lines
        #expect(list.contains("pattern \(access) timer/%u/\(kind.rawValue)"))
    }
}

@Suite("config/clusters/ejabberd/ejabberd.yml")
struct EjabberdAccessTests {
    private func rules() throws -> [String] {
        try Page("config/clusters/ejabberd/ejabberd.yml").lines.map { String($0.trimmingPrefix { $0 == " " }) }
    }

    @Test("lets a node publish on each of its topics", arguments: TopicKind.allCases)
    func topics(kind: TopicKind) throws { #expect(try rules().contains("\"timer/%u/\(kind.rawValue)\": all")) }

    @Test("lets each role send only the commands that the table of verbs allows", arguments: Role.allCases)
    func commands(role: Role) throws {
        let suffix = "\": \(role.rawValue)s"
        let named = try rules().filter { $0.hasPrefix("\"timer/+/command/") && $0.hasSuffix(suffix) }
        // A role that may send every command has a single rule.
        let verbs =
            role == .operator ? ["+"] : Verb.allCases.filter { $0.rules.brokerRole == role }.map(\.rawValue)
        #expect(Set(named) == Set(verbs.map { "\"timer/+/command/\($0)\(suffix)" }))
    }
}
