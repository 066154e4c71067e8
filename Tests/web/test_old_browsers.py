"""The plain display in real old browsers: the oldest Chromium on PyPI, which is 53, and those in Debian's archive."""
import json
import os
import pathlib
import platform
import re
import subprocess

import pytest
from PIL import Image

from displays import TONES, share_of
from processes import wait_until

HERE = pathlib.Path(__file__).parent
# The folder of scripts/test-web with PyQt5 5.8; Debian's own is not set.
BROWSERS = {"Chrome/53": ("webengine", "OLD_PYQT"), "Chrome/87": ("webengine", None), "AppleWebKit/602": ("webkit", None)}


class OldBrowser:
    def __init__(self, engine, packages, home):
        environment = os.environ | {
            "QTWEBENGINE_DISABLE_SANDBOX": "1", "PYTHONPATH": packages or "", "HOME": str(home)}
        # A screen of its own: the platform plugins without one cannot draw with OpenGL.
        self._process = subprocess.Popen(
            ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", "/usr/bin/python3", HERE / "old_browser.py", engine],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def _ask(self, verb, value):
        self._process.stdin.write(json.dumps([verb, value]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def open(self, url):
        return self._ask("open", url)

    def run(self, expression):
        return self._ask("run", expression)

    def text(self, name):
        return self.run(f"(document.getElementById('{name}') || document.body).textContent")

    def picture(self, name):
        """Takes a picture, which is kept if DISPLAY_PICTURES names a folder."""
        file = pathlib.Path(os.environ.get("DISPLAY_PICTURES") or os.environ["TMPDIR"]) / name
        self._ask("picture", str(file))
        return Image.open(file).convert("RGB")

    def close(self):
        self._process.stdin.close()
        self._process.wait(timeout=30)


@pytest.fixture
def old(request, tmp_path):
    engine, packages = BROWSERS[request.param]
    if packages and platform.machine() != "x86_64":
        pytest.skip("PyPI has this browser for x86_64 only")
    browser = OldBrowser(engine, packages and os.environ[packages], tmp_path)
    yield browser, request.param
    browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("old", BROWSERS, indirect=True)
def test_a_talk(bench, web, old):
    """The display does not start and opens the plain one, which shows a talk as the node does."""
    browser, version = old
    timers = {"groups": [{"name": "Short", "timers": [{"name": "Talk", "start": 24, "warning": 16, "final": 8}]}]}
    node = bench.start_node(timers=timers)

    def shows(name, text):
        wait_until(lambda: browser.text(name) == text, f"#{name} is {text}",
                   otherwise=lambda: browser.run("location.href + ' ' + document.body.innerText"))

    def lit():
        return [name for name in ("red", "yellow", "green")
                if browser.run(f"document.getElementById('{name}').style.backgroundColor") != "rgb(0, 0, 0)"]

    assert version in browser.open(web.url + f"n/{node.id}")
    wait_until(lambda: browser.run("location.pathname") == f"/n/{node.id}/plain", "the display opens the plain one")
    shows("digits", "0:24")
    shows("mode", "Stopped")
    assert node.command("start", {"speaker": "Ada Lovelace"})["status"] == "ok"
    for word, lamp in (("Running", "green"), ("Warning", "yellow"), ("Final", "red")):
        shows("mode", word)
        # Until the node has told that its mode has changed, for 0.3 s at most, a display shows its old lamps.
        wait_until(lambda: lit() == [lamp], f"only {lamp} is lit")
        name = f"{version.replace('/', '-')}-{word}.png"
        wait_until(lambda: share_of(browser.picture(name), TONES[lamp]) > 0.05, f"the picture is {lamp}")
    shows("speaker", "Ada Lovelace")
    shows("mode", "Overtime")
    assert re.fullmatch(r"\+0:[0-5][0-9]", browser.text("digits"))
    assert node.command("message", "Thank you")["status"] == "ok"
    shows("message", "Thank you")
    # A font that is too large for its box would cut the digits off.
    assert browser.run("document.getElementById('digits').scrollWidth <= document.getElementById('digits').clientWidth")
