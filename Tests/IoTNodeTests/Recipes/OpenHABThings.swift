import TestSupport

/// The broker and the thing in a things file: the subset of openHAB's grammar that our file uses.
struct OpenHABThings {
    struct Channel {
        let type: String
        let id: String
        private let properties: [String: String]

        init(type: String, id: String, properties: [(key: String, value: String)]) {
            self.type = type
            self.id = id
            self.properties = Dictionary(properties, uniquingKeysWith: { first, _ in first })
        }

        var keys: Set<String> { Set(properties.keys) }
        subscript(key: String) -> String? { properties[key] }

        var allowedStates: [String] {
            properties["allowedStates"].map { $0.split(separator: ",").map(String.init) } ?? []
        }
    }

    let bridge: String
    let bridgeProperties: [String: String]
    let thing: String
    let thingProperties: [String: String]
    let channels: [Channel]

    init(_ path: String) throws {
        var file = try OpenHABFile(path)
        try file.expect(.word("Bridge"))
        bridge = try file.words(separatedBy: ":")
        _ = file.takeText()
        bridgeProperties = Dictionary(uniqueKeysWithValues: try file.takeProperties().map { ($0.key, $0.value) })
        try file.expect("{")
        try file.expect(.word("Thing"))
        thing = try "mqtt:\(file.word()):\(bridge.split(separator: ":").last ?? ""):\(file.word())"
        _ = file.takeText()
        thingProperties = Dictionary(uniqueKeysWithValues: try file.takeProperties().map { ($0.key, $0.value) })
        try file.expect("{")
        try file.expect(.word("Channels"))
        try file.expect(":")
        var channels: [Channel] = []
        while file.take(.word("Type")) {
            let type = try file.word()
            try file.expect(":")
            let id = try file.word()
            _ = file.takeText()
            channels.append(Channel(type: type, id: id, properties: try file.takeProperties()))
        }
        self.channels = channels
        try file.expect("}")
        try file.expect("}")
        guard file.isAtEnd else { throw OpenHABFile.Fault(description: "unexpected text after the bridge") }
    }
}

extension OpenHABThings.Channel {
    /// Returns what openHAB derives from a payload: all of it, or the result of the template; nil for an unknown
    /// template.
    func transformed(_ payload: String, field: (String) -> String?) -> String? {
        guard let pattern = self["transformationPattern"] else { return payload }
        if let found = pattern.wholeMatch(of: /JINJA:\{\{value_json\.([a-z_.]+)\}\}/) { return field(String(found.1)) }
        if let found = pattern.wholeMatch(of: /JINJA:\{% if value_json\.(\w+) %\}(\w+)\{% else %\}(\w+)\{% endif %\}/) {
            return field(String(found.1)).map { String($0 == "false" ? found.3 : found.2) }
        }
        let choice = /JINJA:\{% if value == '(\w+)' %\}(\w+)\{% else %\}(\w+)\{% endif %\}/
        guard let found = pattern.wholeMatch(of: choice) else { return nil }
        return String(payload == found.1 ? found.2 : found.3)
    }

    /// Returns what openHAB publishes for a command; `%s` is a string, and `%.0f` a number without its fraction.
    func payload(for command: String) -> String {
        let format = self["formatBeforePublish"] ?? "%s"
        return format.replacing("%s", with: command).replacing("%.0f", with: command)
    }

    /// Commands that an item can send to it: all of them, the ends of a range, or a timer's path.
    var commands: [String] {
        switch type {
        case "switch": [self["on"], self["off"]].compactMap(\.self)
        case "number": [self["min"], self["max"]].compactMap(\.self)
        default: allowedStates.isEmpty ? ["2/1"] : allowedStates
        }
    }
}
