"""Utilities for the bench: processes that never outlive the tests, free ports, waiting for a condition."""
import ctypes
import itertools
import os
import pathlib
import signal
import socket
import subprocess
import time

PATIENCE = 60  # seconds, after which a wait has failed
_libc = ctypes.CDLL(None, use_errno=True)


def _end_with_parent():
    PR_SET_PDEATHSIG = 1
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Process:
    """A program that runs until it is stopped, or until this process ends for any reason."""

    def __init__(self, *command, log, environment=None):
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as output:
            self._child = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment, preexec_fn=_end_with_parent)

    @property
    def id(self):
        return self._child.pid

    def check(self):
        """Fails with the end of the program's log if the program has ended on its own."""
        if self._child.poll() is not None:
            last = self.log.read_text(errors="replace")[-3000:]
            raise AssertionError(f"{self._child.args[0]} ended with {self._child.returncode}:\n{last}")

    def send(self, number):
        self._child.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        """Sends the signal, and waits until the program ends."""
        if self._child.poll() is None:
            self._child.send_signal(number)
            try:
                self._child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
                raise AssertionError(f"{self._child.args[0]} did not end") from None


# Below the ports that the system assigns to clients: a client could otherwise take a port before the program listens on
# it. Each pytest worker has its own range.
_ports = itertools.count(10_000 + 2_000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")))


def free_port():
    for port in _ports:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:  # Another program listens there.
                pass


def wait_until(condition, expected, patience=PATIENCE, otherwise=lambda: ""):
    """Waits for a true value of the condition, and returns it. Fails with a description of it after the timeout.

    `otherwise` may add what was found instead.
    """
    end = time.monotonic() + patience
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"within {patience} s: {expected}{'; but ' if otherwise() else ''}{otherwise()}")
        time.sleep(0.05)
    return value
