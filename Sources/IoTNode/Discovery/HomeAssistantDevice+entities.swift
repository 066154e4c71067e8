internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

extension HomeAssistantDevice {
    /// Returns the entities, in the order in which Home Assistant adds them.
    ///
    /// - Parameters:
    ///   - timers: the paths of the selectable timers, and the names that users see.
    ///   - parts: the optional parts of the node.
    func entities(timers: [(path: TimerPath, selector: String)], with parts: OptionalParts) -> [Entity] {
        var entities = [mode, running, selection(of: timers), timerName, endsAt]
        if publishesTicks { entities.append(remaining) }
        entities += buttons + [transition] + runs
        if takesEdits { entities.append(duration) }
        entities += talks + self.entities(of: parts)
        entities += diagnostics
        if follows { entities += following }
        return entities
    }

    private var mode: Entity {
        Entity(
            .sensor, "mode", "Mode",
            [
                "state_topic": .string(topics[.mode]), "device_class": "enum",
                "options": .array(ModeName.allCases.map { .string($0.rawValue) }),
                "json_attributes_topic": .string(topics[.state]), "icon": "mdi:traffic-light",
            ])
    }

    private var running: Entity {
        let modes: [ModeName] = [.countdown, .warning, .final, .alarm]
        let list = JSON.array(modes.map { .string($0.rawValue) }).text
        return Entity(
            .binarySensor, "running", "Running",
            [
                "state_topic": .string(topics[.mode]), "device_class": "running",
                "value_template": .string("{{ 'ON' if value in \(list) else 'OFF' }}"),
            ])
    }

    /// Returns the entity that selects the timer. A one-off run has its own name, so the option is found by its path.
    /// Template strings have the same syntax as JSON strings.
    private func selection(of timers: [(path: TimerPath, selector: String)]) -> Entity {
        let table = JSON.object(timers.map { .init(key: $0.path.description, value: .string($0.selector)) }).text
        return Entity(
            .select, "timer", "Timer",
            [
                "state_topic": .string(topics[.state]), "command_topic": command(.select),
                "options": .array(timers.map { .string($0.selector) }),
                "value_template": .string("{{ \(table).get(value_json.timer.path) }}"), "icon": "mdi:timer-cog-outline",
            ])
    }

    private var timerName: Entity {
        Entity(
            .sensor, "timer_name", "Timer name",
            [
                "state_topic": .string(topics[.state]), "value_template": "{{ value_json.timer.name }}",
                "icon": "mdi:card-text-outline",
            ])
    }

    private var endsAt: Entity {
        Entity(
            .sensor, "ends_at", "Ends at",
            [
                "state_topic": .string(topics[.state]), "device_class": "timestamp",
                "value_template": "{{ value_json.ends_at }}",
            ])
    }

    /// The remaining seconds. They change every second, so Home Assistant's recorder should not store them unless the
    /// user enables the entity.
    private var remaining: Entity {
        Entity(
            .sensor, "remaining", "Remaining",
            [
                "state_topic": .string(topics[.tick]), "device_class": "duration", "unit_of_measurement": "s",
                "suggested_display_precision": 0, "enabled_by_default": false,
            ])
    }

    private var buttons: [Entity] {
        [
            button(.start, "Start", "play"),
            button(.pause, "Pause", "pause"),
            button(.resume, "Resume", "play-pause"),
            button(.toggle, "Toggle", "gesture-tap-button"),
            button(.stop, "Stop", "stop"),
            button(.end, "End", "flag-checkered"),
            button(.next, "Next", "skip-next"),
            button(.previous, "Previous", "skip-previous"),
            addition("plus_1_min", "+1 min", seconds: "+60", "plus"),
            addition("minus_1_min", "-1 min", seconds: "-60", "minus"),
            button(.silence, "Silence", "bell-off"),
            button(.undo, "Undo", "undo"),
        ]
    }

    func button(_ verb: Verb, _ name: String, _ icon: String) -> Entity {
        Entity(.button, verb.rawValue, name, ["command_topic": command(verb), "icon": .string("mdi:\(icon)")])
    }

    private func addition(_ key: String, _ name: String, seconds: JSON, _ icon: String) -> Entity {
        Entity(
            .button, key, name,
            ["command_topic": command(.add), "payload_press": seconds, "icon": .string("mdi:\(icon)")])
    }

    private var transition: Entity {
        Entity(
            .event, "transition", "Transition",
            [
                "state_topic": .string(topics[.event]), "event_types": .array(EventMessage.types.map(JSON.string)),
                "icon": "mdi:traffic-light-outline",
            ])
    }

    private var runs: [Entity] {
        [("last_used", "Last used", "used"), ("last_over", "Last over", "over")].map { key, name, field in
            Entity(
                .sensor, key, name,
                [
                    "state_topic": .string(topics[.state]), "device_class": "duration", "unit_of_measurement": "s",
                    "suggested_display_precision": 0,
                    "value_template": .string("{{ value_json.last.\(field) if value_json.last else none }}"),
                ])
        }
    }

    private var duration: Entity {
        let (longest, rest) = Thresholds.longest.quotientAndRemainder(dividingBy: 60)
        return Entity(
            .number, "duration", "Duration",
            [
                "state_topic": .string(topics[.state]), "command_topic": command(.edit), "device_class": "duration",
                "unit_of_measurement": "min", "min": 0, "max": .integer(rest > 0 ? longest + 1 : longest),
                "step": .number(0.5), "mode": "box", "entity_category": "config",
                "value_template": "{{ (value_json.start / 60) | round(4) }}",
                "command_template": #"{"start": {{ (value * 60) | round | int }}}"#,
            ])
    }

    private var diagnostics: [Entity] {
        [
            Entity(
                .button, "identify", "Identify",
                [
                    "command_topic": command(.identify), "device_class": "identify", "entity_category": "diagnostic",
                ]),
            Entity(
                .button, "lamp_test", "Lamp test",
                [
                    "command_topic": command(.lampTest), "entity_category": "diagnostic",
                    "icon": "mdi:lightbulb-multiple-outline",
                ]),
            Entity(
                .binarySensor, "gpio_problem", "GPIO problem",
                [
                    "state_topic": .string(topics[.health]), "device_class": "problem", "entity_category": "diagnostic",
                    "value_template": "{{ 'ON' if value_json.gpio.fault else 'OFF' }}",
                ]),
            Entity(
                .sensor, "started", "Started",
                [
                    "state_topic": .string(topics[.health]), "device_class": "timestamp",
                    "entity_category": "diagnostic",
                    "value_template": "{{ value_json.started_at }}",
                ]),
            Entity(
                .sensor, "reconnects", "Reconnects",
                [
                    "state_topic": .string(topics[.health]), "state_class": "total_increasing",
                    "entity_category": "diagnostic", "value_template": "{{ value_json.reconnects }}",
                    "icon": "mdi:connection",
                ]),
        ]
    }

    func command(_ verb: Verb) -> JSON {
        .string(CommandRecipient.node(identity.id).topic(prefix: topics.prefix, verb: verb))
    }
}

extension HomeAssistantDevice {
    /// The entities that show how closely a node follows its leader.
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
            // Even the oldest supported Home Assistant knows the units of both.
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

    /// Returns the template for a clock value, which is null until it is known.
    private func ofFollower(_ field: String, divisor: Int) -> String {
        "{{ value_json.follow.\(field) / \(divisor) if (value_json.follow or {}).\(field) is number else none }}"
    }
}
