"""What the web tests share: a broker, nodes, a timer-web, and a Chromium, all of them real.

    def test_something(bench, node, web, browse):
        page = browse(role="remote")            # a Playwright page in its own context, logged in as that role
        page.goto(web.url + f"n/{node.id}")
        node.command("start")                   # sends it over the broker, and returns the response

`page.errors` are the errors in the console and uncaught exceptions; a test fails if any are left at the end, unless it
empties the list.
"""
import os
import pathlib
import shutil
import tempfile

import pytest
from playwright.sync_api import expect, sync_playwright

from broker import MQTT, Broker
from node import Node
from server import Server

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "laptop": (1366, 768), "projector": (1920, 1080)}
THEMES = ("light", "dark")
# A machine that is also building is slow; the expected events come long before this timeout.
expect.set_options(timeout=30_000)
# Short enough for a real-time test. There is no other way, because a browser has no simulated time.
TIMERS = {"groups": [
    {"name": "Talk 1", "display": "stoplights", "timers": [
        {"name": "Talk", "event": "Spring conference", "location": "Hall A", "start": 1200, "warning": 300, "final": 60},
        {"name": "Questions", "start": 300, "warning": 60, "final": 15}]},
    {"name": "Break", "timers": [{"name": "Break", "start": 600}]}]}


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: measures, so nothing else may run at the same time")
    config.addinivalue_line("markers", "browser: needs Chromium")


def pytest_collection_modifyitems(items):
    for item in items:
        if {"chromium", "tabs"} & set(item.fixturenames):
            item.add_marker(pytest.mark.browser)


class Bench:
    """A broker and the programs that run with it; all of them end with the test."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.broker = Broker(self.folder / "broker")
        self.mqtt = MQTT(self.broker.port)
        self._running = []

    def start_node(self, identifier="lectern", name="Lectern", timers=None, **sections):
        node = Node(self, identifier, name, timers or TIMERS, **sections)
        node.start()
        self._running.append(node)
        return node

    def start_web(self, prefix=(), **configuration):
        web = Server(self, prefix=prefix, **configuration).start()
        self._running.append(web)
        return web

    def close(self):
        for program in reversed(self._running):
            program.stop()
        self.mqtt.close()
        self.broker.stop()


@pytest.fixture
def bench():
    folder = tempfile.mkdtemp(prefix="bench-")
    bench = Bench(folder)
    yield bench
    bench.close()
    shutil.rmtree(folder)


@pytest.fixture
def node(bench):
    return bench.start_node()


@pytest.fixture
def web(bench):
    """A timer-web that requires PINs for remotes and operators."""
    return bench.start_web()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses to run as root.
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=root)
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium, request):
    """Opens a page: browse(size="phone", theme="light", role=None, language="en", **options of a context)."""
    contexts, pages = [], []

    def open_page(size="projector", theme="light", role=None, language="en", server=None, **options):
        width, height = SIZES.get(size, size)
        context = chromium.new_context(**{
            "viewport": {"width": width, "height": height}, "color_scheme": theme,
            "locale": {"en": "en-GB", "de": "de-DE"}[language], "has_touch": size in ("phone", "tablet")} | options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.errors = []
        page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        pages.append(page)
        if role:
            server = server or request.getfixturevalue("web")
            answer = context.request.post(
                server.url + "api/session", data={"pin": server.pin(role)},
                headers={"origin": server.url.split("/", 3)[0] + "//" + server.url.split("/")[2]})
            assert answer.ok, answer.text()
        return page

    yield open_page
    errors = [error for page in pages for error in page.errors]
    for context in contexts:
        context.close()
    assert errors == []


def assert_accessible(page):
    """Fails if axe finds a problem, including headings that skip a level."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    assert [f"{rule['id']}: {rule['help']}: {[node['html'] for node in rule['nodes']][:3]}" for rule in found] == []


def assert_fits(page):
    """Fails if the page is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
