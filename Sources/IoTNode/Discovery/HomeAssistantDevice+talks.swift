internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The parts of a node whose entities exist only while the node has them.
struct OptionalParts: Hashable, Sendable {
    var hasAgenda = false
    var hasProgramme = false
    /// Whether a timer has an account.
    var hasAccounts = false
}

extension OptionalParts {
    /// The parts of a node; none for a follower, whose leader has them.
    init(_ node: ShownNode) {
        guard node.follower == nil else { return }
        hasAgenda = node.agenda.hasMeetings
        hasProgramme = node.programme.programme != nil
        hasAccounts = node.timer.timers.model.groups.contains { $0.timers.contains(where: \.carry) }
    }
}

// The entities for talks: speaker, message, lock, running order, accounts and agenda.
extension HomeAssistantDevice {
    /// The entities of the parts that a node has.
    func entities(of parts: OptionalParts) -> [Entity] {
        (parts.hasProgramme ? programme : [])
            + (parts.hasAccounts ? [button(.switch, "Switch", "swap-horizontal")] : [])
            + (parts.hasAgenda ? meetings : [])
    }

    /// The running order: a button that goes to the next entry, and the current one. Its attributes are its position,
    /// its id and the number of entries.
    private var programme: [Entity] {
        [
            Entity(
                .button, "next_entry", "Next entry",
                ["command_topic": command(.entry), "payload_press": "next", "icon": "mdi:playlist-play"]),
            Entity(
                .sensor, "entry", "Entry",
                [
                    "state_topic": .string(topics[.state]), "icon": "mdi:playlist-check",
                    "value_template": "{{ value_json.entry.title if value_json.entry else none }}",
                    "json_attributes_topic": .string(topics[.state]),
                    "json_attributes_template": "{{ (value_json.entry or {}) | tojson }}",
                ]),
        ]
    }

    var talks: [Entity] { [speaker, message, shownMessage, lock] }

    /// The speaker. The name is sent in an object, because it may begin with a brace.
    private var speaker: Entity {
        Entity(
            .text, "speaker", "Speaker",
            [
                "state_topic": .string(topics[.state]), "command_topic": command(.speaker),
                "value_template": "{{ value_json.speaker or '' }}",
                "command_template": #"{"name": {{ value | trim | to_json }}}"#,
                "min": 0, "max": .integer(TextKind.longest), "icon": "mdi:account-voice",
            ])
    }

    /// The message to the speaker. It is sent unchanged, so it may also be an object with `attention` or `for`.
    private var message: Entity {
        Entity(
            .notify, "message", "Message", ["command_topic": command(.message), "icon": "mdi:message-text-outline"])
    }

    /// The message that is shown, and a field to type a new one. The topic is empty while no message is shown.
    private var shownMessage: Entity {
        Entity(
            .text, "shown_message", "Shown message",
            [
                "state_topic": .string(topics[.message]), "command_topic": command(.message),
                "value_template": "{{ value_json.text if value_json is defined else '' }}",
                "command_template": #"{"text": {{ value | trim | to_json }}}"#,
                "min": 0, "max": .integer(MessageToSpeaker.maximumCharacters), "icon": "mdi:message-text",
            ])
    }

    private var lock: Entity {
        func payload(_ verb: Verb) -> JSON {
            .string(JSON.object([.init(key: "command", value: .string(verb.rawValue))]).text)
        }
        return Entity(
            .switch, "lock", "Lock",
            [
                "state_topic": .string(topics[.state]),
                "command_topic": .string(CommandRecipient.node(identity.id).topic(prefix: topics.prefix)),
                "value_template": "{{ 'ON' if value_json.locked else 'OFF' }}",
                "payload_on": payload(.lock), "payload_off": payload(.unlock), "state_on": "ON", "state_off": "OFF",
                "icon": "mdi:lock-outline",
            ])
    }

    /// The entities of a node that has an agenda.
    private var meetings: [Entity] {
        [
            Entity(
                .sensor, "meeting", "Meeting",
                [
                    "state_topic": .string(topics[.state]), "icon": "mdi:calendar-clock",
                    "value_template": "{{ value_json.meeting.name if value_json.meeting else none }}",
                ]),
            Entity(
                .sensor, "meeting_ends_at", "Meeting ends at",
                [
                    "state_topic": .string(topics[.state]), "device_class": "timestamp",
                    "value_template": "{{ value_json.meeting.planned_end if value_json.meeting else none }}",
                ]),
            Entity(
                .sensor, "next_meeting", "Next meeting",
                [
                    "state_topic": .string(topics[.agenda]), "icon": "mdi:calendar-arrow-right",
                    "value_template": .string(ofNext("name")),
                ]),
            Entity(
                .sensor, "next_meeting_at", "Next meeting at",
                [
                    "state_topic": .string(topics[.agenda]), "device_class": "timestamp",
                    "value_template": .string(ofNext("begins_at")),
                ]),
        ]
    }

    /// Returns the template for a field of the next meeting. The topic is empty while the agenda's time zones are
    /// unknown.
    private func ofNext(_ field: String) -> String {
        "{{ value_json.next.\(field) if value_json is defined and value_json.next else none }}"
    }
}
