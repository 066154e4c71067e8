"""A fleet of many nodes, and a client that observes them."""
import time
import types

from fleet_brokers import USER, client, cpu_seconds, publish
from node import Node
from processes import Process, wait_until

STARTING = 120  # seconds that a fleet may take to be online


def boot_seconds():
    """Returns the time since the machine's boot, on the clock that all nodes use."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Fleet:
    """Nodes that are spread over the members of a cluster by the order in which they try them."""

    def __init__(self, folder, brokers, mqtt=None):
        self._bench = types.SimpleNamespace(folder=folder, broker=types.SimpleNamespace(port=brokers.ports[0]))
        self._ports, self._mqtt = brokers.ports, mqtt or {}
        self.nodes = []
        self.most = 0  # the largest number of nodes so far; their retained messages remain

    def member(self, number):
        """Returns the index of the member that a node tries first."""
        return number % len(self._ports)

    def add(self, count):
        """Starts this number of additional nodes at once."""
        for number in range(len(self.nodes), len(self.nodes) + count):
            first = self.member(number)
            urls = [f"mqtt://127.0.0.1:{port}" for port in self._ports[first:] + self._ports[:first]]
            node = Node(self._bench, f"node-{number}", mqtt={
                "brokers": urls, "username": USER, "keepalive": "15s", **self._mqtt})
            node.spawn()
            self.nodes.append(node)
        self.most = max(self.most, len(self.nodes))

    def remove(self, count):
        """Stops this number of nodes, the last ones."""
        leaving, self.nodes = self.nodes[len(self.nodes) - count:], self.nodes[:len(self.nodes) - count]
        for node in leaving:
            node.process.send(15)
        for node in leaving:
            node.stop()

    def check(self):
        for node in self.nodes:
            node.process.check()

    def cpu_seconds(self):
        return cpu_seconds(node.process.id for node in self.nodes)


class Observer:
    """Runs mosquitto_sub, which records each message with its time; the times are converted to the boot clock."""

    def __init__(self, folder, port, *topics):
        self._log = folder / f"observed-{port}-{time.monotonic_ns()}.txt"
        filters = [word for topic in (*topics, "fleet/ready") for word in ("-t", topic)]
        self._process = Process(*client("mosquitto_sub", port, "-F", "%U %t %p", *filters), log=self._log)
        wait_until(lambda: publish(port, "fleet/ready", "x") and "fleet/ready" in self._log.read_text(),
                   "the observer is subscribed")

    def received(self):
        """Yields the time, topic and payload of each message."""
        ahead = boot_seconds() - time.time()
        lines = self._log.read_text().split("\n")[:-1]
        for line in lines:
            stamp, topic, payload = line.split(" ", 2)
            yield float(stamp) + ahead, topic, payload

    def stop(self):
        self._process.stop()
