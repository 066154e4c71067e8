"""Tests a node that follows another one: its accuracy, and that buttons pressed there act on the leader."""
import unittest

import contract
from bench import NodeTest
from processes import wait_until


class Follower(NodeTest):
    def setUp(self):
        super().setUp()
        self.leader = self.start_node("stage", name="Stage")
        self.node = self.start_node(follow={"node": "stage"})
        self.wait_for_state("sensor.lectern_leader", "stage")
        self.wait_for_state("binary_sensor.lectern_in_step", "on")

    def test_it_says_how_well_it_follows(self):
        entities = self.bench.entities_of("lectern")
        self.assertEqual(set(entities), contract.KEYS | {entity.key for entity in contract.FOLLOWER})
        for expected in contract.FOLLOWER:
            with self.subTest(expected.key):
                entity = entities[expected.key]
                self.assertEqual((entity["entity_id"], entity["original_name"], entity["entity_category"]), (
                    contract.entity_id(expected.key), expected.name, expected.category))
                attributes = self.home.state(entity["entity_id"])["attributes"]
                self.assertEqual({key: attributes.get(key) for key in expected.attributes}, expected.attributes)
        for key, field, unit in ("clock_error", "error_us", 1000), ("clock_offset", "offset_us", 1e6):
            self.wait_for_state(f"sensor.lectern_{key}", lambda state: state["state"] != "unknown" and abs(
                float(state["state"]) - self.node.json("health")["follow"][field] / unit) < 0.01)
        self.leader.stop()
        self.wait_for_state("binary_sensor.lectern_in_step", "off")
        self.wait_for_state("sensor.lectern_leader", "stage")

    def test_what_is_pressed_there_the_leader_does(self):
        self.home.call("button", "press", entity_id="button.lectern_start")
        for node in "stage", "lectern":
            self.wait_for_state(f"sensor.{node}_mode", "countdown")
        self.home.call("notify", "send_message", entity_id="notify.lectern_message", message="Please wrap up")
        for node in "stage", "lectern":
            self.wait_for_state(f"text.{node}_shown_message", "Please wrap up")
        self.home.call("select", "select_option", entity_id="select.lectern_timer", option="2/1 Break")
        for node in "stage", "lectern":
            self.wait_for_state(f"select.{node}_timer", "2/1 Break")

    def test_a_node_of_its_own_again_has_no_leader(self):
        del self.node.configuration["follow"]
        self.node.reload()
        wait_until(lambda: set(self.bench.entities_of("lectern")) == contract.KEYS, "only its own entities are left")
        self.wait_for_state("sensor.lectern_mode", "stopped")


if __name__ == "__main__":
    unittest.main()
