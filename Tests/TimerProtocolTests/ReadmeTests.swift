import FoundationEssentials
import TestSupport
import Testing
import TimerProtocol

@Suite("README.md")
struct ReadmeTests {
    @Test("lists each topic of a node, and each verb, and no other")
    func topicsAndVerbs() throws {
        let page = try Page("README.md")
        let topics = try page.table("## Topics").map { $0[0] }.filter { $0.hasPrefix("`timer/lectern/") }
        let kinds = TopicKind.allCases.map { "`\($0.name(prefix: "timer", node: "lectern"))`" }
        #expect(Set(topics.filter { !$0.contains("/command/") }) == Set(kinds))
        let verbs = try #require(try page.section("## Topics").split(separator: "The verbs:").last)
        let named = verbs.matches(of: /`([a-z_]+)`/).map { String($0.1) }
        #expect(named.sorted() == Verb.allCases.map(\.rawValue).sorted())
    }
}
