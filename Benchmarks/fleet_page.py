"""What was found of a fleet: as tables, computed for larger ones, as a picture, and as the page docs/fleet.md."""
import dataclasses
import math

import clones
import fleet_measures
import traffic
from fleet_measures import Stage
from measures import percentile
from page import machine, table, write_between

LARGER = [1_000, 10_000, 100_000]
# A member is to be half busy at most, so that it can take over what another one leaves.
LOAD = 0.5
ONE, CLUSTER = "one mosquitto", "ejabberd cluster"


def two(values, form="{:.2g}"):
    return " / ".join(form.format(value) for value in values)


def times(sorted_times, form="{:.0f}"):
    """p50, p99 and the last."""
    return [form.format(percentile(sorted_times, 0.5)), form.format(percentile(sorted_times, 0.99)),
            form.format(sorted_times[-1])]


@dataclasses.dataclass
class Results:
    busy: float  # the part of the processors that other programs took
    costs: traffic.Costs = None
    fleets: list = dataclasses.field(default_factory=list)
    crowds: list = dataclasses.field(default_factory=list)

    def tables(self):
        parts = [self._online(), self._broadcasts(), self._connecting(), self._lasting(), self._crowds(), self._larger()]
        return "\n".join(parts)

    def write(self, page):
        load = "" if self.busy < 0.1 else f" Other programs took {self.busy:.0%} of the processors when this began."
        write_between(page, "make benchmark-fleet", f"{machine()}{load}\n\n{self.tables()}")

    # Measured with nodes

    def _online(self):
        rows = []
        for fleet in self.fleets:
            last = fleet.stages[-1]
            before, after = fleet.memory
            rows.append([
                fleet.name, f"{fleet.spawned:.1f}", f"{percentile(fleet.online, 0.5):.1f}", f"{fleet.online[-1]:.1f}",
                " ".join(f"{mib:.0f}" for mib in before), " ".join(f"{mib:.0f}" for mib in after),
                f"{fleet.asleep_cpu * 1000:.0f}", f"{last.brokers_cpu * 1000:.0f}", f"{last.nodes_cpu * 1000:.0f}",
                fleet.late[0], fleet.late[2],
                *([f"{percentile(fleet.moved, 0.5):.2f}", f"{fleet.moved[-1]:.2f}"] if fleet.moved else ["–", "–"])])
        count, losing = self.fleets[0].stages[-1].nodes, fleet_measures.LOSING
        return f"### {count} nodes, started at once\n\n" + table(
            ["", "processes started, s", "half online, s", "all online, s", "MiB of each member before", "MiB after",
             "brokers' CPU, nodes stopped, ms a second", "counting", "nodes' CPU, counting", "nodes with a late tick",
             "the latest, ms", f"{losing} nodes lose their member: half elsewhere, s", "all, s"], rows)

    def _broadcasts(self):
        rows = []
        for fleet in self.fleets:
            for stage in fleet.stages:
                lamps, modes = map(Stage.together, (stage.lamps, stage.modes))
                rows.append([
                    fleet.name, stage.nodes, f"{min(map(len, stage.lamps))} of {stage.nodes}",
                    *times(lamps), f"{Stage.spread(stage.lamps):.0f}", *times(modes), f"{Stage.spread(stage.modes):.0f}"])
        return f"### One `start` for all, {fleet_measures.ROUNDS} times\n\nIn milliseconds after it was sent:\n\n" + table(
            ["", "nodes", "that obey", "lamps, p50", "p99", "last", "first to last", "`mode` at a client, p50", "p99", "last",
             "first to last"], rows)

    # Measured with one node of each kind

    def _connecting(self):
        command = self.costs.command
        rows = [self._once(f"connecting, {setting}", self.costs.connecting[setting])
                for setting in (traffic.USUAL, traffic.PLAIN)]
        rows.append(self._once("one command for all, obeyed and answered", command))
        (topics, kept), (plain_topics, plain) = (self.costs.kept[setting] for setting in (traffic.USUAL, traffic.PLAIN))
        return "### What a node costs its broker once\n\n" + table(
            ["", "packets to the broker / from it", "of them messages", "bytes of MQTT", "bytes with TCP, IP and Ethernet"],
            rows) + (
            f"\nRetained are {topics} messages of {kept:,} bytes with their topics; with `discovery: {{style: none}}` "
            f"{plain_topics} of {plain:,} bytes.\n")

    @staticmethod
    def _once(name, cost):
        return [name, f"{cost.packets_in} / {cost.packets_out}", f"{cost.published}", f"{cost.bytes_in:,} / {cost.bytes_out:,}",
                f"{cost.wire_in:,} / {cost.wire_out:,}"]

    def _lasting(self):
        rows = []
        for setting in traffic.SETTINGS:
            row = [f"`{setting}`" if ":" in setting and "," not in setting else setting]
            for mode in traffic.MODES:
                cost = self.costs.lasting[setting, mode]
                row += [two(((cost.packets_in * 60 / traffic.WATCHED), cost.packets_out * 60 / traffic.WATCHED), "{:.3g}"),
                        two((cost.wire_in / traffic.WATCHED, cost.wire_out / traffic.WATCHED), "{:.3g}")]
            rows.append(row)
        heads = [head for mode in traffic.MODES for head in (f"{mode}: packets a minute", "bytes a second")]
        return "### What a node costs its broker as long as it is there\n\nTo the broker / from it, with TCP, IP and " \
            "Ethernet; a client that shows the node gets the messages once more:\n\n" + table(["", *heads], rows)

    # Measured with connections like a node's

    def _crowds(self):
        rows = []
        for crowd in self.crowds:
            before, after = crowd.memory
            rows.append([
                crowd.name, f"{crowd.connecting:.0f}", " ".join(f"{mib:.0f}" for mib in before),
                " ".join(f"{mib:.0f}" for mib in after), f"{self._memory_each(crowd):.1f}",
                f"{crowd.display[0]:,} of {crowd.retained:,}", f"{crowd.display[1]:.1f}", *times([t * 1000 for t in crowd.broadcast]),
                f"{crowd.broadcast_cpu * 1000:.0f}", f"{crowd.counting_cpu * 1000:.0f}"])
        return f"### {clones.CLONES:,} connections like a node's\n\n" + table(
            ["", "connected one after the other in s", "MiB of each member before", "MiB after", "KiB a node and member",
             "retained messages that `timer/#` gets", "in s", "one command for all: p50, ms", "p99", "last", "CPU, ms",
             "CPU with a tick of each a second and a client that gets them, ms a second"], rows)

    @staticmethod
    def _memory_each(crowd):
        """KiB that a node adds to each member, whichever it is on."""
        before, after = crowd.memory
        return (sum(after) - sum(before)) * 1024 / len(before) / crowd.clones

    # Computed

    def _larger(self):
        crowds = {crowd.name: crowd for crowd in self.crowds}
        lasting, kept = self.costs.lasting, self.costs.kept[traffic.USUAL]
        rows, loads = [], []
        for nodes in LARGER:
            rows.append([
                f"{nodes:,}", f"{nodes * kept[0]:,}", f"{nodes * kept[1] / 1e6:,.0f}",
                *(f"{crowds[name].memory[0][0] + nodes * self._memory_each(crowds[name]) / 1024:,.0f}" for name in (ONE, CLUSTER)),
                *(f"{crowds[name].broadcast[-1] / crowds[name].clones * nodes:.2g}" for name in (ONE, CLUSTER)),
                f"{nodes * self.costs.command.published:,}", f"{nodes * self.costs.command.wire_in * 8 / 1e6:,.0f}"])
            for setting in (traffic.USUAL, "tick_every: 5s", traffic.LEAST):
                cost = lasting[setting, "countdown"]
                messages = nodes * cost.published / traffic.WATCHED
                cores = {name: crowds[name].counting_cpu / crowds[name].clones * messages for name in (ONE, CLUSTER)}
                loads.append([
                    f"{nodes:,}", setting, f"{messages:,.0f}", f"{nodes * cost.wire_in / traffic.WATCHED * 8 / 1e6:,.1f}",
                    f"{nodes * cost.wire_out / traffic.WATCHED * 8 / 1e6:,.1f}", f"{cores[ONE]:.2f}", f"{cores[CLUSTER]:.1f}",
                    max(3, math.ceil(cores[CLUSTER] / LOAD))])
        return "### Larger ones, computed\n\nFrom what is above, in proportion to the nodes or to their messages:\n\n" + table(
            ["nodes and connections", "retained messages", "MB of them", "MiB of one mosquitto", "MiB of each of three ejabberds",
             "one command for all: all have it after s, mosquitto", "ejabberd", "messages in answer", "Mbit in answer"],
            rows) + "\nWhile all nodes count, with one client that shows all of them:\n\n" + table(
            ["nodes", "setting", "messages a second", "Mbit/s to the brokers", "Mbit/s to the nodes", "processors, mosquitto",
             "processors, ejabberd, all members", f"ejabberds with one processor at {LOAD:.0%}"], loads)

    def draw(self, picture):
        """The spread and the processor time over the number of nodes."""
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
        matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "fleet", "font.family": "sans-serif", "font.size": 9}
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
        for colour, fleet in zip(("#1b7f4b", "#d9a92b", "#b3261e"), self.fleets):
            nodes = [stage.nodes for stage in fleet.stages]
            left.plot(nodes, [Stage.spread(stage.lamps) for stage in fleet.stages], color=colour, marker="o", label=fleet.name)
            left.plot(nodes, [Stage.spread(stage.modes) for stage in fleet.stages], color=colour, linestyle="--")
            right.plot(nodes, [stage.brokers_cpu * 1000 for stage in fleet.stages], color=colour, marker="o")
            right.plot(nodes, [stage.nodes_cpu * 1000 for stage in fleet.stages], color=colour, linestyle="--")
        left.set(title="One start: first to last, ms", xlabel="nodes (lamps; dashed: mode at a client)", ylim=(0, None))
        right.set(title="CPU while all count, ms a second", xlabel="nodes (brokers; dashed: nodes)", ylim=(0, None))
        left.legend()
        figure.savefig(picture, metadata={"Date": None})
