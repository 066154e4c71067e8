"""The results: as tables, on the page docs/development/performance.md, and compared with limits.toml."""
import dataclasses
import datetime
import pathlib
import platform
import re
import subprocess
import tomllib

import saving
from measures import WATCHED, percentile
from subjects import BARE, FLOOR, KEPT, MOSQUITTO

LIMITS = pathlib.Path(__file__).resolve().parent / "limits.toml"


def limits():
    return tomllib.loads(LIMITS.read_text())


def write_between(page, command, text):
    """Inserts text into a page, between two comments that name the command."""
    begin, end = (f"<!-- what {side} is written by {command} -->\n" for side in ("follows", "precedes"))
    old = page.read_text()
    page.write_text(f"{old[:old.index(begin) + len(begin)]}\n{text}\n{old[old.index(end):]}")


def table(heads, rows):
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def first(pattern, file):
    """Returns the first match in a file, or "unknown"."""
    found = re.search(pattern, pathlib.Path(file).read_text(), re.M)
    return found[1] if found else "unknown"


@dataclasses.dataclass
class Results:
    brokers: list
    latencies: list = dataclasses.field(default_factory=list)
    memory: dict = None
    counting: dict = None
    asleep: dict = None
    instructions: dict = None
    verbs: dict = None
    evening: saving.Results = None
    left_out: str = None

    def ratios(self, name):
        """Yields p50 and p99 as multiples of the floor's, for each broker."""
        for times in self.latencies:
            yield [percentile(times[name], part) / percentile(times[FLOOR], part) for part in (0.5, 0.99)]

    def faults(self):
        """Returns a line for each figure that is above its limit."""
        found, allowed = [], limits()
        for broker, ratios in zip(self.brokers, self.ratios(KEPT)):
            for key, ratio in zip(("p50", "p99"), ratios):
                found.append((f"{key} with a broker {broker}, times the floor's", ratio, allowed["latency"][key]))
        for name, limit in allowed["instructions"]["alternating"].items():
            found.append((f"instructions per command, {name}", self.instructions[name], limit))
        for verb, count in self.verbs.items():
            found.append((f"instructions of {verb}", count, allowed["instructions"]["verb"]))
        if self.evening:
            for key in ("syncs", "written"):
                found.append((f"{key}, an evening saved", getattr(self.evening, key), allowed["saving"][key]))
        resident, private = self.memory[KEPT]
        found.append(("MiB resident", resident, allowed["memory"]["resident"]))
        found.append(("MiB private", private, allowed["memory"]["private"]))
        found.append((f"wake-ups asleep in {WATCHED} s", self.asleep[KEPT], allowed["wake_ups"]["asleep"]))
        found.append(("wake-ups per second, counting", self.counting[KEPT] / WATCHED, allowed["wake_ups"]["counting"]))
        return [f"above its limit: {what}: {value:.4g}, at most {limit}" for what, value, limit in found if value > limit]

    def tables(self):
        text = ""
        for broker, times in zip(self.brokers, self.latencies):
            rows = []
            for name in times:
                p50, p99 = (percentile(times[name], part) for part in (0.5, 0.99))
                ratios = [here / percentile(times[FLOOR], part) for here, part in ((p50, 0.5), (p99, 0.99))]
                rows.append([name, f"{p50:.0f}", f"{p99:.0f}", f"{ratios[0]:.2f}", f"{ratios[1]:.2f}"])
            text += f"Command → `mode` with a broker {broker}, {len(times[FLOOR])} of each, in turn:\n\n"
            text += table(["", "p50 µs", "p99 µs", "p50, times the floor", "p99, times the floor"], rows) + "\n"
        rows = []
        for name, (resident, private) in self.memory.items():
            rows.append([
                name, f"{self.instructions[name]:,.0f}", f"{resident:.1f}", f"{private:.1f}", self.asleep[name],
                f"{self.counting[name] / WATCHED:.1f}" if name in (BARE, KEPT) else "–"])
        text += "Cost of a command, memory and wake-ups:\n\n"
        text += table(
            ["", "instructions per command", "MiB resident", "MiB private", f"wake-ups in {WATCHED} s asleep",
             "wake-ups per second, counting"], rows)
        text += f"\nInstructions of a command, by verb ({KEPT}):\n\n"
        text += table(["", "instructions"], [[f"`{verb}`", f"{count:,.0f}"] for verb, count in self.verbs.items()])
        if self.evening:
            text += f"\nSaving an evening of {saving.TALKS} talks, on ext4:\n\n"
            text += table(["saves", "syncs", "kB written", "kB per talk"], [[
                self.evening.saves, self.evening.syncs, f"{self.evening.written / 1000:,.0f}",
                f"{self.evening.written / 1000 / saving.TALKS:.0f}"]])
        return text + (f"\nmqtt-io could not be installed: {self.left_out}\n" if self.left_out else "")

    def write(self, page):
        """Inserts the tables into the page, with the machine and the date."""
        write_between(page, "make benchmark", f"{machine()}\n\n{self.tables()}")


def machine():
    processor = first(r"^(?:model name|Model)\s*: (.*)", "/proc/cpuinfo")
    count = len(re.findall("^processor", pathlib.Path("/proc/cpuinfo").read_text(), re.M))
    system = first(r'^PRETTY_NAME="(.*)"', "/etc/os-release")
    mosquitto = subprocess.run([MOSQUITTO, "-h"], capture_output=True, text=True).stdout.splitlines()[0]
    return (
        f"{datetime.date.today():%-d %B %Y}: {processor}, {count} processors; {system}, Linux {platform.release()}; "
        f"{mosquitto}.")
