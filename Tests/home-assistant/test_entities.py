"""Tests the device and the entities that Home Assistant creates from the discovery."""
import json
import os
import subprocess
import unittest

import contract
from bench import NodeTest
from processes import wait_until


class Entities(NodeTest):
    def setUp(self):
        super().setUp()
        self.node = self.start_node()
        self.wait_for_state("sensor.lectern_mode", "stopped")
        self.entities = self.bench.entities_of("lectern")

    def test_the_device_says_what_it_is(self):
        device = self.bench.device("lectern")
        version = subprocess.run([os.environ["TIMER_NODE"], "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(device["name"], "Lectern")
        self.assertEqual(device["manufacturer"], "timer-node")
        self.assertEqual(device["model"], "Timer node")
        self.assertEqual(device["sw_version"], version.stdout.strip())
        self.assertIsNone(device["configuration_url"])
        page = "http://lectern.local:8080/timer?a=b#c"
        self.node.reload(node={"web_url": page})
        wait_until(lambda: self.bench.device("lectern")["configuration_url"] == page, "the device has a page")

    def test_there_are_these_entities_and_no_others(self):
        self.assertEqual(set(self.entities), contract.KEYS)

    def test_each_entity_is_registered_as_announced(self):
        for expected in contract.ENTITIES:
            with self.subTest(expected.key):
                entity = self.entities[expected.key]
                self.assertEqual(entity["entity_id"], contract.entity_id(expected.key))
                self.assertEqual(entity["original_name"], expected.name)
                self.assertEqual(entity["entity_category"], expected.category)
                self.assertEqual(entity["disabled_by"], "integration" if expected == contract.REMAINING else None)

    def test_each_enabled_entity_has_its_attributes_and_a_state(self):
        for expected in contract.ENTITIES:
            if expected == contract.REMAINING:
                continue
            with self.subTest(expected.key):
                entity_id = contract.entity_id(expected.key)
                state = self.wait_for_state(entity_id, lambda state: state["state"] != "unavailable")
                attributes = state["attributes"]
                # The node publishes that no message is shown, possibly before Home Assistant is subscribed.
                if expected.key != "shown_message" or state["state"]:
                    self.assertEqual(state["state"] == "unknown", expected.key in contract.UNKNOWN_AT_FIRST)
                self.assertEqual(attributes["friendly_name"], f"Lectern {expected.name}")
                self.assertEqual({key: attributes.get(key) for key in expected.attributes}, expected.attributes)

    def test_the_states_are_the_nodes(self):
        health = self.node.json("health")
        self.wait_for_state("sensor.lectern_timer_name", "Talk")
        self.wait_for_state("select.lectern_timer", "1/1 Talk")
        self.wait_for_number("number.lectern_duration", 20)
        self.wait_for_state("binary_sensor.lectern_running", "off")
        self.wait_for_state("binary_sensor.lectern_gpio_problem", "off")
        self.wait_for_state("sensor.lectern_started", health["started_at"][:19] + "+00:00")
        self.wait_for_state("sensor.lectern_reconnects", str(health["reconnects"]))
        options = self.home.state("select.lectern_timer")["attributes"]["options"]
        self.assertEqual(options, ["1/1 Talk", "1/2 Questions", "2/1 Break"])

    def test_the_remaining_time_counts_once_somebody_enables_it(self):
        self.home.command("config/entity_registry/update", entity_id="sensor.lectern_remaining", disabled_by=None)
        # Home Assistant would reload the entry on its own after 30 s; this does it now.
        entry = self.entities["remaining"]["config_entry_id"]
        since = self.mqtt.position()
        self.home.post(f"/api/config/config_entries/entry/{entry}/reload", {})
        # The reload reconnects. Home Assistant complains if a later test stops the broker before its birth message.
        self.bench.wait_for_birth(since)
        self.node.command("start")
        self.wait_for_state("sensor.lectern_remaining", lambda state: state["state"].isdigit())
        first = int(self.home.state("sensor.lectern_remaining")["state"])
        self.wait_for_state("sensor.lectern_remaining",
                            lambda state: state["state"].isdigit() and int(state["state"]) < first)


class OtherNodes(NodeTest):
    def test_two_nodes_are_two_devices(self):
        first, second = self.start_node(), self.start_node("stage", name="Stage")
        self.wait_for_state("sensor.lectern_mode", "stopped")
        self.wait_for_state("sensor.stage_mode", "stopped")
        self.assertEqual(set(self.bench.entities_of("stage")), contract.KEYS)
        self.assertNotEqual(self.bench.device("lectern")["id"], self.bench.device("stage")["id"])
        self.home.call("button", "press", entity_id="button.stage_start")
        self.wait_for_state("sensor.stage_mode", "countdown")
        self.wait_for_state("sensor.lectern_mode", "stopped")
        second.wait_for_message("state", lambda payload: json.loads(payload)["mode"] == "countdown")
        self.assertEqual(first.json("state")["mode"], "stopped")

    @unittest.skipUnless(contract.KNOWS_DEFAULT_ENTITY_ID, "this Home Assistant makes entity ids of names")
    def test_the_id_and_not_the_name_is_in_the_entity_ids(self):
        self.start_node("stage_2-b", name="Stage left")
        self.wait_for_state("sensor.stage_2_b_mode", "stopped")
        self.assertEqual(self.bench.device("stage_2-b")["name"], "Stage left")
        for key, entity in self.bench.entities_of("stage_2-b").items():
            self.assertEqual(entity["entity_id"], contract.entity_id(key, "stage_2-b"))


if __name__ == "__main__":
    unittest.main()
