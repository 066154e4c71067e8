"""The bench: a broker, a Home Assistant and timer-nodes, all of them real, and what the tests do with them.

    from bench import Bench, NodeTest

    bench = Bench.shared()                       # one for all tests of a process; it ends with the process
    bench = Bench(files=[...], configuration=…)  # or your own, with files: see HomeAssistant; close() ends it
    bench.home                                   # the HomeAssistant
    bench.broker.port                            # of the broker, on 127.0.0.1
    bench.mqtt.publish(topic, payload)           # payload: a text, or what becomes JSON
    bench.mqtt.messages(topic)                   # all that was received so far, payloads as text
    bench.mqtt.retained(topic)                   # the last payload, or None
    bench.wait_for_state("sensor.lectern_mode", "stopped")

    node = bench.start_node("lectern", name="Lectern", mqtt={"tick_every": 0})
    node.command("start")                        # publishes it, and returns the node's response
    node.kill(), node.start(), node.stop()

A test case that derives from NodeTest gets `self.bench`, `self.home`, `self.mqtt`; it fails if Home Assistant has
logged a warning or an error, and its nodes are removed after it.

    bench.py [--node ID] [--files FOLDER]        # starts it all, says where it is, and waits until it is interrupted

The program under test is in the environment: TIMER_NODE.
"""
import argparse
import atexit
import collections
import json
import os
import pathlib
import shutil
import signal
import tempfile
import threading
import time
import unittest
import uuid

import paho.mqtt.client as paho

import contract
from home_assistant import KNOWS_DEFAULT_ENTITY_ID, HomeAssistant
from processes import Process, free_port, wait_until

DISCOVERY = "homeassistant"
TIMERS = {"groups": [
    {"name": "Talk 1", "timers": [
        {"name": "Talk", "start": 1200, "warning": 300, "final": 60},
        {"name": "Questions", "start": 300, "warning": 60, "final": 15}]},
    {"name": "Break", "timers": [{"name": "Break", "start": 600}]}]}

NOTHING_TO_REMOVE = "[homeassistant.components.mqtt.discovery] No device components to cleanup"
# When a device goes away, an older Home Assistant removes its entities one by one. When it comes to one that is not
# enabled, as `remaining`, it empties the topic of the discovery itself, and warns of its own message.
_UNAVOIDABLE = () if KNOWS_DEFAULT_ENTITY_ID else (NOTHING_TO_REMOVE,)

Message = collections.namedtuple("Message", "topic payload retained")


class Broker:
    """mosquitto, which forgets everything when it stops."""

    def __init__(self, folder):
        self.port = free_port()
        self._folder = pathlib.Path(folder)
        self._folder.mkdir()
        # As root it would become another user, which a user without rights cannot in a network of his own.
        (self._folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\n"
            "user root\n")
        self.start()

    def start(self):
        program = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        self._process = Process(program, "-c", self._folder / "mosquitto.conf", log=self._folder / "mosquitto.log")

    def stop(self):
        self._process.stop()


class MQTT:
    """A client that receives everything at the broker. It connects again by itself."""

    def __init__(self, port):
        self._messages, self._lock, self._connected = [], threading.Lock(), threading.Event()
        version = [paho.CallbackAPIVersion.VERSION2] if hasattr(paho, "CallbackAPIVersion") else []
        self._client = paho.Client(*version, client_id=f"test-{uuid.uuid4()}")
        self._client.on_connect = lambda *_: self._client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: self._connected.set()
        self._client.on_disconnect = lambda *_: self._connected.clear()
        self._client.on_message = self._received
        self._client.reconnect_delay_set(1, 1)
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()
        self.wait_until_connected()

    def wait_until_connected(self):
        wait_until(self._connected.is_set, "the test has connected with the broker")

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()

    def _received(self, client, userdata, message):
        with self._lock:
            self._messages.append(Message(message.topic, message.payload.decode(), bool(message.retain)))

    def publish(self, topic, payload="", retain=False):
        text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
        self._client.publish(topic, text, qos=1, retain=retain).wait_for_publish(30)

    def position(self):
        """A place in all that was received, for `messages`."""
        with self._lock:
            return len(self._messages)

    def messages(self, topic=None, since=0):
        """What was received on a topic, or in all; a topic may end in /#."""
        with self._lock:
            found = self._messages[since:]
        if topic is None:
            return found
        if topic.endswith("/#"):
            return [message for message in found if message.topic.startswith(topic[:-1])]
        return [message for message in found if message.topic == topic]

    def retained(self, topic):
        """The newest payload of a retained topic, as text; None if there is none or it was cleared."""
        found = self.messages(topic)
        return found[-1].payload or None if found else None


