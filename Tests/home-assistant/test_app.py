"""Tests the app for Home Assistant OS in config/home-assistant-app: its manifest, and its pages in the ingress.

The rules for the manifest are those of the Supervisor (supervisor/apps/validate.py and options.py). It ignores what it
does not know; here that is an error. `make test-images` runs the app itself.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

from bench import NodeTest
from home_assistant import MAJOR_VERSION, MINOR_VERSION
from ingress import Ingress
from server import Server

import voluptuous as vol  # noqa: I001 Home Assistant replaces the module.

CONFIG = pathlib.Path(__file__).parents[2] / "config"
APP = CONFIG / "home-assistant-app"
ELEMENT = re.compile(
    r"(bool|email|url|port|str(\(\d*,\d*\))?|password(\(\d*,\d*\))?|int(\(-?\d*,-?\d*\))?|float(\([-.\d]*,[-.\d]*\))?"
    r"|device(\(subsystem=[a-z]+\))?|match\((?P<match>.*)\)|list\((?P<list>.+)\))\??")
PORTS = {vol.Match(r"^\d{1,5}(/(tcp|udp))?$"): vol.Any(None, vol.All(int, vol.Range(1, 65535)))}
MANIFEST = vol.Schema({
    vol.Required("name"): str,
    vol.Required("version"): vol.Any("VERSION", vol.Match(r"^\d+\.\d+\.\d+$")),
    vol.Required("slug"): vol.Match(r"^[-_.A-Za-z0-9]+$"),
    vol.Required("description"): str,
    vol.Required("arch"): [vol.In(["amd64", "aarch64"])],
    "startup": vol.In(["initialize", "system", "services", "application", "once"]),
    "boot": vol.In(["auto", "manual", "manual_only"]),
    "homeassistant": vol.Match(r"^\d{4}\.\d+\.\d+$"),
    "gpio": bool,
    "services": [vol.Match(r"^(mqtt|mysql):(provide|want|need)$")],
    "map": [vol.Match(
        r"^(data|ssl|local_apps|backup|share|media|homeassistant_config|all_app_configs|app_config)(:(rw|ro))?$")],
    "ingress": bool,
    "ingress_port": vol.Any(0, vol.All(int, vol.Range(1, 65535))),
    "panel_title": str,
    "panel_admin": bool,
    "panel_icon": vol.Match(r"^mdi:[a-z-]+$"),
    "ports": PORTS,
    "options": dict,
    "schema": {str: vol.Match(re.compile(f"^{ELEMENT.pattern}$"))},
})


def fault(element, value):
    """Why a value of an option is not allowed; None if it is. Covers the types that the manifest uses."""
    match = ELEMENT.fullmatch(element)
    kind = re.match("[a-z]+", element)[0]
    if kind == "bool":
        return None if isinstance(value, bool) else "not a boolean"
    if kind == "match":
        return None if re.match(match["match"], str(value)) else f"does not match {match['match']}"
    if kind == "list":
        return None if value in match["list"].split("|") else f"not in {match['list']}"
    assert kind in ("str", "password"), f"the test does not know {kind}"
    return None if isinstance(value, str) else "not a string"


class Manifest(unittest.TestCase):
    def setUp(self):
        self.manifest = yaml.safe_load((APP / "config.yaml").read_text())

    def test_the_supervisor_accepts_it(self):
        MANIFEST(self.manifest)
        for change in [{"gpio": "yes please"}, {"arch": ["arm64"]}, {"services": ["mqtt"]}, {"map": ["config_rw"]},
                       {"schema": {"id": "text"}}, {"ingres": True}]:
            with self.subTest(change), self.assertRaises(vol.Invalid):
                MANIFEST(self.manifest | change)

    def test_the_app_gets_the_lamps_the_broker_and_a_place_in_home_assistant(self):
        self.assertTrue(self.manifest["gpio"])
        self.assertEqual(self.manifest["services"], ["mqtt:need"])
        self.assertTrue(self.manifest["ingress"])
        self.assertEqual(list(self.manifest["ports"].values()), [None], "no port is published by default")
        self.assertIn(f"{self.manifest['ingress_port']}/tcp", self.manifest["ports"])

    def test_the_default_options_are_complete_and_valid(self):
        options, schema = self.manifest["options"], self.manifest["schema"]
        self.assertEqual(set(options) - set(schema), set())
        self.assertEqual({key for key in schema if not schema[key].endswith("?")}, set(options))
        for key, value in options.items():
            self.assertIsNone(fault(schema[key], value), key)
        self.assertIsNotNone(fault(schema["id"], "Not An Id"))
        self.assertIsNotNone(fault(schema["profile"], "pulpit"))

    def test_init_offers_and_accepts_the_same(self):
        """A list, a pattern and the usual lines are in the manifest, which cannot take them from the program."""
        outputs = yaml.safe_load((CONFIG / "timer-node.yaml").read_text())["gpio"]["outputs"]
        for output, settings in outputs.items():
            self.assertEqual(self.manifest["options"][output], settings["line"])
        profiles = self.manifest["schema"]["profile"][len("list("):-1].split("|")
        self.assertIn(f"expected {', '.join(profiles[:-1])} or {profiles[-1]}", self.init("profile", "pulpit"))
        for id in ["a", "7", "hall_2-b", "all", "alle", "A", "-a", "_a", "a b", "\u00e4", "a" * 63, "a" * 64]:
            with self.subTest(id):
                self.assertEqual(fault(self.manifest["schema"]["id"], id) is None, self.init("id", id) == "")

    @staticmethod
    def init(option, value):
        """What init objects to with this option; nothing if it accepts it."""
        options = {"profile": "podium", "chip": "simulated", "broker": "none", "id": "desk", option: value}
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(
                [os.environ["TIMER_NODE"], "init", "--no-try", *(f"--{key}={text}" for key, text in options.items()),
                 f"{folder}/timer-node.yaml"], capture_output=True, text=True).stderr

    def test_each_option_is_explained(self):
        texts = yaml.safe_load((APP / "translations/en.yaml").read_text())
        self.assertEqual(list(texts["configuration"]), list(self.manifest["schema"]))
        self.assertTrue(all(set(text) == {"name", "description"} for text in texts["configuration"].values()))
        self.assertEqual(list(texts["network"]), list(self.manifest["ports"]))

    def test_the_start_script_reads_each_option(self):
        script = (APP / "start").read_text()
        for key in self.manifest["schema"]:
            used = re.search(rf"option {key}\b", script)
            self.assertTrue(used or key in ("green", "yellow", "red", "buzzer"), key)
        self.assertIn("for output in green yellow red buzzer", script)


def least_version():
    """The oldest Home Assistant that the manifest allows."""
    manifest = yaml.safe_load((APP / "config.yaml").read_text())
    return tuple(int(part) for part in manifest["homeassistant"].split("."))[:2]


@unittest.skipIf((MAJOR_VERSION, MINOR_VERSION) < least_version(), "the app needs a newer Home Assistant")
@unittest.skipUnless("TIMER_WEB" in os.environ, "needs the program timer-web, in the environment: TIMER_WEB")
class Pages(NodeTest):
    def setUp(self):
        super().setUp()
        self.node = self.start_node()
        server = Server(self.bench, authenticating_proxies=["127.0.0.1"]).start()
        self.addCleanup(server.stop)
        self.ingress = self.enterContext(Ingress(server.port))

    def test_a_user_starts_the_timer_without_a_pin_and_sees_it_run(self):
        from browser import Browser
        with Browser(self.home) as browser:
            page = browser.page
            page.goto(f"{self.ingress.url}?page=", timeout=60_000)
            frame = page.frame_locator("iframe")
            frame.get_by_text("lectern").first.wait_for(timeout=60_000)
            page.goto(f"{self.ingress.url}?page=n/lectern/remote", timeout=60_000)
            frame.locator("#play").click(timeout=60_000)
            frame.get_by_text("19:58").first.wait_for(timeout=60_000)
            page.goto(f"{self.ingress.url}?page=n/lectern", timeout=60_000)
            frame.get_by_text(re.compile("19:[0-5][0-9]")).first.wait_for(timeout=60_000)
            # The events arrive through both proxies at once.
            self.node.command("stop")
            frame.get_by_text("20:00").first.wait_for(timeout=60_000)
