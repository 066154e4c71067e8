"""The bench: a real broker, Home Assistant and timer-nodes, and the operations that tests perform on them.

    from bench import Bench, NodeTest

    bench = Bench.shared()                       # shared by all tests of a process; it is closed at exit
    bench = Bench(files=[...], configuration=…)  # or your own, with files: see HomeAssistant; close() stops it
    bench.home                                   # the HomeAssistant
    bench.broker.port                            # of the broker, on 127.0.0.1
    bench.mqtt.publish(topic, payload)           # payload: a string, or a value to encode as JSON
    bench.mqtt.messages(topic)                   # all messages received so far, payloads as text
    bench.mqtt.retained(topic)                   # the last payload, or None
    bench.wait_for_state("sensor.lectern_mode", "stopped")

    node = bench.start_node("lectern", name="Lectern", mqtt={"tick_every": 0})
    node.command("start")                        # sends a command, and returns the node's response
    node.kill(), node.start(), node.stop()

A test case that derives from NodeTest gets `self.bench`, `self.home`, `self.mqtt`; it fails if Home Assistant has
logged a warning or an error, and its nodes are removed after it.

    bench.py [--node ID] [--files FOLDER]        # starts everything, prints the addresses, and waits for an interrupt

The environment variable TIMER_NODE names the program under test.
"""
import argparse
import atexit
import json
import pathlib
import shutil
import signal
import tempfile
import time
import unittest

import contract
from broker import MQTT, Broker
from home_assistant import KNOWS_DEFAULT_ENTITY_ID, HomeAssistant
from node import Node
from processes import wait_until

DISCOVERY = "homeassistant"

NOTHING_TO_REMOVE = "[homeassistant.components.mqtt.discovery] No device components to cleanup"
# When a device is removed, an older Home Assistant removes its entities one by one. For one that is not enabled, such
# as `remaining`, it empties the discovery topic, and then warns about its own message.
_UNAVOIDABLE = () if KNOWS_DEFAULT_ENTITY_ID else (NOTHING_TO_REMOVE,)


class Bench:
    _shared = None

    @classmethod
    def shared(cls):
        if not cls._shared:
            cls._shared = cls()
        return cls._shared

    def __init__(self, files=(), configuration="", keep=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="timer-node-ha."))
        self._keep = keep
        self._nodes = []
        atexit.register(self.close)
        self.broker = Broker(self.folder / "broker")
        self.mqtt = MQTT(self.broker.port)
        self.home = HomeAssistant(self.folder / "home", self.broker.port, files, configuration)
        self.start_home()

    def start_home(self):
        """Starts Home Assistant, and waits until it is online on MQTT, a few seconds after it finds the devices."""
        since = self.mqtt.position()
        self.home.start()
        self.wait_for_birth(since)

    def wait_for_birth(self, since):
        wait_until(lambda: [message for message in self.mqtt.messages(f"{DISCOVERY}/status", since)
                            if message.payload == "online"], "Home Assistant is online on MQTT")

    def close(self):
        atexit.unregister(self.close)
        for node in self._nodes:
            node.stop()
        self.home.stop()
        self.mqtt.close()
        self.broker.stop()
        if not self._keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start_node(self, identifier, **options):
        """Starts a node; see Node for the options."""
        node = Node(self, identifier, **options)
        node.start()
        self._nodes.append(node)
        return node

    def remove_node(self, node):
        """Stops a node, and removes its retained messages, discovery first, so that Home Assistant forgets it."""
        if node in self._nodes:
            self._nodes.remove(node)
        node.stop()
        left = {message.topic for message in self.mqtt.messages()
                if f"/{node.id}/" in message.topic and self.mqtt.retained(message.topic)}
        discoveries = {topic for topic in left if topic.startswith(DISCOVERY + "/")}
        told = 0

        def is_forgotten():
            nonlocal told
            if not self.entities_of(node.id):
                return True
            # A Home Assistant that is still adding an entity misses that its topic was emptied, so this is repeated.
            if time.monotonic() - told > 10:
                told = time.monotonic()
                for topic in discoveries:
                    self.mqtt.publish(topic, retain=True)
            return False
        wait_until(is_forgotten, f"Home Assistant has forgotten {node.id}")
        for topic in left - discoveries:
            self.mqtt.publish(topic, retain=True)
        wait_until(lambda: not any(map(self.mqtt.retained, left)), "the broker has forgotten it too")

    def device(self, identifier):
        """Returns the device of a node in Home Assistant's registry, or None."""
        wanted = ["mqtt", f"timer_{identifier}"]
        return next((device for device in self.home.devices() if wanted in device["identifiers"]), None)

    def entities_of(self, identifier):
        """Returns the entities of a node in Home Assistant's registry, by key."""
        prefix = f"timer_{identifier}_"
        device = self.device(identifier)
        return {unique_id.removeprefix(prefix): entity for unique_id, entity in self.home.entities().items()
                if unique_id.startswith(prefix) and device and entity["device_id"] == device["id"]}

    def wait_for_state(self, entity_id, expected):
        """Waits for an expected state, a string or a condition on Home Assistant's state, and returns it."""
        def check():
            state = self.home.state(entity_id)
            return state and (expected(state) if callable(expected) else state["state"] == expected) and state
        wanted = "" if callable(expected) else f" is {expected!r}"
        return wait_until(check, f"{entity_id}{wanted}", otherwise=lambda: json.dumps(
            self.home.state(entity_id), ensure_ascii=False))


