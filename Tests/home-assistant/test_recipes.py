"""Tests the automations and blueprints in config/home-assistant, and that docs/integrations.md names every entity."""
import json
import unittest

import yaml

import contract
from node import agenda, meeting
from processes import wait_until
from recipes import BLUEPRINTS, CLONE, INSTANCES, RECIPES, RecipeTest, time_of

PAGE = CLONE / "docs/integrations.md"


class Automations(RecipeTest):
    def setUp(self):
        super().setUp()
        for name, state in (("hall", "ON"), ("stage", "ON"), ("dark", "OFF")):
            self.mqtt.publish(f"{name}/state", {"state": state, "brightness": 255})
            self.wait_for_state(f"light.{name}", state.lower())
        self.since = self.mqtt.position()

    def orders(self, light):
        """Returns the brightness values, in percent, sent to a light since the beginning of the test."""
        return [round(json.loads(message.payload)["brightness"] / 2.55)
                for message in self.mqtt.messages(f"{light}/set", self.since)]

    def wait_for_orders(self, light, expected):
        wait_until(lambda: self.orders(light) == expected, f"{light}: {expected}",
                   otherwise=lambda: str(self.orders(light)))

    def test_home_assistant_finds_no_fault_in_them(self):
        automations = self.home.states("automation.")
        written = yaml.safe_load((RECIPES / "automations.yaml").read_text())
        self.assertEqual(len(automations), len(written) + len(INSTANCES))
        self.assertEqual({state["state"] for state in automations.values()}, {"on"})
        self.assertEqual(self.home.post("/api/config/core/check_config", {})["result"], "valid")
        blueprints = self.home.command("blueprint/list", domain="automation")
        ours = {path: blueprint for path, blueprint in blueprints.items() if path.startswith("timer-node/")}
        self.assertEqual(set(ours), {f"timer-node/{file.name}" for file in BLUEPRINTS.iterdir()})
        self.assertEqual({path for path, blueprint in ours.items() if "error" in blueprint}, set())
        self.assertEqual(set(ours), {instance["use_blueprint"]["path"] for instance in INSTANCES}, "each has an instance")

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
        # The blueprint's action stores the timer's name and the length of the previous text.
        said = self.wait_for_state("input_text.said", lambda state: state["state"].endswith(" 0"))
        name = self.node.json("state")["timer"]["name"]
        self.assertEqual((spoken["state"], said["state"]), (f"{name}: the time is up.", f"{name} 0"))
        # A node that comes back during the alarm must not cause another announcement.
        self.node.stop()
        self.wait_for_state("sensor.lectern_mode", "unavailable")
        self.node.start()
        self.wait_for_state("sensor.lectern_mode", "alarm")
        self.node.command("stop")
        self.wait_for_orders("hall", [100, 40, 100])  # by then the automations have processed everything
        self.assertEqual(self.home.state("input_text.said")["state"], f"{name} 0")
        self.assertEqual(self.home.state("speaker.hall")["last_updated"], spoken["last_updated"])

    def test_the_speaker_gets_messages_until_the_stop(self):
        self.start_short_talk()
        since = self.since
        wait_until(lambda: len(self.messages(since)) == 2, "two messages", otherwise=lambda: str(self.messages(since)))
        half, wrap_up = self.messages(since)
        self.assertEqual((half["text"], half["attention"], half["until"]), ('Zoë, "half" is over', True, None))
        self.assertEqual((wrap_up["text"], wrap_up["attention"]), ("Please wrap up", True))
        self.assertAlmostEqual(time_of(wrap_up["until"]) - time_of(wrap_up["at"]), 20, delta=1)
        self.node.command("stop")
        wait_until(lambda: not self.mqtt.retained(self.node.topic("message")), "no message is shown")

    def messages(self, since):
        return [json.loads(message.payload) for message in self.mqtt.messages(self.node.topic("message"), since)
                if message.payload]

    def test_it_is_said_that_nobody_has_started_the_meeting(self):
        self.home.call("input_text", "set_value", entity_id="input_text.said", value="")
        self.node.command("agenda", agenda(meeting("Toastmasters", group=2, begin="select")))
        spoken = self.wait_for_state("speaker.hall", lambda state: state["state"].startswith("Toastmasters: "))
        self.assertEqual(spoken["state"], "Toastmasters: nobody has started the timer.")
        self.wait_for_state("input_text.said", "Toastmasters 1")

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
            press()  # this must not restart the running timer
            self.node.command("stop")
            self.wait_for_state("sensor.lectern_mode", "stopped")
            # By then a late start would have arrived.
            self.home.call("button", "press", entity_id="button.lectern_identify")
            self.node.response("identify", since)
            commands = [message.topic for message in self.mqtt.messages("timer/lectern/command/#", since)]
            self.assertEqual(commands, [self.node.topic(f"command/{verb}") for verb in ("start", "stop", "identify")])


class Removal(RecipeTest):
    def test_a_node_that_is_gone_can_be_deleted(self):
        # Home Assistant logs this about its own action: it clears the topic once for each entity.
        self.allow("[homeassistant.components.mqtt.discovery] No device components to cleanup")
        self.allow("remove_config_entry is deprecated")  # Older releases have no other command.
        self.node.kill()
        device = self.bench.device("lectern")
        self.home.command("config/device_registry/remove_config_entry", device_id=device["id"],
                          config_entry_id=device["config_entries"][0])
        wait_until(lambda: not self.mqtt.retained("homeassistant/device/lectern/config"), "nothing announces it any more")
        self.assertIsNone(self.bench.device("lectern"))


class Page(unittest.TestCase):
    def test_it_names_each_entity(self):
        text = PAGE.read_text()
        for entity in [*contract.ENTITIES, *contract.AGENDA, *contract.FOLLOWER]:
            self.assertIn(f"`{entity.platform}.lectern_{entity.key}`", text)


if __name__ == "__main__":
    unittest.main()
