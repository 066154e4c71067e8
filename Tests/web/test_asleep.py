"""Displays and remotes that slept in a hidden tab, or with the whole machine; and connections that died meanwhile."""
import contextlib
import os
import socket
import threading
import time

import pytest

from processes import wait_until
from tabs import Tabs

# SLEEP=60 makes it a minute. Everything else stays the same.
SLEEP = float(os.environ.get("SLEEP", 6))
# What is done while the page sleeps, and what it shows then: the mode, and the seconds left before the sleep is
# deducted.
CHANGES = [
    ([("start", "")], "countdown", 1200), ([("start", ""), ("set", "4:40")], "warning", 280),
    ([("start", ""), ("set", "7:00"), ("pause", "")], "paused", 420)]


class ForgetfulWay:
    """A path to the server that can lose its streams silently, as a network does while a machine sleeps."""

    def __init__(self, port):
        self._server, self._pairs, self._port = socket.create_server(("127.0.0.1", 0)), [], port
        self.port = self._server.getsockname()[1]
        self._streams, self._lost = set(), set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            self._pairs.append((near, far))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other, len(self._pairs) - 1), daemon=True).start()

    def _carry(self, one, other, number):
        try:
            while data := one.recv(1 << 16):
                if b"GET /api/events" in data:
                    self._streams.add(number)
                if number not in self._lost:
                    other.sendall(data)
            if number not in self._lost:
                other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def forget(self):
        """Goes silent on streams; connections that wait for a request are closed, as a server does after a while."""
        self._lost |= self._streams
        for number, pair in enumerate(self._pairs):
            if number not in self._lost:
                for one in pair:
                    with contextlib.suppress(OSError):
                        one.shutdown(socket.SHUT_RDWR)

    def close(self):
        for one in (self._server, *(one for pair in self._pairs for one in pair)):
            one.close()


@pytest.fixture
def tabs(tmp_path):
    tabs = Tabs(tmp_path / "profile")
    yield tabs
    tabs.close()


def log_in(tabs, web):
    tab = tabs.open(web.url + "settings")
    wait_until(lambda: tab.evaluate("document.readyState") == "complete", "the settings are there")
    assert tab.evaluate("fetch('api/session', { method: 'POST', headers: { 'content-type': 'application/json' },"
                        f"body: JSON.stringify({{ pin: '{web.pin('remote')}' }}) }}).then(answer => answer.ok)")


def seen(tab):
    """The mode that a page shows, and its digits."""
    return tab.evaluate("[(document.querySelector('#stage[data-mode]') ?? document.body)?.dataset.mode,"
                        "document.querySelector('#time, #digits')?.textContent]")


def wait_for(tab, node, mode, seconds, patience=60):
    """Waits until a page is right, and returns how long that took, in s."""
    began = time.monotonic()

    def is_right():
        shown, digits = seen(tab)
        if shown != mode:
            return False
        minutes, rest = digits.split(":")
        zero = (node.json("state").get("clock") or {}).get("zero")
        left = seconds if zero is None else -((time.clock_gettime(time.CLOCK_BOOTTIME) * 1e6 - zero) // 1e6)
        return abs(int(minutes) * 60 + int(rest) - left) <= (0 if zero is None else 1)

    wait_until(is_right, f"the page shows {mode}, {seconds} s", patience, lambda: f"{seen(tab)}")
    return time.monotonic() - began


def change(node, commands):
    for verb, payload in commands:
        assert node.command(verb, payload)["status"] == "ok"


@pytest.mark.parametrize("commands, mode, seconds", CHANGES, ids=["started", "set", "paused"])
@pytest.mark.parametrize("path", ["n/lectern?display=numerical", "n/lectern/remote"], ids=["display", "remote"])
def test_a_tab_that_nobody_saw(node, web, tabs, path, commands, mode, seconds):
    """The page has closed its stream, and the browser has frozen it; once back, it is right within about a second."""
    log_in(tabs, web)
    tab = tabs.open(web.url + path)
    wait_for(tab, node, "stopped", 1200)
    tabs.open(web.url + "settings")
    wait_until(lambda: tab.evaluate("document.hidden"), "the tab is not seen")
    assert tab.evaluate("streams") == {"made": 1, "open": 0}
    tab.freeze()
    change(node, commands)
    time.sleep(SLEEP)
    assert seen(tab) == ["stopped", "20:00"]
    tab.show()
    took = wait_for(tab, node, mode, seconds, patience=5)
    print(f"right after {took:.2f} s")
    assert tab.evaluate("slept") == ["freeze", "resume"]
    assert tab.evaluate("streams") == {"made": 2, "open": 1}


@pytest.mark.parametrize("sleeper", ["tab", "machine"])
def test_connections_that_died_in_the_sleep(bench, node, tabs, sleeper):
    """Nothing reports that the connections are dead. A page that was asleep opens a new stream without trying them."""
    web = bench.start_web()
    way = ForgetfulWay(web.port)
    address = f"http://127.0.0.1:{way.port}/"
    tab = tabs.open(address + "settings")
    wait_until(lambda: tab.evaluate("document.readyState") == "complete", "the settings are there")
    tab.evaluate("localStorage.setItem('timer-web', JSON.stringify({ sound: true }))")  # Keeps its stream.
    tab = tabs.open(address + "n/lectern?display=numerical")
    wait_for(tab, node, "stopped", 1200)
    if sleeper == "tab":
        tabs.open(address + "settings")
        wait_until(lambda: tab.evaluate("document.hidden"), "the tab is not seen")
        tab.freeze()
    else:
        tabs.stop()
    way.forget()
    change(node, CHANGES[2][0])
    time.sleep(SLEEP)
    if sleeper == "tab":
        assert tab.evaluate("streams") == {"made": 1, "open": 1}
        tab.show()
    else:
        tabs.go_on()
    took = wait_for(tab, node, "paused", 420, patience=3)
    print(f"right after {took:.2f} s")
    assert tab.evaluate("streams") == {"made": 2, "open": 1}
    way.close()
