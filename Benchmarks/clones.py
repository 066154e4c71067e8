"""Opens thousands of connections like a node's from one process: more than the number of nodes that a machine can run.

Each has the subscriptions of a node, and publishes the retained messages of a real node under its own name. So a clone
costs the broker as much as a node, but does not respond to commands.
"""
import concurrent.futures
import contextlib
import dataclasses
import select
import socket
import struct
import subprocess
import time

import fleet_brokers
from fleet_nodes import Fleet
from processes import wait_until

CLONES = 3000
AT_ONCE = 30  # clones that connect at the same time
ROUNDS = 5  # ticks of each clone, one per second
CONNACK, PUBLISH, PUBACK, SUBACK = 2, 3, 4, 9
QOS_1, NO_LOCAL, NOTHING_RETAINED = 0x01, 0x04, 0x20


@dataclasses.dataclass
class Results:
    name: str
    clones: int
    connecting: tuple  # seconds, and seconds of CPU time
    memory: tuple  # MiB of each member, before and after
    retained: int  # messages
    display: tuple  # how many of them a client of all topics receives, and in how many seconds
    broadcast: list  # seconds from sending a command for all until each clone has received it, sorted
    broadcast_cpu: float  # seconds of CPU time
    counting_cpu: float  # seconds of CPU time per second, with a tick per second from each and one receiving client


def text(string):
    data = string.encode()
    return struct.pack(">H", len(data)) + data


def packet(kind, flags, body):
    length, digits = len(body), b""
    while True:
        length, digit = divmod(length, 128)
        digits += bytes([digit | (0x80 if length else 0)])
        if not length:
            return bytes([kind << 4 | flags]) + digits + body


def message(topic, payload, identifier=None, is_retained=False):
    flags = (2 if identifier else 0) | is_retained
    return packet(PUBLISH, flags, text(topic) + (struct.pack(">H", identifier) if identifier else b"") + b"\0" + payload)


