"""Tests the discovery styles and the removal of entities: nothing changes in Home Assistant without need."""

import contract
from bench import DISCOVERY, NOTHING_TO_REMOVE, NodeTest
from home_assistant import KNOWS_DEFAULT_ENTITY_ID
from processes import wait_until


class Styles(NodeTest):
    def style(self, name):
        return {"discovery": {"style": name}}

    def topics(self):
        """Returns the discovery topics that have a payload."""
        return {message.topic for message in self.mqtt.messages(DISCOVERY + "/#")
                if "/lectern/" in message.topic and self.mqtt.retained(message.topic)}

    def expect_style(self, style):
        expected = {"none": set(), "device": {f"{DISCOVERY}/device/lectern/config"}, "component": {
            f"{DISCOVERY}/{entity.platform}/lectern/{entity.key}/config" for entity in contract.ENTITIES}}[style]
        wait_until(lambda: self.topics() == expected, f"the discovery is of style {style}",
                   otherwise=lambda: str(self.topics() ^ expected))
        if style == "none":
            def known():
                return [unique_id for unique_id in self.home.entities() if "lectern" in unique_id]
            wait_until(lambda: not known(), "Home Assistant has forgotten the entities", otherwise=lambda: str(known()))
            wait_until(lambda: not self.bench.device("lectern"), "it has forgotten the device")
            self.assertEqual(self.home.states("sensor.lectern_"), {})
            return {}
        # Home Assistant ignores part of a new message for a device while it is still adding one of its entities.
        self.wait_until_available()
        wait_until(lambda: set(self.bench.entities_of("lectern")) == contract.KEYS, "all entities are registered")
        return {key: (entity["entity_id"], entity["id"]) for key, entity in self.bench.entities_of("lectern").items()}

    def expect_to_work(self, node):
        """Checks that commands and states still work, so that Home Assistant uses the new discovery, not the old one."""
        node.command("start")
        self.wait_for_state("sensor.lectern_mode", "countdown")
        since = self.mqtt.position()
        self.home.call("button", "press", entity_id="button.lectern_stop")
        node.response("stop", since)
        self.wait_for_state("sensor.lectern_mode", "stopped")

    def walk(self, change):
        # When changing from one message for the device to one for each component, the entities have moved to other
        # topics before the device's topic is emptied, and Home Assistant logs this. If it were not emptied, the broker
        # would keep the old message.
        self.allow(NOTHING_TO_REMOVE, times=1)
        node = self.start_node(mqtt=self.style("device"))
        before = self.expect_style("device")
        for style in ("component", "device", "none", "device", "none", "component", "none", "device"):
            with self.subTest(style):
                change(node, style)
                after = self.expect_style(style)
                if style != "none":
                    self.assertEqual(after, before)
                    self.expect_to_work(node)

    def test_a_change_of_style_by_reloading_keeps_every_id(self):
        self.walk(lambda node, style: node.reload(mqtt=self.style(style)))

    def test_a_change_of_style_by_a_restart_keeps_every_id(self):
        def restart(node, style):
            node.stop()
            node.configuration["mqtt"].update(self.style(style))
            node.start()
        self.walk(restart)

    def test_nothing_is_emptied_that_was_not_announced(self):
        since = self.mqtt.position()
        node = self.start_node(mqtt=self.style("none"))
        node.command("state")
        node.reload(mqtt=self.style("device"))
        self.wait_for_state("sensor.lectern_mode", "stopped")
        self.assertEqual([message for message in self.mqtt.messages(DISCOVERY + "/#", since)
                          if "/lectern/" in message.topic and not message.payload], [])


class Parts(NodeTest):
    """Tests entities that depend on the configuration, in both styles."""

    def entity_ids(self):
        return {key: entity["entity_id"] for key, entity in self.bench.entities_of("lectern").items()}

    def keys(self):
        return set(self.entity_ids())

    def expect(self, absent):
        if not KNOWS_DEFAULT_ENTITY_ID and "remaining" in self.keys():
            # An older Home Assistant keeps an entity that is not enabled until the whole device is removed.
            absent = absent - {"remaining"}
        wait_until(lambda: self.keys() == contract.KEYS - absent, f"without {absent}",
                   otherwise=lambda: str(self.keys()))
        self.wait_until_available(absent)

    def try_parts(self, style):
        node = self.start_node(mqtt={"tick_every": 0, "discovery": {"style": style}}, read_only=True)
        self.expect({"duration", "remaining"})
        node.reload(mqtt={"tick_every": "1s"})
        self.expect({"duration"})
        node.reload(timers={"read_only": False})
        self.expect(set())
        self.wait_for_number("number.lectern_duration", 20)
        node.reload(timers={"read_only": True}, mqtt={"tick_every": 0})
        self.expect({"duration", "remaining"})
        self.wait_for_state("sensor.lectern_mode", "stopped")

    def test_the_duration_and_the_remaining_time_come_and_go(self):
        self.try_parts("device")

    def test_the_duration_and_the_remaining_time_come_and_go_one_message_each(self):
        self.try_parts("component")

    def test_another_name_of_the_node_is_the_devices(self):
        node = self.start_node()
        self.expect(set())
        before = self.entity_ids()
        node.reload(node={"name": "Pulpit"})
        wait_until(lambda: self.bench.device("lectern")["name"] == "Pulpit", "the device has the new name")
        self.assertEqual(self.entity_ids(), before)
