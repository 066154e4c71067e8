"""A private Home Assistant: started in a folder, onboarded, connected to a broker, and queried through its APIs.

    from home_assistant import HomeAssistant

    home = HomeAssistant(folder, broker_port, files=[...], configuration="...")
    home.start()                                        # the first time it also creates a user and adds the broker
    home.url, home.token                                # http://127.0.0.1:PORT, and a long-lived token
    home.state("sensor.lectern_mode")                   # {"state": …, "attributes": …}, or None
    home.states()                                       # all states, by entity id
    home.call("button", "press", entity_id="button.lectern_start")
    home.command("config/entity_registry/list")         # any message of the websocket API: its result
    home.entities(), home.devices()                     # the registries
    with home.recorded() as changes: …                  # all state changes during the block
    home.complaints(since=home.log_position())          # the warnings and errors that it logged
    home.stop()

Runs with the Python in which the Home Assistant under test is installed (scripts/home-assistant), along with aiohttp.
"""
import asyncio
import contextlib
import json
import pathlib
import re
import shutil
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

import aiohttp
from homeassistant.const import MAJOR_VERSION, MINOR_VERSION, __version__

from processes import Process, free_port, wait_until

VERSION = __version__
# Releases since 2025.10 take the entity id from `default_entity_id`; older ones from the names of device and entity.
KNOWS_DEFAULT_ENTITY_ID = (MAJOR_VERSION, MINOR_VERSION) >= (2025, 10)
KNOWS_MESSAGE_EXPIRY = (MAJOR_VERSION, MINOR_VERSION) >= (2026, 6)

_CONFIGURATION = """
homeassistant:
  name: Test
  latitude: 52.0
  longitude: 5.0
  elevation: 0
  unit_system: metric
  time_zone: UTC
  country: NL
  currency: EUR
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
config:
websocket_api:
logger:
  default: warning
"""

# Complaints that Home Assistant logs in this environment even without a node.
_OF_ITS_OWN = (
    "[homeassistant.bootstrap] Skipping pip installation",  # The tests start it with --skip-pip.
    "[homeassistant.components.network] Because the system does not have any enabled IPv4",  # There is no network.
    "[aiohttp_fast_zlib] zlib_ng and isal are not available",  # Optional programs and libraries are missing.
    "ffmpeg",
    "urbojpeg", "urboJPEG",
)


