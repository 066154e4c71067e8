internal import TimerProtocol

extension HomeAssistantDevice {
    /// How well a node keeps time with the one that it follows.
    var following: [Entity] {
        [
            Entity(
                .sensor, "leader", "Leader",
                [
                    "state_topic": .string(topics[.health]), "entity_category": "diagnostic",
                    "value_template": .string(ofFollower("leader")), "icon": "mdi:account-arrow-right",
                ]),
            Entity(
                .binarySensor, "in_step", "In step",
                [
                    "state_topic": .string(topics[.health]), "entity_category": "diagnostic",
                    "value_template": "{{ 'ON' if value_json.follow and value_json.follow.in_step else 'OFF' }}",
                    "icon": "mdi:walk",
                ]),
            // The units of both are those that the oldest Home Assistant knows, too.
            Entity(
                .sensor, "clock_offset", "Clock offset",
                [
                    "state_topic": .string(topics[.health]), "device_class": "duration", "unit_of_measurement": "s",
                    "suggested_display_precision": 3, "entity_category": "diagnostic",
                    "value_template": .string(ofFollower("offset_us", divisor: 1_000_000)),
                ]),
            Entity(
                .sensor, "clock_error", "Clock error",
                [
                    "state_topic": .string(topics[.health]), "device_class": "duration", "unit_of_measurement": "ms",
                    "suggested_display_precision": 1, "entity_category": "diagnostic",
                    "value_template": .string(ofFollower("error_us", divisor: 1000)),
                ]),
        ]
    }

    private func ofFollower(_ field: String) -> String {
        "{{ value_json.follow.\(field) if value_json.follow else none }}"
    }

    /// Both are null until they are known.
    private func ofFollower(_ field: String, divisor: Int) -> String {
        "{{ value_json.follow.\(field) / \(divisor) if (value_json.follow or {}).\(field) is number else none }}"
    }
}
