"""A server of the program under test, whose path is in the environment variable TIMER_WEB."""
import json
import os
import pathlib
import signal
import subprocess
import urllib.error
import urllib.request
import uuid

from processes import Process, free_port, wait_until

WWW = pathlib.Path(__file__).parents[2] / "www"


class Server:
    """A timer-web with its own configuration and state directory."""

    def __init__(self, bench, mqtt=None, prefix=(), **web):
        self._bench = bench
        self._prefix = prefix  # a command that starts the program, such as env
        self._folder = bench.folder / f"web-{uuid.uuid4().hex[:8]}"
        self._folder.mkdir()
        self.state = self._folder / "state"
        self.state.mkdir()
        self.log = self._folder / "web.log"
        self._file = self._folder / "timer-web.yaml"
        self.port = free_port()
        self.configuration = {
            "mqtt": {"brokers": [f"mqtt://127.0.0.1:{bench.broker.port}"], "keepalive": "5s"} | (mqtt or {}),
            "web": {"listen": f"127.0.0.1:{self.port}"} | web,
        }
        self._process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}{self.configuration['web'].get('base_path', '').rstrip('/')}/"

    @property
    def environment(self):
        return os.environ | {"STATE_DIRECTORY": str(self.state)}

    def start(self):
        self._file.write_text(json.dumps(self.configuration, ensure_ascii=False))  # JSON is YAML too.
        self._process = Process(*self._prefix, os.environ["TIMER_WEB"], "run", "--config", self._file, "--www", WWW,
                                log=self.log, environment=self.environment)
        wait_until(self._answers, f"timer-web responds at {self.url}", otherwise=lambda: self.log.read_text()[-2000:])
        return self

    def _answers(self):
        self._process.check()
        try:
            return self.get("healthz") is not None
        except OSError:
            return False

    def get(self, path, token=None):
        """Returns the body of a response as text. A status of 400 or more raises an HTTPError."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=30) as answer:
            return answer.read().decode()

    def run(self, *arguments):
        """Runs a subcommand with this configuration and state, and returns its output."""
        return subprocess.run(
            [os.environ["TIMER_WEB"], *arguments, "--config", self._file], env=self.environment, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, timeout=60).stdout

    def pin(self, role):
        """Returns the PIN of a role. `pins` prints a line for each, with the role and the PIN."""
        lines = [line.split() for line in self.run("pins").splitlines()]
        return next(line[-1] for line in lines if line and line[0].rstrip(":") == role)

    @property
    def process_id(self):
        return self._process.id

    def stop(self):
        self._process.stop()

    def kill(self):
        self._process.stop(signal.SIGKILL)
