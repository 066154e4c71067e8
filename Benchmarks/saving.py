"""Measures what an evening of talks writes to the disk: saves, syncs, and bytes on a file system of its own."""
import contextlib
import dataclasses
import os
import pathlib
import subprocess
import sys
import time

import subjects

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/python"))

from broker import MQTT
from processes import wait_until

TALKS = 40
# Each talk is short, but has all lamps.
TIMER = "{name: Talk, start: 4, warning: 3, final: 2}"
MEBIBYTES = 64


@dataclasses.dataclass
class Results:
    saves: int  # of the state and of the report
    syncs: int
    written: int  # bytes that the file system wrote to its device, including its journal


@contextlib.contextmanager
def disk(folder):
    """Mounts an ext4 of its own, as on an SD card of Raspberry Pi OS. Yields its folder and its block device's name."""
    image, place = folder / "disk.img", folder / "disk"
    place.mkdir()
    with open(image, "wb") as file:
        file.truncate(MEBIBYTES << 20)
    # Otherwise the kernel would still be writing these tables during the measurement.
    subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, place], check=True)
    try:
        source = subprocess.run(["findmnt", "-no", "SOURCE", place], check=True, capture_output=True, text=True).stdout
        yield place, pathlib.Path(source.strip()).name
    finally:
        subprocess.run(["umount", place], check=True)


def written(device):
    """Returns the bytes written to a block device."""
    os.sync()
    return int(pathlib.Path(f"/sys/block/{device}/stat").read_text().split()[6]) * 512


def evening(program, folder, talks=TALKS, between=0.5):
    """Runs an evening of talks: for each, a speaker, a start, all lamps up to the alarm, and a stop.

    - between: the seconds from a stop to the next speaker.
    """
    with disk(folder) as (place, device), subjects.broker(folder, "set_tcp_nodelay true") as port:
        file, trace = folder / "saving.yaml", folder / "saving.strace"
        file.write_text(
            f"node: {{id: saving}}\nmqtt: {{brokers: ['mqtt://127.0.0.1:{port}']}}\n"
            f"timers: {{groups: [{{timers: [{TIMER}]}}]}}\nstorage: {{directory: {place}/timer-node}}\n")
        mqtt = MQTT(port, ["timer/saving/availability", "timer/saving/mode"])
        # -D: the node is this process's child, so that it ends with it.
        strace = ["strace", "-D", "-f", "-qq", "-e", "trace=fsync,renameat", "-o", trace]

        def wait_for(payload, topic, since=0):
            wait_until(
                lambda: any(message.payload == payload for message in mqtt.messages(f"timer/saving/{topic}", since)),
                f"{topic} is {payload}")

        with subjects.running([*strace, program, "run", "--config", file]):
            wait_for("online", "availability")
            time.sleep(2)
            before, calls = written(device), len(trace.read_text().splitlines())
            for number in range(talks):
                since = mqtt.position()
                mqtt.publish("timer/saving/command/speaker", f"Speaker {number}")
                time.sleep(0.3)
                mqtt.publish("timer/saving/command/start", "")
                wait_for("alarm", "mode", since)
                time.sleep(0.5)
                mqtt.publish("timer/saving/command/stop", "")
                wait_for("stopped", "mode", since)
                time.sleep(between)
            time.sleep(1)
            after, lines = written(device), trace.read_text().splitlines()[calls:]
        mqtt.close()
    return Results(
        # Each document is synced once, and so is the folder after a file has been renamed.
        saves=sum("fsync(" in line for line in lines) - sum("renameat(" in line for line in lines),
        syncs=sum("fsync(" in line for line in lines),
        written=after - before)
