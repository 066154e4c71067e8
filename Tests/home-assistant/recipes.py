"""The recipes in config/home-assistant, in a Home Assistant with the lights and buttons that they need."""
import json
import pathlib
import tempfile
from datetime import datetime

import yaml

import contract
from bench import Bench, NodeTest
from processes import wait_until

HERE = pathlib.Path(__file__).parent
CLONE = HERE.parents[1]
RECIPES = CLONE / "config/home-assistant"
BLUEPRINTS = RECIPES / "blueprints/automation/timer-node"

# The devices that the automations and blueprints use besides the node: typical lights and a wall button on MQTT.
_HOUSE = """
frontend:
speaker:
input_button:
  wall: {name: Wall}
input_text:
  said: {name: Said, max: 255}
automation recipes: !include automations.yaml
automation blueprints: !include instances.yaml
mqtt:
  - event:
      {name: Wall button, unique_id: wall_button, device_class: button, event_types: [press], state_topic: wall/event}
""" + "".join(f"""
  - light:
      {{name: {name.capitalize()}, unique_id: {name}, schema: json, brightness: true,
        command_topic: {name}/set, state_topic: {name}/state}}
""" for name in ("hall", "stage", "dark"))

# An instance of each blueprint, as Home Assistant's dialogue saves it.
INSTANCES = [
    {"alias": "Announce", "use_blueprint": {"path": "timer-node/announce_the_alarm.yaml", "input": {
        "mode": "sensor.lectern_mode",
        "announcement": [{"action": "input_text.set_value", "target": {"entity_id": "input_text.said"},
                          "data": {"value": "{{ timer_name }} {{ states('input_text.said') | length }}"}}]}}},
    {"alias": "Press", "use_blueprint": {"path": "timer-node/wall_button_starts_the_talk.yaml", "input": {
        "press": [{"trigger": "state", "entity_id": "input_button.wall"}],
        "mode": "sensor.lectern_mode", "start": "button.lectern_start"}}},
    {"alias": "Dim", "use_blueprint": {"path": "timer-node/dim_lights_at_the_warning.yaml", "input": {
        "mode": "sensor.lectern_mode", "lights": ["light.stage", "light.dark"], "dimmed": 25}}},
    {"alias": "Write", "use_blueprint": {"path": "timer-node/send_the_speaker_a_message.yaml", "input": {
        "mode": "sensor.lectern_mode", "message": "notify.lectern_message", "when": "warning",
        "text": 'Zoë, "half" is over'}}},
    {"alias": "Remind", "use_blueprint": {"path": "timer-node/nobody_started_the_meeting.yaml", "input": {
        "event": "event.lectern_transition",
        "reminder": [{"action": "input_text.set_value", "target": {"entity_id": "input_text.said"},
                      "data": {"value": "{{ meeting }} {{ count }}"}}]}}},
]

# A talk of a few seconds.
SHORT = {"duration": 6, "warning": 4, "final": 2, "name": "Short talk"}


def _make_bench():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "instances.yaml").write_text(yaml.safe_dump(INSTANCES))
        # Without this, the frontend shows the onboarding of a new user. The bench does the remaining step.
        (folder / "onboarding").write_text(json.dumps({"version": 4, "minor_version": 1, "key": "onboarding", "data": {
            "done": ["core_config", "analytics", "integration"]}}))
        return Bench(files=[
            (RECIPES / "automations.yaml", "automations.yaml"), (RECIPES / "blueprints", "blueprints"),
            (folder / "instances.yaml", "instances.yaml"), (folder / "onboarding", ".storage/onboarding"),
            (HERE / "speaker", "custom_components/speaker")], configuration=_HOUSE)


class RecipeTest(NodeTest):
    _bench = None

    def shared_bench(self):
        RecipeTest._bench = RecipeTest._bench or _make_bench()
        return RecipeTest._bench

    def setUp(self):
        super().setUp()
        self.node = self.start_node()
        self.wait_for_state("sensor.lectern_mode", "stopped")
        wait_until(lambda: len(self.bench.entities_of("lectern")) == len(contract.ENTITIES), "all entities")

    def start_short_talk(self):
        self.assertEqual(self.node.command("start", SHORT)["status"], "ok")


def time_of(date):
    return datetime.fromisoformat(date.replace("Z", "+00:00")).timestamp()
