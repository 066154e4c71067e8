"""The measurements: latency with client.c, memory and wake-ups from /proc, instructions with callgrind."""
import contextlib
import pathlib
import re
import subprocess
import time

import subjects

# Long enough to distinguish one wake-up per second from none.
WATCHED = 10


def begin(subject, port, patience=30):
    """Waits until a program is ready, and puts it into a state in which the two commands can alternate."""
    wait = ["mosquitto_sub", "-p", str(port), "-C", "1", "-W", str(patience), "-t", subject.ready]
    if subprocess.run(wait, stdout=subprocess.DEVNULL).returncode != 0:
        raise SystemExit(f"{subject.name} does not start")
    publish(subject.begin, port)


def rest(subject, port):
    """Stops the timer of a program, so that it becomes idle."""
    publish(subject.rest, port)


def publish(topic, port):
    """Publishes an empty message, and waits a second for its effects."""
    if topic:
        subprocess.run(["mosquitto_pub", "-p", str(port), "-t", topic, "-n"], check=True)
        time.sleep(1)


# Milliseconds: long enough for a node to finish its work on a command, and short enough for a delayed acknowledgement to
# matter.
PAUSE = 2


def latencies(client, port, rounds, all_subjects, pause=PAUSE):
    """Returns the microseconds from each command to its response or its line, sorted, by subject name."""
    fields = [field for subject in all_subjects for field in subject.fields()]
    lines = subprocess.run(
        [client, str(port), str(rounds), str(pause), *fields], check=True, stdout=subprocess.PIPE, text=True,
        timeout=120 + rounds * pause).stdout.splitlines()
    samples = {subject.name: [] for subject in all_subjects}
    for line in lines:
        name, microseconds = line.rsplit(" ", 1)
        samples[name].append(float(microseconds))
    return {name: sorted(times) for name, times in samples.items()}


def percentile(times, part):
    return times[min(len(times) - 1, int(len(times) * part))]


def status(pid, key):
    """Returns a number from /proc/PID/status."""
    return int(re.search(rf"^{key}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1])


def memory(pid):
    """Returns the resident memory and its anonymous part, in MiB."""
    return status(pid, "VmRSS") / 1024, status(pid, "RssAnon") / 1024


def wake_ups(pids):
    """Returns how many times each process woke during WATCHED seconds, counting all its threads."""

    def switches(pid):
        tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
        return sum(status(f"{pid}/task/{task.name}", "voluntary_ctxt_switches") for task in tasks)

    before = [switches(pid) for pid in pids]
    time.sleep(WATCHED)
    return [switches(pid) - earlier for pid, earlier in zip(pids, before)]


def stripped(program, folder):
    """Returns a copy without debugging information, because valgrind cannot read all of it."""
    copy = folder / f"{pathlib.Path(program).name}-stripped"
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


def instructions(client, port, rounds, all_subjects, folder):
    """Returns the instructions of each program for this number of rounds, including startup and shutdown."""
    with contextlib.ExitStack() as stack:
        logs = [folder / f"callgrind-{number}.log" for number in range(len(all_subjects))]
        for subject, log in zip(all_subjects, logs):
            valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
            stack.enter_context(subjects.running(valgrind + subject.arguments))
        for subject in all_subjects:
            begin(subject, port, patience=300)
        latencies(client, port, rounds, all_subjects)
        # For work that is still in progress; nothing else happens in this time.
        time.sleep(1)
    return [int(re.search(r"Collected : (\d+)", log.read_text())[1]) for log in logs]
