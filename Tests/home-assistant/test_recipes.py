"""The dashboard, automations and blueprints of docs/home-assistant.md work, and the page shows them as they are."""
import json
import os
import pathlib
import re
import tempfile
import unittest
from datetime import datetime

import yaml

import contract
from bench import Bench, NodeTest
from home_assistant import KNOWS_DEFAULT_ENTITY_ID
from processes import wait_until

HERE = pathlib.Path(__file__).parent
CLONE = HERE.parents[1]
RECIPES = CLONE / "config/home-assistant"
BLUEPRINTS = RECIPES / "blueprints/automation/timer-node"
PAGE = CLONE / "docs/home-assistant.md"

# What the automations and blueprints use besides the node: lights and a wall button on MQTT, as others have them.
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

# Each blueprint with its inputs, as Home Assistant's dialogue saves them.
_INSTANCES = [
    {"alias": "Announce", "use_blueprint": {"path": "timer-node/announce_the_alarm.yaml", "input": {
        "mode": "sensor.lectern_mode",
        "announcement": [{"action": "input_text.set_value", "target": {"entity_id": "input_text.said"},
                          "data": {"value": "{{ timer_name }} {{ states('input_text.said') | length }}"}}]}}},
    {"alias": "Press", "use_blueprint": {"path": "timer-node/wall_button_starts_the_talk.yaml", "input": {
        "press": [{"trigger": "state", "entity_id": "input_button.wall"}],
        "mode": "sensor.lectern_mode", "start": "button.lectern_start"}}},
    {"alias": "Dim", "use_blueprint": {"path": "timer-node/dim_lights_at_the_warning.yaml", "input": {
        "mode": "sensor.lectern_mode", "lights": ["light.stage", "light.dark"], "dimmed": 25}}},
]

# A talk of some seconds.
SHORT = {"duration": 6, "warning": 4, "final": 2, "name": "Short talk"}


def _make_bench():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "instances.yaml").write_text(yaml.safe_dump(_INSTANCES))
        # Without this, the frontend shows what a new user is asked. The remaining step is done by the bench.
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


