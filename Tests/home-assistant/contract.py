"""The entities that the node announces, with the properties that they must have in Home Assistant."""
import collections

from home_assistant import KNOWS_DEFAULT_ENTITY_ID

MODES = ["stopped", "countdown", "warning", "final", "alarm", "paused"]
EVENT_TYPES = [*MODES, "transition", "run_ended", "run_undone", "budget_spent", "timer_edited", "gpio_fault",
               "gpio_recovered", "message", "message_cleared", "meeting_began", "meeting_ended", "reminder"]

Entity = collections.namedtuple("Entity", "key platform name attributes category", defaults=[{}, None])

_SECONDS = {"device_class": "duration", "unit_of_measurement": "s"}
REMAINING = Entity("remaining", "sensor", "Remaining", _SECONDS)  # not enabled by default
_MINUTES = {"device_class": "duration", "unit_of_measurement": "min", "min": 0, "max": 1440, "step": 0.5, "mode": "box"}
DURATION = Entity("duration", "number", "Duration", _MINUTES, "config")
ENTITIES = [
    Entity("mode", "sensor", "Mode", {"device_class": "enum", "options": MODES}),
    Entity("ends_at", "sensor", "Ends at", {"device_class": "timestamp"}),
    REMAINING,
    Entity("timer_name", "sensor", "Timer name"),
    Entity("last_used", "sensor", "Last used", _SECONDS),
    Entity("last_over", "sensor", "Last over", _SECONDS),
    Entity("timer", "select", "Timer"),
    *(Entity(verb, "button", verb.capitalize()) for verb in
      ("start", "pause", "resume", "toggle", "stop", "end", "next", "previous", "silence", "undo")),
    Entity("plus_1_min", "button", "+1 min"),
    Entity("minus_1_min", "button", "-1 min"),
    Entity("identify", "button", "Identify", category="diagnostic"),
    Entity("lamp_test", "button", "Lamp test", category="diagnostic"),
    DURATION,
    Entity("transition", "event", "Transition", {"event_types": EVENT_TYPES}),
    Entity("speaker", "text", "Speaker", {"min": 0, "max": 128, "mode": "text"}),
    Entity("message", "notify", "Message"),
    Entity("shown_message", "text", "Shown message", {"min": 0, "max": 200, "mode": "text"}),
    Entity("lock", "switch", "Lock"),
    Entity("running", "binary_sensor", "Running", {"device_class": "running"}),
    Entity("gpio_problem", "binary_sensor", "GPIO problem", {"device_class": "problem"}, "diagnostic"),
    Entity("started", "sensor", "Started", {"device_class": "timestamp"}, "diagnostic"),
    Entity("reconnects", "sensor", "Reconnects", {"state_class": "total_increasing"}, "diagnostic"),
]
KEYS = {entity.key for entity in ENTITIES}
# The additional entities of a node with an agenda.
AGENDA = [
    Entity("meeting", "sensor", "Meeting"),
    Entity("meeting_ends_at", "sensor", "Meeting ends at", {"device_class": "timestamp"}),
    Entity("next_meeting", "sensor", "Next meeting"),
    Entity("next_meeting_at", "sensor", "Next meeting at", {"device_class": "timestamp"}),
]
AGENDA_KEYS = {entity.key for entity in AGENDA}
# The additional entities of a node with a running order.
PROGRAMME = [Entity("next_entry", "button", "Next entry"), Entity("entry", "sensor", "Entry")]
PROGRAMME_KEYS = {entity.key for entity in PROGRAMME}
# The additional entities of a node that follows another one.
FOLLOWER = [
    Entity("leader", "sensor", "Leader", category="diagnostic"),
    Entity("in_step", "binary_sensor", "In step", category="diagnostic"),
    Entity("clock_offset", "sensor", "Clock offset", _SECONDS, "diagnostic"),
    Entity("clock_error", "sensor", "Clock error", {"device_class": "duration", "unit_of_measurement": "ms"},
           "diagnostic"),
]
# The entities whose state is unknown until they are first used. The others have a state as soon as the node is online.
PRESSED = {entity.key for entity in ENTITIES if entity.platform == "button"}
UNKNOWN_AT_FIRST = PRESSED | {"ends_at", "last_used", "last_over", "transition", "message", "shown_message"}


def entity_id(key, node="lectern"):
    """Returns Home Assistant's id for an entity of a node whose name is its capitalised id, such as `Lectern`."""
    entity = next(entity for entity in [*ENTITIES, *AGENDA, *PROGRAMME, *FOLLOWER] if entity.key == key)
    object_id = f"{node.replace('-', '_')}_{key}"
    if not KNOWS_DEFAULT_ENTITY_ID:
        # Derived from the names of device and entity, without + and -.
        object_id = {"plus_1_min": f"{node}_1_min", "minus_1_min": f"{node}_1_min_2"}.get(key, object_id)
    return f"{entity.platform}.{object_id}"
