@testable import TimerProtocol

/// The rules for discovery messages that Home Assistant accepts, so tests need no Home Assistant.
///
/// These are the rules of 2024.11.3, the first version that accepts whole devices, and of 2026.11.0, read from their
/// schemas. A key that either version does not know counts as an error here: at the top, in `device` and in `origin` it
/// would make Home Assistant drop the whole message, and in an entity the key has no effect. `make test-home-assistant`
/// asks Home Assistant itself.
struct HomeAssistantRules {
    /// The errors, each with its location.
    private(set) var faults: [String] = []
    private var uniqueIDs: Set<String> = []

    /// Returns the errors in discovery messages, by their topics.
    static func faults(in messages: [(topic: String, payload: JSON)], prefix: String = "homeassistant") -> [String] {
        var rules = Self()
        for (topic, payload) in messages { rules.check(payload, on: topic, prefix) }
        return rules.faults
    }

    private static let abbreviations = [
        "dev": "device", "o": "origin", "cmps": "components", "p": "platform", "uniq_id": "unique_id",
    ]
    private static let platforms: Set = [
        "sensor", "binary_sensor", "button", "select", "number", "event", "notify", "text", "switch",
    ]
    private static let ofAll: Set = [
        "availability", "availability_mode", "availability_template", "availability_topic", "device",
        "enabled_by_default", "encoding", "entity_category", "entity_picture", "icon", "json_attributes_template",
        "json_attributes_topic", "name", "origin", "payload_available", "payload_not_available", "qos", "unique_id",
        // 2024.11 does not know this key and derives the id from the names.
        "default_entity_id",
    ]
    private static let states: Set = ["state_topic", "value_template"]
    private static let commands: Set = [
        "command_topic", "command_template", "retain",
        // This key exists since 2026.6; older versions drop it.
        "message_expiry_interval",
    ]
    private static let ofPlatform: [String: Set<String>] = [
        "sensor": states.union([
            "device_class", "expire_after", "force_update", "last_reset_value_template", "options", "state_class",
            "suggested_display_precision", "unit_of_measurement",
        ]),
        "binary_sensor": states.union([
            "device_class", "expire_after", "force_update", "off_delay", "payload_off", "payload_on",
        ]),
        "button": commands.union(["device_class", "payload_press"]),
        "select": states.union(commands).union(["optimistic", "options"]),
        "number": states.union(commands).union([
            "device_class", "max", "min", "mode", "optimistic", "payload_reset", "step", "unit_of_measurement",
        ]),
        "event": states.union(["device_class", "event_types"]),
        "notify": commands,
        "text": states.union(commands).union(["max", "min", "mode", "optimistic", "pattern"]),
        "switch": states.union(commands).union([
            "device_class", "optimistic", "payload_off", "payload_on", "state_off", "state_on",
        ]),
    ]
    private static let required: [String: Set<String>] = [
        "sensor": ["state_topic"], "binary_sensor": ["state_topic"], "button": ["command_topic"],
        "select": ["command_topic", "options"], "number": ["command_topic"], "event": ["state_topic", "event_types"],
        "notify": ["command_topic"], "text": ["command_topic"], "switch": ["command_topic"],
    ]
    private static let deviceClasses: [String: Set<String>] = [
        "sensor": ["duration", "enum", "timestamp"], "binary_sensor": ["problem", "running"], "button": ["identify"],
        "number": ["duration"],
    ]
    private static let durationUnits: Set = ["d", "h", "min", "s", "ms"]
    private static let ofDevice: Set = [
        "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "model_id", "name",
        "serial_number", "suggested_area", "sw_version", "via_device",
    ]
    private static let ofOrigin: Set = ["name", "support_url", "sw_version"]
    /// `qos` is not one of these keys: older versions accept it at the top level and ignore it.
    private static let ofDeviceMessage: Set = [
        "availability", "availability_mode", "availability_template", "availability_topic", "command_topic",
        "components", "device", "origin", "payload_available", "payload_not_available", "state_topic",
    ]
}

// MARK: - Messages

extension HomeAssistantRules {
    private mutating func check(_ payload: JSON, on topic: String, _ prefix: String) {
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/").map(String.init)
        expect(topic.hasPrefix(prefix + "/") && levels.last == "config", topic, "it is not a discovery topic")
        for id in levels.dropFirst().dropLast() {
            let fits = id.utf8.allSatisfy {
                $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || Unicode.Scalar($0).properties.isAlphabetic
                    || (48...57).contains($0)
            }
            expect(fits, topic, "\(id) is no id")
        }
        let members = members(of: payload, topic)
        guard levels.first == "device" else {
            expect(levels.count == 4, topic, "it has the wrong number of levels")
            checkDevice(members, topic)
            return checkEntity(members, levels.first ?? "", topic)
        }
        expectOnly(Self.ofDeviceMessage, members, topic)
        checkDevice(members, topic)
        let components = self.members(of: members["components"] ?? .null, "\(topic) components")
        for (key, component) in components.sorted(by: { $0.key < $1.key }) {
            var entity = self.members(of: component, key)
            guard case .string(let platform) = entity.removeValue(forKey: "platform") else {
                faults.append("\(key): it has no platform")
                continue
            }
            // An entity with only a platform is removed.
            guard !entity.isEmpty else { continue }
            for name in ["state_topic", "command_topic", "availability_topic"] where Self.knows(name, platform) {
                entity[name] = entity[name] ?? members[name]
            }
            checkEntity(entity, platform, key)
        }
    }

    private static func knows(_ key: String, _ platform: String) -> Bool {
        ofAll.contains(key) || ofPlatform[platform]?.contains(key) == true
    }