class Node:
    """A timer-node with a configuration of its own, and lamps that are simulated."""

    def __init__(self, bench, identifier, name=None, timers=None, mqtt=None, read_only=False, **sections):
        self.id = identifier
        self.name = name or identifier
        self._bench = bench
        self._folder = bench.folder / f"node-{identifier}-{uuid.uuid4().hex[:8]}"
        self._folder.mkdir()
        self.log = self._folder / "node.log"
        self._file = self._folder / "timer-node.yaml"
        self.configuration = {
            "node": {"id": identifier} | ({"name": name} if name else {}),
            # The broker notices after one and a half of the keep-alive time that a node was lost.
            "mqtt": {"brokers": [f"mqtt://127.0.0.1:{bench.broker.port}"], "keepalive": "5s"} | (mqtt or {}),
            "gpio": {"chip": "simulated"},
            "timers": (timers or TIMERS) | {"read_only": read_only},
            "storage": {"directory": "state"},
        } | sections
        self._process = None

    def topic(self, name):
        return f"timer/{self.id}/{name}"

    def start(self):
        self._file.write_text(json.dumps(self.configuration, ensure_ascii=False))  # JSON is YAML too.
        since = self._bench.mqtt.position()
        self._process = Process(os.environ["TIMER_NODE"], "run", "--config", self._file, log=self.log)
        self.wait_for_message("availability", lambda payload: payload == "online", since)

    def stop(self):
        self._process.stop()

    def kill(self):
        self._process.stop(signal.SIGKILL)

    def reload(self, **sections):
        """Merges these sections with those of the configuration, and tells the node to read it again."""
        for key, section in sections.items():
            self.configuration[key] = self.configuration.get(key, {}) | section
        self._file.write_text(json.dumps(self.configuration, ensure_ascii=False))
        self._process.send(signal.SIGHUP)

    def wait_for_message(self, name, condition=lambda payload: True, since=0):
        """The first payload on a topic of the node that meets the condition."""
        def find():
            if self._process:
                self._process.check()
            return next((message for message in self._bench.mqtt.messages(self.topic(name), since)
                         if condition(message.payload)), None)
        return wait_until(find, f"a message on {self.topic(name)}",
                          otherwise=lambda: str(self._bench.mqtt.messages(self.topic("#"), since)[-10:])).payload

    def json(self, name):
        """The retained payload of a topic of the node."""
        topic = self.topic(name)
        return json.loads(wait_until(lambda: self._bench.mqtt.retained(topic), f"there is something on {topic}"))

    def command(self, verb, payload=""):
        """Sends a command, and returns the node's response."""
        since = self._bench.mqtt.position()
        self._bench.mqtt.publish(self.topic(f"command/{verb}"), payload)
        return self.response(verb, since)

    def response(self, verb, since):
        """The node's response to a command, of those since a position."""
        return json.loads(self.wait_for_message(
            "response", lambda payload: json.loads(payload).get("command") == verb, since))


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
        """Returns when Home Assistant says on MQTT that it is there, some seconds after it has found the devices."""
        since = self.mqtt.position()
        self.home.start()
        self.wait_for_birth(since)

    def wait_for_birth(self, since):
        wait_until(lambda: [message for message in self.mqtt.messages(f"{DISCOVERY}/status", since)
                            if message.payload == "online"], "Home Assistant says on MQTT that it is there")

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
        """Starts a node; what may be told to it, Node says."""
        node = Node(self, identifier, **options)
        node.start()
        self._nodes.append(node)
        return node

    def remove_node(self, node):
        """Stops a node, and removes what it left at the broker, its discovery first; Home Assistant then forgets it."""
        if node in self._nodes:
            self._nodes.remove(node)
        node.stop()
        left = {message.topic for message in self.mqtt.messages()
                if f"/{node.id}/" in message.topic and self.mqtt.retained(message.topic)}
        discoveries = {topic for topic in left if topic.startswith(DISCOVERY + "/")}
        for topic in discoveries:
            self.mqtt.publish(topic, retain=True)
        wait_until(lambda: not self.entities_of(node.id), f"Home Assistant has forgotten {node.id}")
        for topic in left - discoveries:
            self.mqtt.publish(topic, retain=True)
        wait_until(lambda: not any(map(self.mqtt.retained, left)), "the broker has forgotten it too")

    def device(self, identifier):
        """The device of a node in Home Assistant's registry, or None."""
        wanted = ["mqtt", f"timer_{identifier}"]
        return next((device for device in self.home.devices() if wanted in device["identifiers"]), None)

    def entities_of(self, identifier):
        """The entities of a node in Home Assistant's registry, by their key."""
        prefix = f"timer_{identifier}_"
        device = self.device(identifier)
        return {unique_id.removeprefix(prefix): entity for unique_id, entity in self.home.entities().items()
                if unique_id.startswith(prefix) and device and entity["device_id"] == device["id"]}

    def wait_for_state(self, entity_id, expected):
        """Returns the state when it is the expected one: a text, or a condition for what Home Assistant has of it."""
        def check():
            state = self.home.state(entity_id)
            return state and (expected(state) if callable(expected) else state["state"] == expected) and state
        wanted = "" if callable(expected) else f" is {expected!r}"
        return wait_until(check, f"{entity_id}{wanted}", otherwise=lambda: json.dumps(
            self.home.state(entity_id), ensure_ascii=False))


