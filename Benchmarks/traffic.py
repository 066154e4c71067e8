"""Measures what one node costs a broker: packets in mosquitto's log, bytes from sockets, retained messages."""
import collections
import contextlib
import dataclasses
import re
import subprocess
import time
import types

import fleet_brokers
from broker import MQTT, Broker
from node import Node
from processes import wait_until

WATCHED = 120  # seconds: twice the interval of the rarest message
# The bytes that Ethernet, IPv4 and TCP with timestamps add to each packet, without preamble and gap.
FRAME = 18 + 20 + 32
SETTINGS = {
    "default settings": {},
    "tick_every: 5s": {"tick_every": "5s"},
    "tick_every: 0": {"tick_every": "0"},
    "health_interval: 10s": {"health_interval": "10s"},
    "health_interval: 0": {"health_interval": "0"},
    "keepalive: 60s": {"keepalive": "60s"},
    "discovery: {style: none}": {"discovery": {"style": "none"}},
    "tick_every: 0, health_interval: 0, keepalive: 60s": {
        "tick_every": "0", "health_interval": "0", "keepalive": "60s"},
}
USUAL, PLAIN, LEAST = list(SETTINGS)[0], list(SETTINGS)[-2], list(SETTINGS)[-1]
MODES = ["stopped", "countdown", "alarm"]
# A long run, and one that soon reaches the alarm.
TIMERS = {"groups": [{"name": "Talk", "timers": [{"name": "Talk", "start": "10:00:00", "warning": 300, "final": 60}]},
                     {"name": "Short", "timers": [{"name": "Short", "start": 1}]}]}
STARTS = {"countdown": "1/1", "alarm": "2/1"}


@dataclasses.dataclass
class Traffic:
    """The traffic between a node and its broker, in each direction."""

    packets_in: int = 0  # MQTT packets to the broker
    packets_out: int = 0
    published: int = 0  # how many of packets_in are messages
    bytes_in: int = 0  # TCP payload
    bytes_out: int = 0
    segments_in: int = 0
    segments_out: int = 0

    def __sub__(self, other):
        return self._with(other, lambda mine, its: mine - its)

    def _with(self, other, operation):
        return Traffic(*map(operation, dataclasses.astuple(self), dataclasses.astuple(other)))

    @property
    def wire_in(self):
        return self.bytes_in + FRAME * self.segments_in

    @property
    def wire_out(self):
        return self.bytes_out + FRAME * self.segments_out


class Meter:
    """Counts packets from the log of mosquitto, and bytes from the kernel's counters of its sockets."""

    def __init__(self, broker):
        self._broker = broker

    def read(self):
        """Returns the traffic so far, by client id."""
        log = self._broker.process.log.read_text(errors="replace")
        ports, traffic = {}, collections.defaultdict(Traffic)
        for line in log.splitlines():
            if found := re.search(r"New client connected from \S+:(\d+) as (\S+) ", line):
                ports[found[2]] = found[1]
                traffic[found[2]].packets_in += 1  # CONNECT
            elif found := re.search(r"Received (\S+) from (\S+)", line):
                traffic[found[2]].packets_in += 1
                traffic[found[2]].published += found[1] == "PUBLISH"
            elif found := re.search(r"Sending (\S+) to (\S+)", line):
                traffic[found[2]].packets_out += 1
        sockets = self._sockets()
        for name, port in ports.items():
            for key, value in sockets.get(port, {}).items():
                setattr(traffic[name], key, value)
        return dict(traffic)

    def _sockets(self):
        """Returns the counters of the broker's sockets, by client port."""
        command = ["ss", "-tinHO", "state", "established", "sport", "=", f":{self._broker.port}"]
        found = {}
        for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
            peer = re.match(r"\s*\d+\s+\d+\s+\S+\s+\S+:(\d+)", line)[1]
            count = {key: int(value) for key, value in re.findall(r"\b(bytes_\w+|segs_\w+):(\d+)", line)}
            found[peer] = {
                "bytes_in": count.get("bytes_received", 0), "bytes_out": count.get("bytes_sent", 0),
                "segments_in": count.get("segs_in", 0), "segments_out": count.get("segs_out", 0)}
        return found


@dataclasses.dataclass
class Costs:
    connecting: dict  # by setting: Traffic of one connection
    lasting: dict  # by setting and mode: Traffic in WATCHED seconds
    command: Traffic  # one command for all nodes, and the node's response
    kept: dict  # by setting: the number of retained messages, and their bytes including topics


def name_of(setting, mode):
    return f"{list(SETTINGS).index(setting)}-{mode}"


def measure(folder):
    """Runs a node with each setting in each mode, all at once."""
    with contextlib.ExitStack() as stack:
        broker = Broker(folder / "metered", "log_type all\nconnection_messages true")
        stack.callback(broker.stop)
        meter = Meter(broker)
        bench = types.SimpleNamespace(
            folder=folder, broker=broker, mqtt=MQTT(broker.port, ["timer/+/availability", "timer/+/mode"]))
        stack.callback(bench.mqtt.close)
        nodes = {}
        for setting, mqtt in SETTINGS.items():
            for mode in MODES:
                node = Node(bench, name_of(setting, mode), timers=TIMERS, mqtt={
                    "username": fleet_brokers.USER, "keepalive": "15s", **mqtt})
                node.start()
                stack.callback(node.stop)
                nodes[setting, mode] = node

        def between(action):
            before = meter.read()
            action()
            after = meter.read()
            return {key: after[f"timer-node-{node.id}"] - before[f"timer-node-{node.id}"] for key, node in nodes.items()}

        time.sleep(2)  # for the messages that follow `online`
        connected = meter.read()
        connecting = {setting: connected[f"timer-node-{nodes[setting, 'stopped'].id}"] for setting in SETTINGS}
        kept = {setting: retained(broker.port, nodes[setting, "stopped"].id) for setting in SETTINGS}
        for (_, mode), node in nodes.items():
            if mode in STARTS:
                bench.mqtt.publish(node.topic("command/start"), STARTS[mode])
        for (_, mode), node in nodes.items():
            node.wait_for_message("mode", lambda payload, mode=mode: payload == mode)
        time.sleep(12)  # The buzzer sounds for 10 s.
        lasting = between(lambda: time.sleep(WATCHED))

        def start():
            bench.mqtt.publish("timer/all/command/start", "1/1")
            nodes[LEAST, "stopped"].wait_for_message("mode", lambda payload: payload == "countdown")
            time.sleep(2)

        command = between(start)[LEAST, "stopped"]
        return Costs(connecting, lasting, command, kept)


def retained(port, name):
    """Returns the number of a node's retained messages, and their bytes including topics."""
    topics = ["-t", f"timer/{name}/#", "-t", f"homeassistant/+/{name}/#"]
    command = ["mosquitto_sub", "-p", str(port), "--retained-only", "-W", "2", "-F", "%t %l", *topics]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return len(lines), sum(len(line.split()[0]) + int(line.split()[1]) for line in lines)