class Automations(RecipeTest):
    def setUp(self):
        super().setUp()
        for name, state in (("hall", "ON"), ("stage", "ON"), ("dark", "OFF")):
            self.mqtt.publish(f"{name}/state", {"state": state, "brightness": 255})
            self.wait_for_state(f"light.{name}", state.lower())
        self.since = self.mqtt.position()

    def orders(self, light):
        """What a light was told since the beginning of the test: the brightness, in percent."""
        return [round(json.loads(message.payload)["brightness"] / 2.55)
                for message in self.mqtt.messages(f"{light}/set", self.since)]

    def wait_for_orders(self, light, expected):
        wait_until(lambda: self.orders(light) == expected, f"{light}: {expected}",
                   otherwise=lambda: str(self.orders(light)))

    def test_home_assistant_finds_no_fault_in_them(self):
        automations = self.home.states("automation.")
        written = yaml.safe_load((RECIPES / "automations.yaml").read_text())
        self.assertEqual(len(automations), len(written) + len(_INSTANCES))
        self.assertEqual({state["state"] for state in automations.values()}, {"on"})
        self.assertEqual(self.home.post("/api/config/core/check_config", {})["result"], "valid")
        blueprints = self.home.command("blueprint/list", domain="automation")
        ours = {path: blueprint for path, blueprint in blueprints.items() if path.startswith("timer-node/")}
        self.assertEqual(set(ours), {f"timer-node/{file.name}" for file in BLUEPRINTS.iterdir()})
        self.assertEqual({path for path, blueprint in ours.items() if "error" in blueprint}, set())
        self.assertEqual(set(ours), {instance["use_blueprint"]["path"] for instance in _INSTANCES}, "each has an instance")

    def test_the_lights_dim_at_the_warning_and_come_back(self):
        self.start_short_talk()
        self.wait_for_orders("hall", [100, 40])
        self.wait_for_orders("stage", [100, 25])
        self.node.command("stop")
        self.wait_for_orders("hall", [100, 40, 100])
        self.wait_for_orders("stage", [100, 25, 100])
        self.assertEqual(self.orders("dark"), [], "a light that is off stays off")

    def test_the_alarm_is_announced_once(self):
        self.home.call("input_text", "set_value", entity_id="input_text.said", value="")
        self.start_short_talk()
        spoken = self.wait_for_state("speaker.hall", lambda state: state["state"].endswith("time is up."))
        self.assertEqual(spoken["attributes"]["call"]["media_player_entity_id"], "media_player.hall")
        # The blueprint's action says the timer's name, and how long was what it had said before.
        said = self.wait_for_state("input_text.said", lambda state: state["state"].endswith(" 0"))
        name = self.node.json("state")["timer"]["name"]
        self.assertEqual((spoken["state"], said["state"]), (f"{name}: the time is up.", f"{name} 0"))
        # A node that comes back in the alarm is no reason to say it again.
        for availability, mode in (("offline", "unavailable"), ("online", "alarm")):
            self.mqtt.publish("timer/lectern/availability", availability, retain=True)
            self.wait_for_state("sensor.lectern_mode", mode)
        self.node.command("stop")
        self.wait_for_orders("hall", [100, 40, 100])  # by then the automations have seen it all
        self.assertEqual(self.home.state("input_text.said")["state"], f"{name} 0")
        self.assertEqual(self.home.state("speaker.hall")["last_updated"], spoken["last_updated"])

    def test_the_wall_button_starts_the_talk(self):
        for entity, send in (
                ("event.wall_button", lambda: self.mqtt.publish("wall/event", {"event_type": "press"})),
                ("input_button.wall", lambda: self.home.call("input_button", "press", entity_id="input_button.wall"))):
            def press():
                before = self.home.state(entity)["state"]
                send()
                self.wait_for_state(entity, lambda state: state["state"] != before)
            since = self.mqtt.position()
            press()
            self.assertEqual(self.node.response("start", since)["status"], "ok")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            press()  # while it runs, this must not begin again
            self.node.command("stop")
            self.wait_for_state("sensor.lectern_mode", "stopped")
            # By then a late start would have come.
            self.home.call("button", "press", entity_id="button.lectern_identify")
            self.node.response("identify", since)
            commands = [message.topic for message in self.mqtt.messages("timer/lectern/command/#", since)]
            self.assertEqual(commands, [self.node.topic(f"command/{verb}") for verb in ("start", "stop", "identify")])


