"""Measures a fleet: the time until all nodes are online, the spread of their reactions to one broadcast, the cost for
the brokers, and the time that nodes take to move when their member is killed."""
import contextlib
import dataclasses
import json
import pathlib
import subprocess
import time

import fleet_brokers
from broker import MQTT
from fleet_nodes import STARTING, Fleet, Observer, boot_seconds
from processes import wait_until

ROUNDS = 5  # starts at each count
WATCHED = 8  # seconds over which CPU time is measured
LOSING = 50  # nodes that lose their member, a third of all
AWAY = 10  # seconds without the only broker


@dataclasses.dataclass
class Stage:
    """The measurements with a number of nodes."""

    nodes: int
    lamps: list  # for each round: milliseconds from sending the broadcast until each node's mode began, sorted
    modes: list  # the same until each node's `mode` reached a client
    brokers_cpu: float  # seconds of CPU time per second while all nodes count
    nodes_cpu: float

    @staticmethod
    def together(rounds):
        """Returns the times of all rounds, sorted."""
        return sorted(time for times in rounds for time in times)

    @staticmethod
    def spread(rounds):
        """Returns the time from the first to the last node in the round where it was longest."""
        return max(times[-1] - times[0] for times in rounds)


@dataclasses.dataclass
class Results:
    name: str
    members: int
    spawned: float  # seconds until all processes were started
    online: list  # seconds after the first process was started, sorted
    memory: tuple  # MiB of each member, without nodes and with all of them
    asleep_cpu: float
    late: tuple  # nodes with a late tick, late ticks, the greatest lateness in ms
    stages: list
    # Seconds from killing a member until each of its nodes is online elsewhere, or from restarting the only broker
    # until each node is online.
    moved: list = None


def busy():
    """Returns the fraction of the CPU capacity that other programs use."""
    def read():
        numbers = list(map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]))
        return sum(numbers), numbers[3] + numbers[4]

    before = read()
    time.sleep(3)
    total, idle = (later - earlier for earlier, later in zip(before, read()))
    return 1 - idle / total


def retained(port, fleet, topic):
    """Returns the payload retained on a topic of each node."""
    arguments = ["-q", "1", "-t", f"timer/+/{topic}", "-C", str(fleet.most), "-W", "30", "-F", "%t %p"]
    lines = subprocess.run(
        fleet_brokers.client("mosquitto_sub", port, *arguments), capture_output=True, text=True).stdout.splitlines()
    payloads = {line.split("/")[1]: line.split(" ", 1)[1] for line in lines}
    return [payloads.get(node.id) for node in fleet.nodes]


def retained_json(port, fleet, topic):
    return [json.loads(payload or "null") for payload in retained(port, fleet, topic)]


def wait_until_online(nodes, observer, since):
    """Waits until these nodes are online, and returns when each was first seen online after an instant."""
    names = {node.id for node in nodes}

    def seen():
        for node in nodes:
            node.process.check()
        first = {}
        for stamp, topic, payload in observer.received():
            name = topic.split("/")[1]
            if stamp > since and payload == "online" and name in names:
                first.setdefault(name, stamp)
        return first if len(first) == len(names) else None

    return sorted(wait_until(seen, f"{len(names)} nodes are online", STARTING).values())


def broadcast(fleet, sender, observer, verb, mode):
    """Sends a command to all nodes; returns when it was sent, and when the mode of each node arrived."""
    seen = sum(1 for _ in observer.received())
    sent = boot_seconds()
    sender.publish(f"timer/all/command/{verb}")

    def came():
        arrived = {topic: stamp for stamp, topic, payload in list(observer.received())[seen:] if payload == mode}
        return arrived if len(arrived) == len(fleet.nodes) else None

    return sent, list(wait_until(came, f"all are at {mode}").values())


def stage(fleet, brokers, sender, observer):
    lamps, modes = [], []
    for _ in range(ROUNDS):
        sent, arrived = broadcast(fleet, sender, observer, "start", "countdown")
        modes.append(sorted((stamp - sent) * 1000 for stamp in arrived))
        # Each node reports the instant at which its mode began and its lamps changed, on the clock that they all share.
        begun = wait_until(lambda: since(brokers.ports[0], fleet, sent), "all states show the start")
        lamps.append(sorted((stamp - sent) * 1000 for stamp in begun))
        if len(modes) < ROUNDS:
            broadcast(fleet, sender, observer, "stop", "stopped")
    costs = cpu(brokers, fleet)
    broadcast(fleet, sender, observer, "stop", "stopped")
    return Stage(len(fleet.nodes), lamps, modes, *costs)


