"""A browser that opens a dashboard of Home Assistant and reads its content.

    with Browser(home) as browser:
        page = browser.open("timer-node/timer")       # a Playwright page, once its cards are visible
        browser.errors()                              # the errors shown in place of cards
        browser.countdown()                           # (seconds since 1970, the seconds left shown at that time)

While it is open, the websocket API of Home Assistant cannot be used: both need the event loop of the thread.
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
# Finds the elements that are shown in place of a card, with their text.
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
                                # Hides the sidebar.
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
        """Returns the picture of the countdown as XML."""
        source = self.page.locator("hui-markdown-card img").first.get_attribute("src", timeout=PATIENCE)
        return xml.fromstring(base64.b64decode(source.removeprefix("data:image/svg+xml;base64,")))

    def lamps(self):
        """Returns the red, yellow and green lamps: the colour, or None if the lamp is dark, and whether it blinks."""
        circles = self.drawing().findall("{http://www.w3.org/2000/svg}circle")
        return [(None if circle.get("fill") == "#333" else circle.get("fill"), circle.get("class") == "blink")
                for circle in circles]

    def countdown(self):
        """Returns (seconds since 1970, seconds left), the latter as recognised from the screen by OCR."""
        box = None
        while not box:  # Home Assistant replaces the picture whenever the state changes.
            box = self.page.locator("hui-markdown-card img").first.bounding_box(timeout=PATIENCE)
        before = time.time()
        shot = self.page.screenshot(clip=box, animations="allow", timeout=PATIENCE)
        at = (before + time.time()) / 2
        image = Image.open(io.BytesIO(shot)).convert("RGB")
        # Crops the lamps.
        image = image.crop((image.width * 24 // 100, 0, image.width * 98 // 100, image.height))
        # Black on white; the digits are bright in every colour that they can have.
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
        """Saves a screenshot with few colours, so that the file is small."""
        image = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        image.quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)