class Clone:
    """One connection."""

    def __init__(self, name, port, retained):
        self.name = name
        self._socket = socket.create_connection(("127.0.0.1", port), 30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""
        will = b"\0" + text(f"timer/{name}/availability") + text("offline")
        # MQTT 5 with a user name, a password and a retained will of QoS 1; ten minutes of keep-alive.
        flags = 0x80 | 0x40 | 0x20 | 0x08 | 0x04 | 0x02
        self.send(packet(1, 0, text("MQTT") + struct.pack(">BBH", 5, flags, 600) + b"\0" + text(f"clone-{name}") + will
                         + text(fleet_brokers.USER) + text(fleet_brokers.PASSWORD)))
        self._await(CONNACK)
        commands = [f"timer/{name}/command/+", f"timer/{name}/command", "timer/all/command/+", "timer/all/command",
                    "homeassistant/status"]
        own = [topic.replace("NAME", name) for topic, _ in retained if topic.startswith("timer/")]
        self._subscribe(commands, QOS_1)
        # Receives what other clients publish there, but not its own messages.
        self._subscribe(own, QOS_1 | NO_LOCAL)
        self.send(b"".join(
            message(topic.replace("NAME", name), payload, place, True)
            for place, (topic, payload) in enumerate(retained, 1)))
        self._await(PUBACK, len(retained))

    def _subscribe(self, topics, options):
        options |= NOTHING_RETAINED
        self.send(b"".join(
            packet(8, 2, struct.pack(">H", place) + b"\0" + text(topic) + bytes([options]))
            for place, topic in enumerate(topics, 1)))
        self._await(SUBACK, len(topics))

    def fileno(self):
        return self._socket.fileno()

    def send(self, data):
        self._socket.sendall(data)

    def close(self):
        self._socket.close()

    def _await(self, kind, count=1):
        while count:
            for received, body in self.receive():
                count -= received == kind

    def receive(self):
        """Waits for data, and returns the packets that are complete."""
        data = self._socket.recv(65536)
        if not data:
            raise AssertionError(f"the broker has closed the connection of {self.name}")
        self._rest += data
        found = []
        while len(self._rest) > 1:
            length = place = 0
            while True:
                place += 1
                if place >= len(self._rest):
                    return found
                length |= (self._rest[place] & 0x7F) << 7 * (place - 1)
                if self._rest[place] < 0x80:
                    break
            end = place + 1 + length
            if len(self._rest) < end:
                return found
            found.append((self._rest[0] >> 4, self._rest[place + 1:end]))
            self._rest = self._rest[end:]
        return found

    def take_command(self):
        """Returns whether a command has arrived, and acknowledges it."""
        for kind, body in self.receive():
            if kind == PUBLISH:
                after = 2 + struct.unpack(">H", body[:2])[0]
                self.send(packet(PUBACK, 0, body[after:after + 2]))
                return True
        return False


def of_a_node(folder, brokers):
    """Returns the retained messages of a real node: topics with NAME in place of its id, and payloads."""
    fleet = Fleet(folder, brokers)
    fleet.add(1)
    node = fleet.nodes[0]
    arguments = ["-q", "1", "-W", "3", "-F", "%t %p", "-t", f"timer/{node.id}/#", "-t", f"homeassistant/+/{node.id}/#"]
    command = fleet_brokers.client("mosquitto_sub", brokers.ports[0], *arguments)

    def found():
        node.process.check()
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        pairs = dict(line.split(" ", 1) for line in lines)
        return pairs if f"timer/{node.id}/health" in pairs else None

    pairs = wait_until(found, "a node has published its health")
    fleet.remove(1)
    return [(topic.replace(node.id, "NAME"), payload.encode()) for topic, payload in pairs.items() if payload]


def broadcast(clones, port):
    """Returns the seconds from sending a command for all until each clone has received it."""
    poll = select.epoll()
    waiting = {clone.fileno(): clone for clone in clones}
    for descriptor in waiting:
        poll.register(descriptor, select.EPOLLIN)
    begin, times = time.monotonic(), []
    if not fleet_brokers.publish(port, "timer/all/command/start"):
        raise AssertionError("the command was not sent")
    while waiting:
        ready = poll.poll(30)
        if not ready:
            raise AssertionError(f"{len(waiting)} clones did not receive the command")
        for descriptor, _ in ready:
            if waiting[descriptor].take_command():
                times.append(time.monotonic() - begin)
                poll.unregister(descriptor)
                del waiting[descriptor]
    return times


def measure(name, make, folder):
    with contextlib.ExitStack() as stack:
        brokers = make(folder)
        stack.callback(brokers.stop)
        retained = of_a_node(folder, brokers)
        before, cpu, begin = brokers.memory(), fleet_brokers.cpu_seconds(brokers.pids), time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
            clones = list(threads.map(lambda number: Clone(
                f"clone-{number}", brokers.ports[number % len(brokers.ports)], retained), range(CLONES)))
        connecting = time.monotonic() - begin, fleet_brokers.cpu_seconds(brokers.pids) - cpu
        for clone in clones:
            stack.callback(clone.close)
        total = CLONES * sum(topic.startswith("timer/") for topic, _ in retained)
        display = fetch(brokers.ports[-1], total)

        cpu = fleet_brokers.cpu_seconds(brokers.pids)
        times = broadcast(clones, brokers.ports[0])
        broadcast_cpu = fleet_brokers.cpu_seconds(brokers.pids) - cpu
        counting_cpu = count(clones, brokers)
        memory = before, brokers.memory()
        return Results(name, CLONES, connecting, memory, total, display, times, broadcast_cpu, counting_cpu)


def fetch(port, count):
    """Returns how many retained messages a client that subscribes to all nodes receives, and in how many seconds."""
    begin = time.monotonic()
    arguments = ["-q", "1", "-t", "timer/#", "-C", str(count), "-W", "30", "-F", "%l"]
    said = subprocess.run(fleet_brokers.client("mosquitto_sub", port, *arguments), capture_output=True, text=True).stdout
    return len(said.splitlines()), time.monotonic() - begin


def count(clones, brokers):
    """Returns the CPU time per second while each clone sends a tick per second and one client receives them."""
    total = ROUNDS * len(clones)
    arguments = ["-t", "timer/+/tick", "-C", str(total), "-W", "60", "-F", "%l"]
    command = fleet_brokers.client("mosquitto_sub", brokers.ports[0], *arguments)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as display:
        time.sleep(1)
        cpu, begin = fleet_brokers.cpu_seconds(brokers.pids), time.monotonic()
        for second in range(ROUNDS):
            for place, clone in enumerate(clones):
                clone.send(message(f"timer/{clone.name}/tick", b"1199"))
                if place % 50 == 0:  # spread over the second
                    time.sleep(max(0, begin + second + place / len(clones) - time.monotonic()))
        got = len(display.communicate()[0].splitlines())
        if got < total:
            raise AssertionError(f"the display received {got} of {total} ticks")
        return (fleet_brokers.cpu_seconds(brokers.pids) - cpu) / ROUNDS