class HomeAssistant:
    def __init__(self, folder, broker_port=None, files=(), configuration=""):
        """Prepares a Home Assistant without starting it.

        `files` are copied into its configuration folder before it starts: (source, path in that folder). The source may
        be a folder. `configuration` is appended to configuration.yaml.
        """
        self.folder = pathlib.Path(folder)
        self.settings = self.folder / "config"
        self.settings.mkdir(parents=True)
        self.log = self.folder / "home-assistant.log"
        self.log.touch()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.token = None
        self._broker_port = broker_port
        self._process = None
        (self.settings / "configuration.yaml").write_text(_CONFIGURATION.format(port=self.port) + configuration)
        for source, path in files:
            target = self.settings / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if pathlib.Path(source).is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copy(source, target)

    # Start and stop

    def start(self):
        """Waits until the API responds and the broker is connected. Retained discoveries may not have been read yet."""
        launcher = pathlib.Path(__file__).with_name("launch.py")
        self._process = Process(sys.executable, launcher, "--skip-pip", "-c", self.settings, log=self.log)
        wait_until(lambda: self._process.check() or self._answers(), "Home Assistant responds",
                   otherwise=self.last_logged)
        if not self.token:
            self._make_user()
            # A newer release tries the configured port for five minutes, then restarts with the previous one.
            with contextlib.suppress(AssertionError):  # Older releases do not have this command.
                self.command("http/config/promote")
        wait_until(lambda: self.get("/api/config")["state"] == "RUNNING", "Home Assistant has started")
        if self._broker_port:
            self._add_broker()

    def stop(self):
        if self._process:
            self._process.stop()
            self._process = None

    def last_logged(self):
        return self.log.read_text(errors="replace")[-3000:]

    def _answers(self):
        try:
            return self._request("GET", "/api/onboarding")
        except (OSError, AssertionError):
            return False

    def _make_user(self):
        client = self.url + "/"
        user = self._request("POST", "/api/onboarding/users", {
            "client_id": client, "language": "en", "name": "Test", "username": "test",
            "password": "for-this-test-alone"})
        session = self._request("POST", "/auth/token", {
            "grant_type": "authorization_code", "code": user["auth_code"], "client_id": client}, form=True)
        # The other onboarding steps are skipped: they would add integrations that access the internet.
        self.token = session["access_token"]
        self.token = self.command("auth/long_lived_access_token", client_name="tests", lifespan=365)

    def _add_broker(self):
        entries = "/api/config/config_entries/entry?domain=mqtt"
        if not self.get(entries):
            flow = self.post("/api/config/config_entries/flow", {"handler": "mqtt"})
            answer = {"broker": "127.0.0.1", "port": self._broker_port}
            if any(field.get("name") == "other_settings" for field in flow["data_schema"]):  # a newer dialogue
                answer["other_settings"] = {"set_client_cert": False, "set_ca_cert": "off", "transport": "tcp"}
            flow = self.post(f"/api/config/config_entries/flow/{flow['flow_id']}", answer)
            assert flow["type"] == "create_entry", flow
        wait_until(lambda: [entry["state"] for entry in self.get(entries)] == ["loaded"],
                   "it has connected to the broker")

    # Its APIs

    def _request(self, method, path, body=None, form=False):
        data, headers = None, {}
        if body is not None:
            data = (urllib.parse.urlencode(body) if form else json.dumps(body)).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from None

    def get(self, path):
        """Returns the decoded JSON response of the REST API to a GET."""
        return self._request("GET", path)

    def post(self, path, body):
        """Returns the response of the REST API to a POST; raises AssertionError if it is refused."""
        return self._request("POST", path, body)

    def command(self, kind, **fields):
        """Sends a message to the websocket API, and returns the result."""
        async def ask():
            async with self._websocket() as socket:
                await socket.send_json({"id": 1, "type": kind, **fields})
                answer = await socket.receive_json()
                assert answer.get("success"), answer
                return answer["result"]
        return asyncio.run(ask())

    @contextlib.asynccontextmanager
    async def _websocket(self):
        async with aiohttp.ClientSession() as session, session.ws_connect(
                self.url.replace("http", "ws", 1) + "/api/websocket", max_msg_size=0) as socket:
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self.token})
            answer = await socket.receive_json()
            assert answer["type"] == "auth_ok", answer
            yield socket

    def states(self, prefix=""):
        return {state["entity_id"]: state for state in self.get("/api/states") if state["entity_id"].startswith(prefix)}

    def state(self, entity_id):
        return self.states(entity_id).get(entity_id)

    def call(self, domain, service, **data):
        """Calls a service. A successful response proves little: even pressing an unavailable button succeeds."""
        return self.post(f"/api/services/{domain}/{service}", data)

    def entities(self):
        """Returns the entity registry, by unique id."""
        return {entity["unique_id"]: entity for entity in self.command("config/entity_registry/list")}

    def devices(self):
        return self.command("config/device_registry/list")

    @contextlib.contextmanager
    def recorded(self):
        """Collects the new states of all `state_changed` events until the end of the block."""
        changes, begun, ended = [], threading.Event(), threading.Event()

        async def record():
            async with self._websocket() as socket:
                await socket.send_json({"id": 1, "type": "subscribe_events", "event_type": "state_changed"})
                await socket.receive_json()
                begun.set()
                while not ended.is_set():
                    with contextlib.suppress(asyncio.TimeoutError):
                        message = await socket.receive_json(timeout=0.2)
                        if state := message["event"]["data"]["new_state"]:
                            changes.append(state)
        thread = threading.Thread(target=lambda: asyncio.run(record()), daemon=True)
        thread.start()
        assert begun.wait(30), "Home Assistant reports changes"
        try:
            yield changes
        finally:
            ended.set()
            thread.join(30)

    # Its log

    def log_position(self):
        return self.log.stat().st_size

    def complaints(self, since=0):
        """Returns the warnings and errors since a position in the log, each with all its lines.

        Omits those that it logs in this environment no matter what the node does.
        """
        with open(self.log, "rb") as file:
            file.seek(since)
            text = re.sub(r"\x1b\[[0-9;]*m", "", file.read().decode(errors="replace"))
        entries = re.split(r"^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", text, flags=re.MULTILINE)
        return [entry.strip() for entry in entries if re.match(r"\S+ \S+ (WARNING|ERROR|CRITICAL) ", entry)
                and not any(words in entry for words in _OF_ITS_OWN)]
