"""A Chromium with real tabs, one of which is visible. Playwright keeps its own pages visible, so none ever sleeps."""
import itertools
import json
import os
import signal
import subprocess

# What a tab records about its sleep, and about the streams that it opens and closes.
NOTES = """
    window.slept = [];
    for (const name of ['freeze', 'resume']) document.addEventListener(name, () => slept.push(name));
    window.streams = { made: 0, open: 0 };
    window.EventSource = class extends window.EventSource {
        constructor(...values) { super(...values); streams.made += 1; streams.open += 1; }
        close() { if (this.readyState !== 2) streams.open -= 1; super.close(); }
    };
"""


class Tabs:
    """The protocol of the developer tools over pipes: Chromium reads from descriptor 3, and writes to 4."""

    def __init__(self, folder):
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        script = f'exec 3<&{to_browser} 4>&{from_browser}; exec "$0" "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "/usr/bin/chromium", "--headless=new", "--remote-debugging-pipe", "--no-first-run",
             f"--user-data-dir={folder}", *root, "about:blank"], pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self._input = os.fdopen(self._in, "rb")
        self._buffer = b""
        self._numbers = itertools.count(1)

    def send(self, method, session=None, **parameters):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._buffer:
                self._buffer += os.read(self._in, 1 << 16)
            text, self._buffer = self._buffer.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, address):
        """Opens a tab, which becomes the visible one."""
        tab = Tab(self, self.send("Target.createTarget", url="about:blank")["targetId"])
        tab.send("Page.enable")
        tab.send("Page.addScriptToEvaluateOnNewDocument", source=NOTES)
        tab.send("Page.navigate", url=address)
        return tab

    def stop(self):
        """The whole browser is stopped, as on a machine that sleeps."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def go_on(self):
        os.killpg(self._process.pid, signal.SIGCONT)

    def close(self):
        self.go_on()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)


class Tab:
    def __init__(self, tabs, target):
        self._tabs, self._target = tabs, target
        self._session = tabs.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def send(self, method, **parameters):
        return self._tabs.send(method, self._session, **parameters)

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def freeze(self):
        """What a browser does after a while with hidden tabs."""
        self.send("Page.setWebLifecycleState", state="frozen")

    def show(self):
        self._tabs.send("Target.activateTarget", targetId=self._target)