class Dashboard(RecipeTest):
    def setUp(self):
        super().setUp()
        from browser import Browser
        self.Browser = Browser
        if not KNOWS_DEFAULT_ENTITY_ID:  # as the page tells the user to do
            for key in ("plus_1_min", "minus_1_min"):
                old, new = contract.entity_id(key), f"button.lectern_{key}"
                if self.home.state(old):
                    self.home.command("config/entity_registry/update", entity_id=old, new_entity_id=new)
                    self.wait_for_state(new, lambda state: state["state"] != "unavailable")
        dashboards = self.home.command("lovelace/dashboards/list")
        if "timer-node" not in [dashboard["url_path"] for dashboard in dashboards]:
            self.home.command("lovelace/dashboards/create", url_path="timer-node", title="Timer", mode="storage",
                              show_in_sidebar=True, require_admin=False)
        self.home.command("lovelace/config/save", url_path="timer-node",
                          config=yaml.safe_load((RECIPES / "dashboard.yaml").read_text()))

    def expect_countdown(self, browser):
        """What can be read on the screen is what is left, and goes down; three times, each another second."""
        seen = []

        def read():
            ends_at = self.node.json("state")["ends_at"]
            at, left = browser.countdown()
            if not isinstance(left, int) or left in seen:
                return False
            expected = time_of(ends_at) - at
            self.assertAlmostEqual(left, expected, delta=2, msg="seconds left on the screen")
            self.assertTrue(not seen or left < seen[-1], (seen, left))
            seen.append(left)
            return len(seen) == 3
        wait_until(read, "three times can be read on the screen", otherwise=lambda: f"{seen}, {browser.countdown()}")

    def test_every_card_is_there(self):
        with self.Browser(self.home) as browser:
            page = browser.open("timer-node/timer")
            page.wait_for_selector("hui-button-card:nth-child(1)")
            wait_until(lambda: page.locator("hui-button-card").count() == 9, "nine buttons")
            wait_until(lambda: page.locator("hui-entities-card").count() == 3, "three lists")
            for text in ("Start", "Silence", "Ends at", "Time used", "Lamps and buttons"):
                page.get_by_text(text, exact=True).first.wait_for()
            self.assertEqual(browser.errors(), [])
            browser.open("timer-node/room")
            self.assertEqual(browser.errors(), [])

    def test_a_missing_card_is_found(self):
        broken = {"views": [{"path": "timer", "cards": [
            {"type": "custom:no-such-card"}, {"type": "entities", "entities": ["sensor.no_such_entity"]},
            {"type": "markdown", "content": "<img src='data:image/svg+xml;base64,'>"}]}]}
        self.home.command("lovelace/config/save", url_path="timer-node", config=broken)
        with self.Browser(self.home) as browser:
            browser.open("timer-node/timer")
            wait_until(lambda: len(browser.errors()) >= 2, "both are found", otherwise=lambda: str(browser.errors()))

    def test_it_counts_down_each_second(self):
        with self.Browser(self.home, width=1000, height=700) as browser:
            browser.open("timer-node/room")
            self.node.command("start")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            wait_until(lambda: browser.lamps() == [(None, False), (None, False), ("#2ecc40", False)], "green")
            self.expect_countdown(browser)
            self.node.command("set", "9:02")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            self.expect_countdown(browser)
            self.node.command("set", "1:03")
            wait_until(lambda: browser.lamps() == [(None, False), ("#ffdc00", False), (None, False)], "yellow")
            self.expect_countdown(browser)
            self.node.command("pause")
            left = self.node.json("state")["remaining"]
            wait_until(lambda: browser.countdown()[1] == left, "it shows what is left, and stays there",
                       otherwise=lambda: f"{browser.countdown()}, {left}")
            self.node.command("end")
            wait_until(lambda: browser.lamps() == [("#ff4136", True), (None, False), (None, False)], "red flashes")

    def test_a_click_starts_the_talk(self):
        with self.Browser(self.home) as browser:
            page = browser.open("timer-node/timer")
            since = self.mqtt.position()
            page.locator("hui-button-card").get_by_text("Start", exact=True).click()
            self.assertEqual(self.node.response("start", since)["status"], "ok")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            self.expect_countdown(browser)
            page.locator("hui-button-card").get_by_text("+1 min", exact=True).click()
            self.assertEqual(self.node.response("add", since)["status"], "ok")
            if file := os.environ.get("DASHBOARD_PICTURE"):
                page.mouse.move(0, 0)
                page.set_viewport_size({"width": 1000, "height": 770})
                self.expect_countdown(browser)
                browser.take_picture(file)


class Removal(RecipeTest):
    def test_a_node_that_is_gone_can_be_deleted(self):
        # Home Assistant says so of what it does itself: it clears the topic once for each entity.
        self.allow("[homeassistant.components.mqtt.discovery] No device components to cleanup")
        self.allow("remove_config_entry is deprecated")  # An older one has no other command.
        self.node.kill()
        device = self.bench.device("lectern")
        self.home.command("config/device_registry/remove_config_entry", device_id=device["id"],
                          config_entry_id=device["config_entries"][0])
        wait_until(lambda: not self.mqtt.retained("homeassistant/device/lectern/config"), "nothing announces it any more")
        self.assertIsNone(self.bench.device("lectern"))


class Page(unittest.TestCase):
    def test_what_it_shows_is_what_the_files_have(self):
        blocks = re.findall(r"<!-- file: (\S+) -->\n```yaml\n(.*?)```\n", PAGE.read_text(), re.DOTALL)
        for name, text in blocks:
            with self.subTest(name):
                self.assertEqual(text, (CLONE / name).read_text())
        shown = {CLONE / name for name, _ in blocks}
        self.assertLessEqual(set(RECIPES.glob("*.yaml")), shown, "the page shows each file but the blueprints")

    def test_it_names_each_entity(self):
        text = PAGE.read_text()
        for entity in contract.ENTITIES:
            self.assertIn(f"`{entity.platform}.lectern_{entity.key}`", text)


def time_of(date):
    return datetime.fromisoformat(date.replace("Z", "+00:00")).timestamp()


if __name__ == "__main__":
    unittest.main()
