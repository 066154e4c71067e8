import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

/// Announcements are removed if they describe something that no longer exists. No others are removed.
@Suite("An earlier announcement to Home Assistant")
struct DiscoveryRemovalTests {
    typealias Style = NodeConfiguration.Discovery.Style

    private var count: Int { DiscoveryStory.count }

    /// How the node switches to another configuration.
    enum Change: CaseIterable {
        case reload, restart
    }

    /// The discovery messages that a node publishes when it switches from one configuration to another.
    private func told(
        _ change: Change, from old: Style, to new: Style,
        configure: @escaping (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> (news: [String], story: DiscoveryStory) {
        var story = try DiscoveryStory(old)
        switch change {
        case .reload:
            _ = story.news()
            story.reload {
                $0.mqtt?.discovery.style = new
                configure(&$0)
            }
            if story.node.attempts.count > 1 { story.node.accept() }
        case .restart:
            story = try DiscoveryStory(new, saved: story.node.saved.last, configure: configure)
        }
        return (story.news().filter { $0.contains("/config ") }, story)
    }

    @Test(
        "in one form is migrated to the other, so that Home Assistant keeps names and ids", arguments: Change.allCases)
    func toDevice(change: Change) throws {
        let keys = try DiscoveryStory(.component).messages().map(\.topic)
        let (news, story) = try told(change, from: .component, to: .device)
        #expect(news.prefix(count).allSatisfy { $0.hasSuffix(" migrate") })
        #expect(news.dropFirst(count).prefix(count).allSatisfy { $0.hasSuffix(" empty") })
        #expect(Set(news.prefix(2 * count).map { "homeassistant/" + $0.prefix { $0 != " " } }) == Set(keys))
        #expect(Array(news.dropFirst(2 * count)) == ["device/lectern/config \(count) entities"])
        #expect(story.node.publications.allSatisfy { !$0.text.contains("migrate") || !$0.retain })
    }

    @Test("as a device is migrated back", arguments: Change.allCases)
    func toComponents(change: Change) throws {
        let (news, _) = try told(change, from: .device, to: .component)
        #expect(news.prefix(2) == ["device/lectern/config migrate", "device/lectern/config empty"])
        #expect(news.dropFirst(2).count == count)
        #expect(news.dropFirst(2).allSatisfy { $0.hasSuffix("/config entity") })
    }

    @Test("is removed if it must not be announced any more", arguments: Change.allCases)
    func toNone(change: Change) throws {
        #expect(try told(change, from: .device, to: .none).news == ["device/lectern/config empty"])
        let (news, story) = try told(change, from: .component, to: .none)
        #expect(news.count == count)
        #expect(news.allSatisfy { $0.hasSuffix(" empty") })
        #expect(story.retained.isEmpty || change == .restart)
    }

    @Test("is removed once: only topics that were announced are emptied", arguments: Change.allCases)
    func once(change: Change) throws {
        #expect(try told(change, from: .none, to: .none).news.isEmpty)
        #expect(try told(change, from: .none, to: .device).news == ["device/lectern/config \(count) entities"])
        var (_, story) = try told(change, from: .device, to: .none)
        story.node.lose()
        story.node.wait(.seconds(60))
        story.node.accept()
        #expect(!story.news().contains { $0.contains("/config ") })
        var next = try DiscoveryStory(.none, saved: story.node.saved.last)
        #expect(!next.news().contains { $0.contains("/config ") })
    }

    @Test("loses entities that no longer exist before the next message omits them", arguments: Change.allCases)
    func entityGone(change: Change) throws {
        let readOnly = { (configuration: inout NodeConfiguration) in configuration.timers.isReadOnly = true }
        #expect(
            try told(change, from: .device, to: .device, configure: readOnly).news == [
                "device/lectern/config \(count - 1) entities, removes duration",
                "device/lectern/config \(count - 1) entities",
            ])
        let (news, story) = try told(change, from: .component, to: .component, configure: readOnly)
        #expect(news.first == "number/lectern/duration/config empty")
        #expect(news.count == count)
        #expect(!story.node.publications.contains { $0.retain && $0.text.contains("{\"platform\":\"number\"}") })
        #expect(
            try told(change, from: .device, to: .component, configure: readOnly).news.prefix(3) == [
                "device/lectern/config \(count - 1) entities, removes duration", "device/lectern/config migrate",
                "device/lectern/config empty",
            ])
        let back = try told(change, from: .component, to: .device, configure: readOnly).news
        #expect(back.first == "number/lectern/duration/config empty")
        #expect(back.count { $0.hasSuffix(" migrate") } == count - 1)
        #expect(back.last == "device/lectern/config \(count - 1) entities")
    }

    @Test("under another prefix is removed, and the node is announced under the new one", arguments: Change.allCases)
    func elsewhere(change: Change) throws {
        let (news, _) = try told(change, from: .device, to: .device) { $0.mqtt?.discovery.prefix = "homeassistant/b" }
        #expect(news == ["device/lectern/config empty", "b/device/lectern/config \(count) entities"])
    }

    @Test("under another id is removed when the configuration is read again")
    func renamed() throws {
        let news = try told(.reload, from: .component, to: .device) { $0.node.id = "stage" }.news
        #expect(news.count == count + 1)
        #expect(news.dropLast().allSatisfy { $0.hasSuffix(" empty") })
        #expect(news.last == "device/stage/config \(count) entities")
    }

    @Test("by a node whose state was copied to this one stays, since that node may still exist")
    func copied() throws {
        let (news, story) = try told(.restart, from: .device, to: .device) { $0.node.id = "stage" }
        #expect(news == ["device/stage/config \(count) entities"])
        #expect(
            story.node.warnings == [
                "the saved state belongs to node lectern, which is still announced to Home Assistant; if that node "
                    + "no longer exists, run timer-node nodes --forget lectern"
            ])
    }

    @Test("by a process without storage is forgotten with it")
    func withoutStorage() throws {
        let node = try DiscoveryStory(.component) { $0.storage = nil }.node
        #expect(node.saved.isEmpty)
    }
}