def since(port, fleet, sent):
    """Returns when the nodes started to count, or None unless all have started since an instant."""
    states = retained_json(port, fleet, "state")
    begun = [state["clock"]["since"] / 1e6 for state in states if state and state["mode"] == "countdown"]
    return begun if len(begun) == len(fleet.nodes) and min(begun) > sent else None


def cpu(brokers, fleet):
    """Returns the CPU time per second of the brokers and of the nodes while no client sends anything."""
    time.sleep(1)
    before = fleet_brokers.cpu_seconds(brokers.pids), fleet.cpu_seconds()
    time.sleep(WATCHED)
    after = fleet_brokers.cpu_seconds(brokers.pids), fleet.cpu_seconds()
    return [(later - earlier) / WATCHED for earlier, later in zip(before, after)]


def measure(name, make, folder):
    """Runs a fleet on one kind of broker."""
    with contextlib.ExitStack() as stack:
        brokers = make(folder)
        stack.callback(brokers.stop)
        port = brokers.ports[0]
        fleet = Fleet(folder, brokers)
        stack.callback(lambda: fleet.remove(len(fleet.nodes)))
        availability = Observer(folder, port, "timer/+/availability")
        modes = Observer(folder, port, "timer/+/mode")
        sender = MQTT(port, ["fleet/nothing"], fleet_brokers.USER, fleet_brokers.PASSWORD)
        for observer in (availability, modes):
            stack.callback(observer.stop)
        stack.callback(sender.close)

        idle = brokers.memory()
        begin = boot_seconds()
        fleet.add(brokers.counts[-1])
        spawned = boot_seconds() - begin
        online = [stamp - begin for stamp in wait_until_online(fleet.nodes, availability, begin)]
        asleep_cpu = cpu(brokers, fleet)[0]
        stages = [stage(fleet, brokers, sender, modes)]
        memory = idle, brokers.memory()
        late = late_ticks(port, fleet)
        for count in brokers.counts[-2::-1]:
            fleet.remove(len(fleet.nodes) - count)
            stages.insert(0, stage(fleet, brokers, sender, modes))
        results = Results(name, len(brokers.ports), spawned, online, memory, asleep_cpu, late, stages)
        begin, present = boot_seconds(), len(fleet.nodes)
        fleet.add(max(0, LOSING * 3 - present))
        wait_until_online(fleet.nodes[present:], availability, begin)
        lose = lose_member if len(brokers.ports) > 1 else lose_broker
        results.moved = lose(fleet, brokers, availability)
        return results


def late_ticks(port, fleet):
    """Returns the number of nodes with a late tick, the number of late ticks, and the greatest lateness in ms."""
    def said():
        healths = retained_json(port, fleet, "health")
        # Each node publishes its health again after a minute; by then it has counted.
        return healths if min(health["uptime_s"] for health in healths) >= 55 else None

    healths = wait_until(said, "all nodes have published their health", STARTING)
    late = [health["late_ticks"] for health in healths]
    return sum(map(bool, late)), sum(late), max(health["max_tick_lateness_ms"] for health in healths)


def lose_member(fleet, brokers, observer):
    """Kills the last member; returns the seconds until each of its nodes was online elsewhere."""
    last = len(brokers.ports) - 1
    losing = [node for number, node in enumerate(fleet.nodes) if fleet.member(number) == last]
    begin = boot_seconds()
    brokers.kill(last)
    moved = [stamp - begin for stamp in wait_until_online(losing, observer, begin)]
    for port in brokers.ports[:last]:
        wait_until(lambda: set(retained(port, fleet, "availability")) == {"online"}, "all nodes are online on each member")
    return moved


def lose_broker(fleet, broker, observer):
    """Kills the only broker and restarts it later; returns the seconds from the restart until each node was online."""
    broker.kill(0)
    time.sleep(AWAY)
    begin = boot_seconds()
    broker.start()
    return [stamp - begin for stamp in wait_until_online(fleet.nodes, observer, begin)]
