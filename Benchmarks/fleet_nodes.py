"""A fleet: many nodes, and what a client sees of them."""
import time
import types

from fleet_brokers import USER, client, cpu_seconds, publish
from node import Node
from processes import Process, wait_until

STARTING = 120  # seconds that a fleet may take to be online


def boot_seconds():
    """The clock that counts from the machine's boot, on which all nodes count."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Fleet:
    """Nodes that are spread over the members of a broker by the order in which they try them."""

    def __init__(self, folder, brokers, mqtt=None):
        self._bench = types.SimpleNamespace(folder=folder, broker=types.SimpleNamespace(port=brokers.ports[0]))
        self._ports, self._mqtt = brokers.ports, mqtt or {}
        self.nodes = []
        self.most = 0  # nodes that have ever been there, whose retained messages remain

    def member(self, number):
        """The place of the member that a node takes first."""
        return number % len(self._ports)

    def add(self, count):
        """Starts so many more nodes, at once."""
        for number in range(len(self.nodes), len(self.nodes) + count):
            first = self.member(number)
            urls = [f"mqtt://127.0.0.1:{port}" for port in self._ports[first:] + self._ports[:first]]
            node = Node(self._bench, f"node-{number}", mqtt={
                "brokers": urls, "username": USER, "keepalive": "15s", **self._mqtt})
            node.spawn()
            self.nodes.append(node)
        self.most = max(self.most, len(self.nodes))

    def remove(self, count):
        """Ends the last so many nodes."""
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
    """mosquitto_sub, which writes down when it received what; its clock becomes that of the boot."""

    def __init__(self, folder, port, *topics):
        self._log = folder / f"observed-{port}-{time.monotonic_ns()}.txt"
        filters = [word for topic in (*topics, "fleet/ready") for word in ("-t", topic)]
        self._process = Process(*client("mosquitto_sub", port, "-F", "%U %t %p", *filters), log=self._log)
        wait_until(lambda: publish(port, "fleet/ready", "x") and "fleet/ready" in self._log.read_text(),
                   "the observer is subscribed")

    def received(self):
        """When, on what topic, and what."""
        ahead = boot_seconds() - time.time()
        lines = self._log.read_text().split("\n")[:-1]
        for line in lines:
            stamp, topic, payload = line.split(" ", 2)
            yield float(stamp) + ahead, topic, payload

    def stop(self):
        self._process.stop()
