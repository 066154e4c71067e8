"""A node of the program under test, whose path is in the environment variable TIMER_NODE."""
import contextlib
import json
import os
import signal
import uuid
from datetime import datetime, timedelta, timezone

from processes import Process, wait_until

TIMERS = {"groups": [
    {"name": "Talk 1", "timers": [
        {"name": "Talk", "start": 1200, "warning": 300, "final": 60},
        {"name": "Questions", "start": 300, "warning": 60, "final": 15}]},
    {"name": "Break", "timers": [{"name": "Break", "start": 600}]}]}


def meeting(name, begins_in=timedelta(), **fields):
    """Returns a meeting that begins in the minute `begins_in` from now."""
    begin = datetime.now(timezone.utc) + begins_in
    return {"name": name, "day": f"{begin:%Y-%m-%d}", "at": f"{begin:%H:%M}", "for": "2h", **fields}


def agenda(*meetings):
    """Returns an agenda with these meetings, an early reminder, and an unattended meeting tomorrow."""
    return {"zone": "UTC", "remind_after": "1s", "meetings": [
        *meetings, meeting("Spring conference", timedelta(days=1), attend=False)]}


class Node:
    """A timer-node with its own configuration and simulated lamps."""

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
            # The broker notices the loss of a node after one and a half times the keep-alive.
            "mqtt": {"brokers": [f"mqtt://127.0.0.1:{bench.broker.port}"], "keepalive": "5s"} | (mqtt or {}),
            "gpio": {"chip": "simulated"},
            "timers": (timers or TIMERS) | {"read_only": read_only},
            "storage": {"directory": "state"},
        } | sections
        self._process = None

    def topic(self, name):
        return f"timer/{self.id}/{name}"

    def spawn(self):
        """Starts the program without waiting for anything."""
        self._file.write_text(json.dumps(self.configuration, ensure_ascii=False))  # JSON is YAML too.
        self._process = Process(os.environ["TIMER_NODE"], "run", "--config", self._file, log=self.log)

    @property
    def process(self):
        return self._process

    def start(self):
        since = self._bench.mqtt.position()
        self.spawn()
        self.wait_for_message("availability", lambda payload: payload == "online", since)

    def stop(self):
        self._process.stop()

    def kill(self):
        self._process.stop(signal.SIGKILL)

    @contextlib.contextmanager
    def halted(self):
        """Stops the process during the block. Then it continues with everything that has arrived."""
        self._process.send(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send(signal.SIGCONT)

    def reload(self, **sections):
        """Merges these sections into the configuration, and makes the node reload it."""
        for key, section in sections.items():
            self.configuration[key] = self.configuration.get(key, {}) | section
        self._file.write_text(json.dumps(self.configuration, ensure_ascii=False))
        self._process.send(signal.SIGHUP)

    def wait_for_message(self, name, condition=lambda payload: True, since=0):
        """Waits for the first payload on a topic of the node that meets the condition, and returns it."""
        def find():
            if self._process:
                self._process.check()
            return next((message for message in self._bench.mqtt.messages(self.topic(name), since)
                         if condition(message.payload)), None)
        return wait_until(find, f"a message on {self.topic(name)}",
                          otherwise=lambda: str(self._bench.mqtt.messages(self.topic("#"), since)[-10:])).payload

    def json(self, name):
        """Returns the decoded retained payload of a topic of the node."""
        topic = self.topic(name)
        return json.loads(wait_until(lambda: self._bench.mqtt.retained(topic), f"a retained message on {topic}"))

    def command(self, verb, payload=""):
        """Sends a command, and returns the node's response."""
        since = self._bench.mqtt.position()
        self._bench.mqtt.publish(self.topic(f"command/{verb}"), payload)
        return self.response(verb, since)

    def response(self, verb, since):
        """Waits for the node's response to a command since a position, and returns it."""
        return json.loads(self.wait_for_message(
            "response", lambda payload: json.loads(payload).get("command") == verb, since))
