"""Counts the instructions of each verb that moves the timer, with callgrind."""
import pathlib
import re
import subprocess
import sys
import time

import subjects

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/python"))

from broker import MQTT
from processes import wait_until

ROUNDS = 15
# Long enough for the node to save the state after a command.
SETTLED = 0.25
# The lamp of a paused timer goes dark after 0.5 s, and is lit again after 2 s.
PAUSED = 0.8
# By verb: its payload, and the commands that come before it in each round, which are not counted.
VERBS = {
    "start": ("", ["stop"]),
    "stop": ("", ["start"]),
    "pause": ("", ["start"]),
    "resume": ("", ["start", "pause"]),
    "next": ("", ["select 1/1"]),
    "set": ("5:00:00", ["start"]),
    "add": ("+1", ["start"]),
}


def instructions(program, folder):
    """Returns the instructions of a command with everything that it causes, with the state kept, by verb."""
    results = folder / "callgrind-verbs"
    with subjects.broker(folder, "set_tcp_nodelay true") as port:
        subject = subjects.node(subjects.KEPT, program, port, folder, kept=True)
        mqtt = MQTT(port, ["timer/kept/availability", "timer/kept/response"])
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={results}"]
        with subjects.running(valgrind + subject.arguments) as process:
            wait_until(lambda: mqtt.messages("timer/kept/availability"), "the node is online")

            def send(command):
                verb, _, payload = command.partition(" ")
                since = mqtt.position()
                mqtt.publish(f"timer/kept/command/{verb}", payload)
                wait_until(lambda: mqtt.messages("timer/kept/response", since), f"an answer to {command}")

            def monitor(command):
                subprocess.run(["vgdb", f"--pid={process.pid}", *command.split()], check=True, capture_output=True)

            counted, dumps = {verb: [] for verb in VERBS}, 0
            for _ in range(ROUNDS):
                for verb, (payload, before) in VERBS.items():
                    for command in before:
                        send(command)
                    time.sleep(PAUSED if verb == "resume" else SETTLED)
                    monitor("zero")
                    send(f"{verb} {payload}")
                    time.sleep(SETTLED)
                    monitor("dump")
                    dumps += 1
                    dump = pathlib.Path(f"{results}.{dumps}")
                    counted[verb].append(int(re.search(r"^(?:summary|totals): (\d+)", dump.read_text(), re.M)[1]))
                    dump.unlink()
        mqtt.close()
    # In some rounds the node also publishes a tick.
    return {verb: min(numbers) for verb, numbers in counted.items()}
