@testable import TimerProtocol

/// What a device of another maker does with a message, according to its documentation.
struct MirrorDevice {
    private(set) var isOn = false
    private(set) var color: String?
    private(set) var effect: String?
    private(set) var text: String?

    /// Why a device would ignore a message.
    struct Ignored: Error {
        let payload: String
    }

    /// What the device shows, in words.
    var shown: String {
        if let text { return "\(text) in \(color ?? "")" }
        guard isOn else { return "off" }
        return [color ?? (effect == nil ? "on" : nil), effect].compactMap(\.self).joined(separator: ", ")
    }

    /// Takes a message of a device named as the heading in `docs/mirrors.md`.
    mutating func take(_ payload: String, on topic: String, as device: String) throws {
        switch device {
        case "Zigbee2MQTT" where topic.hasPrefix("zigbee2mqtt/") && topic.hasSuffix("/set"): try zigbee2MQTT(payload)
        case "Tasmota" where topic.hasPrefix("cmnd/") && topic.hasSuffix("/POWER"): try tasmota(payload)
        case "Shelly, first generation" where topic.wholeMatch(of: /shellies\/[^\/]+\/relay\/\d\/command/) != nil:
            try switched(payload)
        case "Shelly, second generation and later" where topic.hasSuffix("/command/switch:0"): try switched(payload)
        case "WLED" where topic.hasPrefix("wled/") && topic.hasSuffix("/api"): try wled(payload)
        case "ESPHome" where topic.wholeMatch(of: /[^\/]+\/light\/[^\/]+\/command/) != nil: try espHome(payload)
        case "AWTRIX 3" where topic.wholeMatch(of: /[^\/]+\/custom\/[^\/]+/) != nil: try awtrix(payload)
        default: throw Ignored(payload: "\(topic) \(payload)")
        }
    }

    /// A payload on `zigbee2mqtt/NAME/set`: https://www.zigbee2mqtt.io/guide/usage/mqtt_topics_and_messages.html
    private mutating func zigbee2MQTT(_ payload: String) throws {
        let effects = ["blink", "breathe", "okay", "channel_change", "finish_effect", "stop_effect"]
        for (key, value) in try members(payload) {
            switch (key, value) {
            case ("state", .string("ON")): (isOn, effect) = (true, nil)
            case ("state", .string("OFF")): (isOn, effect) = (false, nil)
            case ("color", .object): color = value["hex"]?.text
            case ("effect", .string(let name)) where effects.contains(name): effect = name
            default: throw Ignored(payload: payload)
            }
        }
    }

    /// A payload on `cmnd/NAME/POWER`: https://tasmota.github.io/docs/Commands/#control
    private mutating func tasmota(_ payload: String) throws {
        switch payload.lowercased() {
        case "0", "off", "false": (isOn, effect) = (false, nil)
        case "1", "on", "true": (isOn, effect) = (true, nil)
        case "3", "blink": (isOn, effect) = (true, "blinks")
        case "4", "blinkoff": effect = nil
        default: throw Ignored(payload: payload)
        }
    }

    /// https://shelly-api-docs.shelly.cloud/gen1/#shelly1-shelly1pm-mqtt and gen2/ComponentsAndServices/Switch
    private mutating func switched(_ payload: String) throws {
        guard payload == "on" || payload == "off" else { throw Ignored(payload: payload) }
        isOn = payload == "on"
    }

    /// A payload on `wled/NAME/api`, in the syntax of the HTTP API: https://kno.wled.ge/interfaces/mqtt/
    private mutating func wled(_ payload: String) throws {
        var channels: [String: Int] = [:]
        for parameter in payload.split(separator: "&") {
            let parts = parameter.split(separator: "=")
            guard parts.count == 2, let number = Int(parts[1]), (0...255).contains(number) else {
                throw Ignored(payload: payload)
            }
            switch parts[0] {
            case "T" where number < 2: isOn = number == 1
            case "FX": effect = number == 0 ? nil : "effect \(number)"
            case "R", "G", "B": channels[String(parts[0])] = number
            default: throw Ignored(payload: payload)
            }
        }
        if let red = channels["R"], let green = channels["G"], let blue = channels["B"] {
            color = Self.hex(red, green, blue)
        }
    }

    /// A payload on `PREFIX/light/NAME/command`: https://esphome.io/components/light/ and mqtt
    private mutating func espHome(_ payload: String) throws {
        for (key, value) in try members(payload) {
            switch (key, value) {
            case ("state", .string("ON")): isOn = true
            case ("state", .string("OFF")): (isOn, effect) = (false, nil)
            case ("effect", .string(let name)): effect = name == "None" ? nil : name
            case ("color", .object):
                guard case .integer(let red)? = value["r"], case .integer(let green)? = value["g"],
                    case .integer(let blue)? = value["b"]
                else { throw Ignored(payload: payload) }
                color = Self.hex(red, green, blue)
            default: throw Ignored(payload: payload)
            }
        }
    }

    /// A payload on `PREFIX/custom/NAME`: https://blueforcer.github.io/awtrix3/#/api
    private mutating func awtrix(_ payload: String) throws {
        for (key, value) in try members(payload) {
            switch (key, value) {
            case ("text", .string(let text)): self.text = text
            case ("color", .string(let hex)) where hex.wholeMatch(of: /#[0-9A-F]{6}/) != nil: color = hex
            default: throw Ignored(payload: payload)
            }
        }
    }

    private func members(_ payload: String) throws -> [(String, JSON)] {
        let json = try JSON(parsing: Array(payload.utf8))
        guard case .object(let members) = json else { throw Ignored(payload: payload) }
        return members.map { ($0.key, $0.value) }
    }

    private static func hex(_ channels: Int...) -> String {
        channels.reduce(into: "#") { text, channel in
            let digits = String(channel, radix: 16, uppercase: true)
            text += digits.count < 2 ? "0" + digits : digits
        }
    }
}

extension JSON {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