    private mutating func checkDevice(_ message: [String: JSON], _ place: String) {
        let device = members(of: message["device"] ?? .null, "\(place) device")
        expectOnly(Self.ofDevice, device, "\(place) device")
        expect(device.values.allSatisfy { $0 != .null }, place, "null in device")
        if case .array(let identifiers) = device["identifiers"] {
            expect(!identifiers.isEmpty, place, "no identifier")
        } else {
            faults.append("\(place): no identifiers")
        }
        if let url = device["configuration_url"] {
            expect(
                url.string?.hasPrefix("http://") == true || url.string?.hasPrefix("https://") == true, place, "a URL")
        }
        let origin = members(of: message["origin"] ?? .null, "\(place) origin")
        expectOnly(Self.ofOrigin, origin, "\(place) origin")
        expect(origin["name"]?.string != nil, place, "origin without a name")
    }

    private mutating func checkEntity(_ entity: [String: JSON], _ platform: String, _ place: String) {
        guard Self.platforms.contains(platform) else { return faults.append("\(place): the platform \(platform)") }
        expectOnly(Self.ofAll.union(Self.ofPlatform[platform] ?? []), entity, place)
        for key in Self.required[platform] ?? [] { expect(entity[key] != nil, place, "\(key) is missing") }
        for (key, value) in entity where value == .null { faults.append("\(place): \(key) is null") }
        if let id = entity["unique_id"]?.string {
            expect(uniqueIDs.insert("\(platform) \(id)").inserted, place, "the unique_id is there twice")
        } else {
            faults.append("\(place): unique_id is missing")
        }
        expect(entity["availability_topic"] != nil, place, "it is never unavailable")
        expect(entity["qos"] == 1, place, "qos is not 1")
        checkID(entity["default_entity_id"]?.string ?? "", platform, place)
        checkClass(entity, platform, place)
        if let icon = entity["icon"]?.string { expect(icon.contains(":"), place, "the icon has no colon") }
        if let category = entity["entity_category"]?.string {
            expect(["config", "diagnostic"].contains(category), place, "the category \(category)")
            expect(category != "config" || !platform.hasSuffix("sensor"), place, "a sensor in the category config")
        }
        for (key, value) in entity where key.hasSuffix("_topic") {
            expect(value.string?.contains { "+#".contains($0) } == false, place, "a wildcard in \(key)")
        }
        switch platform {
        case "number": checkNumber(entity, place)
        case "text": checkText(entity, place)
        case "event", "select":
            let texts = entity[platform == "event" ? "event_types" : "options"]?.strings ?? []
            expect(!texts.isEmpty && Set(texts).count == texts.count, place, "no text, or one twice")
            expect(texts.allSatisfy { $0.unicodeScalars.count <= 255 }, place, "a string of more than 255 characters")
        default: break
        }
    }

    private mutating func checkID(_ id: String, _ platform: String, _ place: String) {
        let parts = id.split(separator: ".")
        expect(parts.count == 2 && parts[0] == platform, place, "default_entity_id \(id) is of another domain")
        let fits = parts.last?.utf8.allSatisfy {
            $0 == UInt8(ascii: "_") || (48...57).contains($0) || (97...122).contains($0)
        }
        expect(fits == true, place, "default_entity_id \(id) would be changed")
    }

    private mutating func checkClass(_ entity: [String: JSON], _ platform: String, _ place: String) {
        let kind = entity["device_class"]?.string
        let unit = entity["unit_of_measurement"]?.string
        if let kind {
            expect(Self.deviceClasses[platform]?.contains(kind) == true, place, "the device class \(kind)")
        }
        switch kind {
        case "duration": expect(unit.map(Self.durationUnits.contains) == true, place, "the unit of a duration")
        case "enum", "timestamp": expect(unit == nil && entity["state_class"] == nil, place, "a unit or a state class")
        default: break
        }
        if platform == "sensor" {
            expect((entity["options"] != nil) == (kind == "enum"), place, "enum and options require each other")
        }
        if let state = entity["state_class"]?.string {
            expect(["measurement", "total", "total_increasing"].contains(state), place, "the state class \(state)")
        }
    }

    private mutating func checkText(_ entity: [String: JSON], _ place: String) {
        let (low, high) = (entity["min"]?.double ?? 0, entity["max"]?.double ?? 255)
        expect(0 <= low && low < high && high <= 255, place, "min and max of a text entity")
    }

    private mutating func checkNumber(_ entity: [String: JSON], _ place: String) {
        let (low, high) = (entity["min"]?.double ?? 1, entity["max"]?.double ?? 100)
        expect(low < high, place, "min is not below max")
        expect(entity["step"]?.double ?? 1 >= 0.001, place, "the step is too small")
        expect(["auto", "box", "slider"].contains(entity["mode"]?.string ?? "auto"), place, "the mode")
    }
}

// MARK: - Faults

extension HomeAssistantRules {
    private mutating func expect(_ holds: Bool, _ place: String, _ fault: String) {
        if !holds { faults.append("\(place): \(fault)") }
    }

    private mutating func expectOnly(_ known: Set<String>, _ members: [String: JSON], _ place: String) {
        for key in members.keys.sorted() where !known.contains(key) { faults.append("\(place): unknown key \(key)") }
    }

    private mutating func members(of json: JSON, _ place: String) -> [String: JSON] {
        guard case .object(let members) = json else {
            faults.append("\(place): no object")
            return [:]
        }
        return Dictionary(members.map { (Self.abbreviations[$0.key] ?? $0.key, $0.value) }) { first, _ in
            faults.append("\(place): a key twice")
            return first
        }
    }
}

extension JSON {
    var string: String? { if case .string(let text) = self { text } else { nil } }

    /// Returns the strings in a list of strings.
    var strings: [String] { if case .array(let elements) = self { elements.compactMap(\.string) } else { [] } }

    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
