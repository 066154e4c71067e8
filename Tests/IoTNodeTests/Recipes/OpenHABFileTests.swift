import BrokerLink
import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("The openHAB files")
struct OpenHABFileTests {
    private let things: OpenHABThings

    init() throws { things = try OpenHABThings("config/openhab/timer-node.things") }

    private func channel(of uid: String) -> OpenHABThings.Channel? {
        things.channels.first { "\(things.thing):\($0.id)" == uid }
    }

    @Test("have a broker, and a thing that is online while the node is")
    func thing() throws {
        #expect(things.bridge == "mqtt:broker:timers")
        #expect(things.bridgeProperties == ["host": "127.0.0.1", "port": "1883", "secure": "false"])
        var node = try RecipeNode.story()
        let topic = try #require(things.thingProperties["availabilityTopic"])
        #expect(Set(node.payloads(on: topic)) == [things.thingProperties["payloadAvailable"]])
        node.lose()
        let will = try #require(node.attempts.last?.will)
        #expect(will.topic == topic && will.text == things.thingProperties["payloadNotAvailable"])
    }

    @Test("have channels whose types and properties the MQTT binding knows")
    func properties() {
        let known: [String: Set<String>] = [
            "string": ["allowedStates"], "number": ["min", "max", "unit"], "switch": ["on", "off"], "datetime": [],
            "trigger": [],
        ]
        let common: Set = ["stateTopic", "transformationPattern", "commandTopic", "formatBeforePublish", "qos"]
        #expect(Set(things.channels.map(\.id)).count == things.channels.count)
        #expect(things.channels.count == 22)
        for channel in things.channels {
            let own = known[channel.type]
            #expect(own != nil, "\(channel.type)")
            #expect(channel.keys.isSubset(of: common.union(own ?? [])), "\(channel.id)")
            #expect(channel["stateTopic"] != nil || channel["commandTopic"] != nil, "\(channel.id)")
            // The node refuses retained commands, so `retained` must not be set, and each command must arrive.
            if channel["commandTopic"] != nil { #expect(channel["qos"] == "1", "\(channel.id)") }
        }
    }

    @Test("read the node's topics, and obtain from each payload a value of their type or nothing")
    func states() throws {
        let story = try RecipeNode.story()
        for channel in things.channels {
            guard let name = channel["stateTopic"] else { continue }
            let topic = try #require(PublishedTopic(name, prefix: "timer"), "\(name)")
            #expect(topic.node == "lectern")
            let values = try story.payloads(on: name).map { payload in
                try #require(
                    channel.transformed(payload) { path in
                        switch story.field(path, of: payload) {
                        case .string(let text)?: text
                        case .null?: ""
                        case let value?: value.text
                        case nil: nil
                        }
                    }, "\(channel.id): \(payload)")
            }
            // At least one payload must give a value; otherwise a wrong field would go unnoticed.
            #expect(values.contains { !$0.isEmpty }, "\(channel.id)")
            if !channel.allowedStates.isEmpty { #expect(Set(values) == Set(channel.allowedStates), "\(channel.id)") }
            for value in values where !value.isEmpty {
                let fits =
                    switch channel.type {
                    case "number": Double(value) != nil
                    case "datetime": value.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
                    case "switch": [channel["on"], channel["off"]].contains(value)
                    default: true
                    }
                #expect(fits, "\(channel.id): \(value)")
            }
        }
    }

    @Test("show the switch as on from start to stop")
    func active() throws {
        let active = try #require(things.channels.first { $0.id == "active" })
        let on = RecipeNode.modes.filter { active.transformed($0) { _ in nil } == active["on"] }
        #expect(on == ["countdown", "warning", "final", "alarm", "paused"])
    }

    @Test("send only commands that the node accepts")
    func commands() throws {
        var sent = 0
        for channel in things.channels {
            guard let topic = channel["commandTopic"] else { continue }
            #expect(!channel.commands.isEmpty, "\(channel.id)")
            for command in channel.commands {
                sent += 1
                let modes = try RecipeNode.modesThatTake(channel.payload(for: command), on: topic)
                #expect(!modes.isEmpty, "\(channel.id): \(command)")
            }
        }
        #expect(sent == 26)
    }

    @Test("have an item for each channel except the triggers, of the channel's type")
    func items() throws {
        let items = try readItems()
        let linked = items.flatMap(\.channels)
        let states = things.channels.filter { $0.type != "trigger" }.map { "\(things.thing):\($0.id)" }
        #expect(Set(linked) == Set(states))
        #expect(Set(items.map(\.name)).count == items.count)
        for item in items {
            for uid in item.channels {
                let channel = try #require(self.channel(of: uid), "\(uid)")
                let type =
                    switch channel.type {
                    case "number": channel["unit"] == nil ? "Number" : "Number:Time"
                    case "datetime": "DateTime"
                    case "switch": "Switch"
                    default: "String"
                    }
                #expect(item.type == type, "\(item.name)")
                #expect(item.isOptimistic == (channel["commandTopic"] == nil), "\(item.name)")
            }
        }
    }

    @Test("have a page named after its file, which shows existing items with commands that they can send")
    func sitemap() throws {
        var file = try OpenHABFile("config/openhab/timer_node.sitemap")
        try file.expect(.word("sitemap"))
        #expect(file.takeWord() == "timer_node")
        let items = try readItems()
        let names = Set(items.map(\.name))
        var shown: Set<String> = []
        for case .word(let word) in file.tokens where word.hasPrefix("Lectern_") {
            #expect(names.contains(word), "\(word)")
            shown.insert(word)
        }
        #expect(shown.count == 15)
        var item: String?
        while !file.isAtEnd {
            if file.take(.word("item")) {
                try file.expect("=")
                item = try file.word()
            } else if file.take(.word("mappings")) {
                try file.expect("=")
                try file.expect("[")
                let uid = try #require(items.first { $0.name == item }?.channels.first)
                let channel = try #require(self.channel(of: uid))
                repeat {
                    let command = try #require(file.takeText() ?? file.takeWord())
                    try file.expect("=")
                    _ = file.takeText()
                    #expect(channel.allowedStates.isEmpty || channel.allowedStates.contains(command), "\(command)")
                    let topic = try #require(channel["commandTopic"])
                    #expect(try !RecipeNode.modesThatTake(channel.payload(for: command), on: topic).isEmpty)
                } while file.take(",")
                try file.expect("]")
            } else {
                file.skip()
            }
        }
    }

    @Test("are documented with each of their channels and all commands that it sends")
    func page() throws {
        let page = try Page("docs/integrations.md")
        let told = try page.table("### Channels")
        #expect(Set(told.flatMap { $0[0].code }) == Set(things.channels.map(\.id)))
        for row in told {
            for id in row[0].code {
                let channel = try #require(things.channels.first { $0.id == id })
                if id == "command" || id == "add" { #expect(row[2].code == channel.allowedStates) }
            }
        }
        #expect(String(try page.section("### Rules")).contains(#"Channel "\#(things.thing):event" triggered alarm"#))
        #expect(things.channels.contains { $0.id == "event" && $0.type == "trigger" })
    }

    private struct Item {
        let type: String
        let name: String
        let channels: [String]
        /// Whether openHAB shows a command at once instead of waiting for the node.
        let isOptimistic: Bool
    }

    private func readItems() throws -> [Item] {
        var file = try OpenHABFile("config/openhab/timer-node.items")
        var items: [Item] = []
        while !file.isAtEnd {
            let type = try file.words(separatedBy: ":")
            let name = try file.word()
            _ = file.takeText()
            if file.take("<") {
                _ = try file.word()
                try file.expect(">")
            }
            if file.take("(") {
                _ = try file.word()
                try file.expect(")")
            }
            let properties = try file.takeProperties(from: "{", to: "}")
            guard type != "Group" else { continue }
            items.append(
                Item(
                    type: type, name: name, channels: properties.filter { $0.key == "channel" }.map(\.value),
                    isOptimistic: !properties.contains { $0 == ("autoupdate", "false") }))
        }
        return items
    }
}

extension Scenario {
    /// Returns the value at a path into a payload, as Jinja evaluates it: a member of an undefined value is undefined.
    fileprivate func field(_ path: String, of payload: String) -> JSON? {
        guard var value = try? JSON(parsing: Array(payload.utf8)) else { return nil }
        for key in path.split(separator: ".") where value != .null {
            guard let member = value[String(key)] else { return nil }
            value = member
        }
        return value
    }
}
