"""Tests that all entities follow when the node, Home Assistant or the broker stops and restarts."""
from bench import DISCOVERY, NodeTest
from processes import wait_until

# The broker considers a killed node connected for one and a half times its keep-alive: 7.5 s.
UNTIL_LOST = 20


class Connection(NodeTest):
    def setUp(self):
        super().setUp()
        self.node = self.start_node()
        self.wait_until_available()
        self.before = self.ids()

    def ids(self):
        """Returns what must never change: the entity id and the registry id of each key."""
        return {key: (entity["entity_id"], entity["id"]) for key, entity in self.bench.entities_of("lectern").items()}

    def wait_until_unavailable(self):
        wait_until(lambda: set(self.states().values()) == {"unavailable"}, "no entity is available", UNTIL_LOST,
                   otherwise=lambda: str(self.states()))

    def expect_all_back(self):
        self.wait_until_available()
        self.assertEqual(self.ids(), self.before)

    def test_a_node_that_is_killed_is_unavailable_until_it_is_back(self):
        self.node.kill()
        self.wait_until_unavailable()
        self.node.start()
        self.expect_all_back()

    def test_a_node_that_is_stopped_is_unavailable_until_it_is_back(self):
        self.node.stop()
        self.wait_until_unavailable()
        self.node.start()
        self.expect_all_back()

    def test_home_assistant_comes_back(self):
        self.node.command("start")
        self.wait_for_state("sensor.lectern_mode", "countdown")
        self.home.stop()
        self.node.command("pause")
        self.bench.start_home()
        self.expect_all_back()
        self.wait_for_state("sensor.lectern_mode", "paused")

    def test_a_broker_that_has_forgotten_everything_comes_back(self):
        # Home Assistant warns about the broken connection.
        self.allow("[paho.mqtt.client] failed to receive on socket")
        self.allow("[homeassistant.components.mqtt.client] Error returned from MQTT server: The connection was lost")
        self.bench.broker.stop()
        self.wait_until_unavailable()
        since = self.mqtt.position()
        self.bench.broker.start()
        self.mqtt.wait_until_connected()
        # The node connects at once, or after Home Assistant; its birth message comes last.
        self.node.wait_for_message("availability", lambda payload: payload == "online", since)
        self.bench.wait_for_birth(since)
        self.expect_all_back()
        self.wait_for_state("sensor.lectern_mode", "stopped")

    def test_the_birth_of_home_assistant_makes_the_node_announce_itself(self):
        self.home.stop()
        discovery = f"{DISCOVERY}/device/lectern/config"
        announced = self.mqtt.retained(discovery)
        self.assertTrue(announced)
        self.mqtt.publish(discovery, retain=True)
        wait_until(lambda: not self.mqtt.retained(discovery), "the discovery has been cleared")
        since = self.mqtt.position()
        self.bench.start_home()
        wait_until(lambda: self.mqtt.retained(discovery) == announced, "the node announces itself again")
        self.expect_all_back()
        # In this order, because Home Assistant reads the retained state when it discovers the entity.
        names = [message.topic.rsplit("/", 1)[1] for message in self.mqtt.messages(since=since)
                 if message.topic == discovery or message.topic in map(
                     self.node.topic, ("availability", "mode", "state", "timers", "health"))]
        self.assertEqual({"config", "availability", "mode", "state", "timers", "health"}, set(names))
        self.assertLess(names.index("config"), min(map(names.index, ("mode", "state", "timers", "health"))), names)