class NodeTest(unittest.TestCase):
    """A test with the shared bench. Home Assistant may not complain during it, but about what the test allows."""

    maxDiff = None

    def setUp(self):
        self._allowed = []
        self.bench = self.shared_bench()
        self.home, self.mqtt = self.bench.home, self.bench.mqtt
        self._log_position = self.home.log_position()
        self.addCleanup(self._check_log)

    def shared_bench(self):
        """The bench of the test; one that another has made stays."""
        return Bench.shared()

    def allow(self, words, times=None):
        """Home Assistant may complain with these words, at most this often; by default as often as it will."""
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
        """The states of the entities of `lectern`, by their key, but for the one that is not enabled."""
        states = self.home.states()
        return {key: states[contract.entity_id(key)]["state"] if contract.entity_id(key) in states else None
                for key in contract.KEYS - {"remaining"}}

    def wait_until_available(self):
        """Waits until each of them has a state. Before that Home Assistant may still be busy with the discovery."""
        def without():
            return {key for key, state in self.states().items() if state in (None, "unavailable")
                    or state == "unknown" and key not in contract.UNKNOWN_AT_FIRST}
        wait_until(lambda: not without(), "all entities have a state", otherwise=lambda: f"these have none: {without()}")

    def wait_for_number(self, entity_id, expected):
        """Waits for a number; Home Assistant may write it in another way, 20 as 20.0."""
        def fits(state):
            try:
                return abs(float(state["state"]) - expected) < 0.01
            except ValueError:  # not known, or not available
                return False
        return self.bench.wait_for_state(entity_id, fits)


def main():
    parser = argparse.ArgumentParser(description="Starts a broker, a Home Assistant and a node, and waits.")
    parser.add_argument("--node", default="lectern", help="the node's id")
    parser.add_argument("--files", help="a folder, whose files are copied into Home Assistant's configuration")
    options = parser.parse_args()
    bench = Bench(files=[(options.files, ".")] if options.files else [])
    bench.start_node(options.node, name=options.node.capitalize())
    print(f"Home Assistant: {bench.home.url} (user test, password for-this-test-alone)\ntoken: {bench.home.token}\n"
          f"broker: mqtt://127.0.0.1:{bench.broker.port}\nfiles: {bench.folder}\nCtrl-C ends it all.", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        bench.close()


if __name__ == "__main__":
    main()
