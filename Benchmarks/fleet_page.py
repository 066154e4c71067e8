"""The results of a fleet: as tables, extrapolated to larger fleets, as a picture, and on the page docs/development/fleet.md."""
import dataclasses
import math

import matplotlib
from matplotlib import pyplot

import clones
import fleet_measures
import traffic
from fleet_measures import Stage
from measures import percentile
from page import machine, table, write_between

LARGER = [1_000, 10_000, 100_000]
# A member should be at most half busy, so that it can take over the load of one that fails.
LOAD = 0.5
ONE, CLUSTER = "one mosquitto", "ejabberd cluster"


def pair(values):
    return " / ".join(f"{value:.3g}" for value in values)


def mib(members):
    return ", ".join(f"{value:.0f}" for value in members)


def thousandths(value):
    return f"{value * 1000:.0f}"


def times(sorted_times):
    """Returns p50, p99 and the last time."""
    return [f"{time:.0f}" for time in (percentile(sorted_times, 0.5), percentile(sorted_times, 0.99), sorted_times[-1])]


@dataclasses.dataclass
class Results:
    busy: float  # the fraction of the CPU capacity that other programs used
    costs: traffic.Costs = None
    fleets: list = dataclasses.field(default_factory=list)
    crowds: list = dataclasses.field(default_factory=list)

    def tables(self):
        return "\n".join([
            self._online(), self._broadcasts(), self._connecting(), self._lasting(), self._crowds(), self._larger()])

    def write(self, page):
        load = "" if self.busy < 0.1 else f" Other programs used {self.busy:.0%} of the CPU when this began."
        write_between(page, "make benchmark-fleet", f"{machine()}{load}\n\n{self.tables()}")

    # Measured with nodes

    def _online(self):
        started, members, moved = [], [], []
        for fleet in self.fleets:
            most = fleet.stages[-1]
            started.append([
                fleet.name, most.nodes, f"{fleet.spawned:.1f}", f"{percentile(fleet.online, 0.5):.1f}", f"{fleet.online[-1]:.1f}",
                fleet.late[0], fleet.late[2]])
            members.append([
                fleet.name, *map(mib, fleet.memory), thousandths(fleet.asleep_cpu), thousandths(most.brokers_cpu),
                thousandths(most.nodes_cpu)])
            moved.append([
                fleet.name, len(fleet.moved), f"{percentile(fleet.moved, 0.5):.1f}", f"{fleet.moved[-1]:.1f}"])
        return (
            "### All nodes, started at once\n\n"
            + table(["", "nodes", "all processes started after s", "half of them online", "all online",
                     "nodes with a late tick later", "the latest, ms"], started)
            + "\nMemory of each member in MiB, and processor time of all members in ms a second:\n\n"
            + table(["", "memory before", "with the nodes", "time, all stopped", "all counting",
                     "the nodes' own time, counting"], members)
            + f"\n### Nodes that lose their broker\n\nA member with {fleet_measures.LOSING} of {3 * fleet_measures.LOSING} "
            "nodes is killed; times are in seconds from then. The only mosquitto is restarted after "
            f"{fleet_measures.AWAY} s; times are in seconds from the restart:\n\n"
            + table(["", "nodes that lose it", "half of them online again after s", "all"], moved))

    def _broadcasts(self):
        rows = []
        for fleet in self.fleets:
            for stage in fleet.stages:
                lamps, modes = map(Stage.together, (stage.lamps, stage.modes))
                rows.append([
                    fleet.name, stage.nodes, min(map(len, stage.lamps)),
                    *times(lamps), f"{Stage.spread(stage.lamps):.0f}", *times(modes), f"{Stage.spread(stage.modes):.0f}"])
        return (
            f"### One `start` for all, {fleet_measures.ROUNDS} times\n\nIn milliseconds after it was sent; first to last "
            "is from the round in which this took longest:\n\n"
            + table(["", "nodes", "that responded", "lamps: p50", "p99", "last", "first to last",
                     "`mode` at a client: p50", "p99", "last", "first to last"], rows))

    # Measured with one node of each kind

    def _connecting(self):
        command = self.costs.command
        rows = [self._once(f"connecting, {setting}", self.costs.connecting[setting])
                for setting in (traffic.USUAL, traffic.PLAIN)]
        rows.append(self._once("one command for all, with the response", command))
        (topics, kept), (plain_topics, plain) = (self.costs.kept[setting] for setting in (traffic.USUAL, traffic.PLAIN))
        return "### What a node costs its broker once\n\n" + table(
            ["", "packets to the broker / from it", "messages among them", "bytes of MQTT", "bytes with TCP, IP and Ethernet"],
            rows) + (
            f"\n{topics} messages are retained, with {kept:,} bytes including topics; with "
            f"`discovery: {{style: none}}`, {plain_topics} with {plain:,} bytes.\n")

    @staticmethod
    def _once(name, cost):
        return [name, f"{cost.packets_in} / {cost.packets_out}", cost.published,
                f"{cost.bytes_in:,} / {cost.bytes_out:,}", f"{cost.wire_in:,} / {cost.wire_out:,}"]

    def _lasting(self):
        rows = []
        for setting in traffic.SETTINGS:
            row = [setting]
            for mode in traffic.MODES:
                cost = self.costs.lasting[setting, mode]
                packets = [count * 60 / traffic.WATCHED for count in (cost.packets_in, cost.packets_out)]
                row += [pair(packets), pair(count / traffic.WATCHED for count in (cost.wire_in, cost.wire_out))]
            rows.append(row)
        heads = [head for mode in traffic.MODES for head in (f"{mode}: packets a minute", "bytes a second")]
        return (
            "### What a node costs its broker as long as it is there\n\n"
            "To the broker / from it, with TCP, IP and Ethernet:\n\n"
            + table(["", *heads], rows))

    # Measured with connections like a node's

    def _crowds(self):
        connected, commands = [], []
        for crowd in self.crowds:
            connected.append([
                crowd.name, *(f"{seconds:.0f}" for seconds in crowd.connecting), *map(mib, crowd.memory), f"{self._memory_each(crowd):.0f}",
                f"{crowd.display[0]:,} of {crowd.retained:,}", f"{crowd.display[1]:.1f}"])
            commands.append([
                crowd.name, *times([time * 1000 for time in crowd.broadcast]), thousandths(crowd.broadcast_cpu),
                thousandths(crowd.counting_cpu)])
        return (
            f"### {clones.CLONES:,} connections like a node's\n\n"
            + table(["", f"connected, {clones.AT_ONCE} at a time, in s", "processor time of all members for that, s",
                     "MiB of each member before", "with them",
                     "KiB per connection and member", "retained messages received by a client of `timer/#`", "in s"], connected)
            + "\nOne command for all: ms until it arrives, and processor time of all members; then a tick a second from "
            "each, with one client that receives all of them:\n\n"
            + table(["", "p50", "p99", "last", "time for the command, ms", "time for the ticks, ms a second"], commands))

    @staticmethod
    def _memory_each(crowd):
        """Returns the memory in KiB that a node adds to each member, no matter which one it is connected to."""
        before, after = crowd.memory
        return (sum(after) - sum(before)) * 1024 / len(before) / crowd.clones

    # Computed

    def _larger(self):
        crowds = {crowd.name: crowd for crowd in self.crowds}
        kept, command = self.costs.kept[traffic.USUAL], self.costs.command
        rows, loads = [], []
        for nodes in LARGER:
            def memory(name):
                return f"{crowds[name].memory[0][0] + nodes * self._memory_each(crowds[name]) / 1024:,.0f}"

            def reached(name):
                return f"{crowds[name].broadcast[-1] * nodes / crowds[name].clones:.2g}"

            def connected(name):
                return f"{crowds[name].connecting[1] * nodes / crowds[name].clones:,.0f}"

            rows.append([
                f"{nodes:,}", f"{nodes * kept[0]:,}", f"{nodes * kept[1] / 1e6:,.0f}", memory(ONE), memory(CLUSTER),
                connected(ONE), connected(CLUSTER), reached(ONE), reached(CLUSTER), f"{nodes * command.published:,}",
                f"{nodes * command.wire_in * 8 / 1e6:,.0f}"])
            loads += [self._load(nodes, setting, crowds) for setting in (traffic.USUAL, "tick_every: 5s", "tick_every: 0")]
        return (
            "### Larger ones, computed\n\nIn proportion to the nodes:\n\n"
            + table(["nodes (connections)", "retained messages", "MB of them", "MiB of one mosquitto",
                     "MiB of each ejabberd of three", "processor time until all are connected, s: mosquitto", "ejabberds",
                     "a command for all arrives after s: mosquitto", "ejabberds",
                     "messages in response", "Mbit"], rows)
            + "\nWhile all of them count, with one client that receives everything; processors in proportion to the messages:\n\n"
            + table(["nodes", "setting", "messages a second", "Mbit/s to the brokers", "Mbit/s to the nodes",
                     "processors of mosquitto", "of all ejabberds",
                     f"ejabberds of two processors, at most {LOAD:.0%} busy"], loads))

    def _load(self, nodes, setting, crowds):
        cost = self.costs.lasting[setting, "countdown"]
        messages = nodes * cost.published / traffic.WATCHED
        cores = {name: crowd.counting_cpu / crowd.clones * messages for name, crowd in crowds.items()}
        rates = [f"{nodes * count / traffic.WATCHED * 8 / 1e6:,.2f}" for count in (cost.wire_in, cost.wire_out)]
        # At least three: with two, neither can tell whether the other member or the network has failed.
        members = max(3, math.ceil(cores[CLUSTER] / 2 / LOAD))
        return [f"{nodes:,}", setting, f"{messages:,.0f}", *rates, f"{cores[ONE]:.2f}", f"{cores[CLUSTER]:.2f}", members]

    def draw(self, picture):
        """Draws the spread and the CPU time over the number of nodes."""
        matplotlib.use("svg")
        # Text stays text, and the same figures produce the same file.
        matplotlib.rcParams |= {
            "svg.fonttype": "none", "svg.hashsalt": "fleet", "font.family": "sans-serif", "font.size": 9}
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
        for colour, fleet in zip(("#1b7f4b", "#d9a92b", "#b3261e"), self.fleets):
            nodes = [stage.nodes for stage in fleet.stages]
            style = {"color": colour, "marker": "o", "label": fleet.name}
            left.plot(nodes, [Stage.spread(stage.lamps) for stage in fleet.stages], **style)
            left.plot(nodes, [Stage.spread(stage.modes) for stage in fleet.stages], color=colour, linestyle="--")
            right.plot(nodes, [stage.brokers_cpu * 1000 for stage in fleet.stages], **style)
            right.plot(nodes, [stage.nodes_cpu * 1000 for stage in fleet.stages], color=colour, linestyle="--")
        left.set(title="One start: first to last, ms", xlabel="nodes (lamps; dashed: mode at a client)", ylim=(0, None))
        right.set(title="CPU while all count, ms a second", xlabel="nodes (brokers; dashed: nodes)", ylim=(0, None))
        left.legend()
        figure.savefig(picture, metadata={"Date": None})
