"""A browser with a dashboard of Home Assistant, and a reader of what it shows.

    with Browser(home) as browser:
        page = browser.open("timer-node/timer")       # a page of Playwright, when its cards are there
        browser.errors()                              # what is in the page instead of cards, and the page's own errors
        browser.countdown()                           # (seconds since 1970, the seconds left that a person reads then)

While it is open, the websocket API of Home Assistant cannot be used: both want the event loop of the thread.
"""
import base64
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

from PIL import Image, ImageOps

_driver = pathlib.Path(__file__).parents[2] / "scripts/browser-driver"
sys.path.append(subprocess.run([_driver, sys.executable], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())

from playwright.sync_api import sync_playwright  # noqa: E402

PATIENCE = 60_000  # milliseconds
# Whatever stands where a card should be, with what it says.
_ERRORS = """() => {
    const found = [];
    const visit = root => {
        for (const element of root.querySelectorAll("*")) {
            if (/error-card|hui-warning|hui-error|error-badge/.test(element.localName))
                found.push(element.localName + " " + JSON.stringify(element._config ?? element.textContent));
            if (element.shadowRoot) visit(element.shadowRoot);
        }
    };
    visit(document);
    return found;
}"""


class Browser:
    def __init__(self, home, width=1000, height=900):
        self._home = home
        self._size = {"width": width, "height": height}
        self._errors = []

    def __enter__(self):
        self._playwright = sync_playwright().start()
        root = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses to run as root.
        self._chromium = self._playwright.chromium.launch(executable_path="/usr/bin/chromium", args=root)
        context = self._chromium.new_context(viewport=self._size, locale="en-GB")
        tokens = {"access_token": self._home.token, "token_type": "Bearer", "refresh_token": "", "expires_in": 1e9,
                  "expires": 1e15, "hassUrl": self._home.url, "clientId": self._home.url + "/"}
        context.add_init_script(f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(tokens))});"
                                # without the list of what else Home Assistant has
                                "localStorage.setItem('dockedSidebar', '\"always_hidden\"');")
        self.page = context.new_page()
        return self

    def __exit__(self, *_):
        self._chromium.close()
        self._playwright.stop()

    def open(self, path):
        self.page.goto(f"{self._home.url}/{path}", timeout=PATIENCE)
        self.page.wait_for_selector("hui-root hui-card img", timeout=PATIENCE)
        return self.page

    def errors(self):
        return self.page.evaluate(_ERRORS)

    def drawing(self):
        """The picture of the countdown, as the XML that it is."""
        source = self.page.locator("hui-markdown-card img").first.get_attribute("src", timeout=PATIENCE)
        return xml.fromstring(base64.b64decode(source.removeprefix("data:image/svg+xml;base64,")))

    def lamps(self):
        """What the picture shows of red, yellow and green: the colour, or None where it is dark, and whether it blinks."""
        circles = self.drawing().findall("{http://www.w3.org/2000/svg}circle")
        return [(None if circle.get("fill") == "#333" else circle.get("fill"), circle.get("class") == "blink")
                for circle in circles]

    def countdown(self):
        """(seconds since 1970, seconds left), the latter as a program that reads pictures finds them on the screen."""
        box = None
        while not box:  # Home Assistant replaces the picture whenever the state changes.
            box = self.page.locator("hui-markdown-card img").first.bounding_box(timeout=PATIENCE)
        before = time.time()
        shot = self.page.screenshot(clip=box, animations="allow", timeout=PATIENCE)
        at = (before + time.time()) / 2
        image = Image.open(io.BytesIO(shot)).convert("RGB")
        # without the lamps
        image = image.crop((image.width * 24 // 100, 0, image.width * 98 // 100, image.height))
        # Black on white: the digits are bright in each colour that they have.
        image = ImageOps.grayscale(image).point(lambda value: 0 if value > 90 else 255)
        image = ImageOps.expand(image.resize((image.width * 120 // image.height, 120)), 30, 255)
        file = io.BytesIO()
        image.save(file, "png")
        text = subprocess.run(
            ["tesseract", "-", "-", "--psm", "7", "-c", "tessedit_char_whitelist=0123456789:"],
            input=file.getvalue(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode().strip()
        found = re.fullmatch(r"(\d+):?(\d\d)", text)
        return at, int(found[1]) * 60 + int(found[2]) if found else text

    def take_picture(self, file):
        """What the page shows, with few colours, so that it is small."""
        image = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        image.quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)