class NodeTest(unittest.TestCase):
    """A test with the shared bench. It fails if Home Assistant logs a complaint that the test does not allow."""

    maxDiff = None

    def setUp(self):
        self._allowed = []
        self.bench = self.shared_bench()
        self.home, self.mqtt = self.bench.home, self.bench.mqtt
        self._log_position = self.home.log_position()
        self.addCleanup(self._check_log)

    def shared_bench(self):
        """Returns the bench of the test; it is not closed after the test."""
        return Bench.shared()

    def allow(self, words, times=None):
        """Allows complaints that contain these words, at most `times` of them, or any number by default."""
        self._allowed.append((words, times))

    def _check_log(self):
        complaints = self.home.complaints(self._log_position)
        for words, times in [*self._allowed, *((words, None) for words in _UNAVOIDABLE)]:
            found = [text for text in complaints if words in text]
            if times is None or len(found) <= times:
                complaints = [text for text in complaints if text not in found]
        self.assertEqual(complaints, [], "Home Assistant complained")

    def start_node(self, identifier="lectern", name="Lectern", **options):
        node = self.bench.start_node(identifier, name=name, **options)
        self.addCleanup(self.bench.remove_node, node)
        return node

    def wait_for_state(self, entity_id, expected):
        return self.bench.wait_for_state(entity_id, expected)

    def states(self):
        """Returns the states of the entities of `lectern`, by key, except the one that is not enabled."""
        states = self.home.states()
        return {key: states[contract.entity_id(key)]["state"] if contract.entity_id(key) in states else None
                for key in contract.KEYS - {"remaining"}}

    def wait_until_available(self, absent=frozenset()):
        """Waits until each entity that the node announces has a state.

        Before that, Home Assistant is still adding entities. If the discovery changes meanwhile, it permanently ignores
        part of the change.
        """
        def without():
            return {key for key, state in self.states().items() if key not in absent and (
                state in (None, "unavailable") or state == "unknown" and key not in contract.UNKNOWN_AT_FIRST)}
        wait_until(lambda: not without(), "all entities have a state", otherwise=lambda: f"these have none: {without()}")

    def wait_for_number(self, entity_id, expected):
        """Waits for a number; Home Assistant may format it differently, such as 20 as 20.0."""
        def fits(state):
            try:
                return abs(float(state["state"]) - expected) < 0.01
            except ValueError:  # not known, or not available
                return False
        return self.bench.wait_for_state(entity_id, fits)


def main():
    parser = argparse.ArgumentParser(description="Starts a broker, a Home Assistant and a node, and waits.")
    parser.add_argument("--node", default="lectern", help="the node's id")
    parser.add_argument("--files", help="a folder whose files are copied into Home Assistant's configuration")
    options = parser.parse_args()
    bench = Bench(files=[(options.files, ".")] if options.files else [])
    bench.start_node(options.node, name=options.node.capitalize())
    print(f"Home Assistant: {bench.home.url} (user test, password for-this-test-alone)\ntoken: {bench.home.token}\n"
          f"broker: mqtt://127.0.0.1:{bench.broker.port}\nfiles: {bench.folder}\nPress Ctrl-C to stop everything.", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        bench.close()


if __name__ == "__main__":
    main()
