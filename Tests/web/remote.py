"""The remote as a person uses it: opening it, pressing, holding, and what reached the broker as a result."""
import json
import re

from playwright.sync_api import expect

from processes import wait_until

MODES = "countdown|warning|final"


def forgive_refusals(page):
    """Chromium reports a response with a status of 400 or more in its console, which cannot be turned off."""
    page.errors[:] = [error for error in page.errors if "Failed to load resource" not in error]


class Remote:
    """The page of a remote, and the commands that it has sent since it was opened."""

    def __init__(self, bench, node, web, page, more=True):
        self.bench, self.node, self.page, self._since = bench, node, page, bench.mqtt.position()
        page.goto(web.url + f"n/{node.id}/remote")
        expect(page.locator("body")).to_have_attribute("data-mode", re.compile("stopped|paused|alarm|" + MODES))
        # On a phone, most controls are behind "More".
        if more and page.locator("#more").is_visible():
            page.click("#more")
            expect(page.locator(".felt")).to_have_count(0)

    def __getattr__(self, name):
        return getattr(self.page, name)

    def commands(self):
        """The verbs that were sent, each with its payload without the id; the server's own requests are omitted."""
        found = []
        for message in self.bench.mqtt.messages(self.node.topic("command/#"), self._since):
            payload = json.loads(message.payload or "{}")
            payload.pop("id", None)
            found.append((message.topic.rsplit("/", 1)[1], payload))
        return [(verb, payload) for verb, payload in found if verb != "time"]

    def wait_for(self, *commands):
        """Waits until exactly these commands have been sent."""
        wait_until(lambda: len(self.commands()) >= len(commands), f"the commands {commands}",
                   otherwise=lambda: f"{self.commands()}; {self.page.locator('#status').inner_text()}")
        sent = self.commands()
        assert sent == list(commands), sent

    def forget(self):
        """Restarts the count of commands, without those of the test itself."""
        self._since = self.bench.mqtt.position()

    def expect_mode(self, mode):
        expect(self.page.locator("body")).to_have_attribute("data-mode", re.compile(mode))

    def expect_status(self, text):
        expect(self.page.locator("#status")).to_contain_text(text)

    def wait_for_elapsed(self, seconds):
        """Waits until the page shows that a run has lasted at least this long; each second is shown only briefly."""
        self.page.wait_for_function(
            "(seconds) => { const [m, s] = document.getElementById('elapsed').textContent.split(':');"
            "return Number(m) * 60 + Number(s) >= seconds; }", arg=seconds)

    def start(self, selector=None):
        """Starts the timer over the broker, and waits until the page shows it."""
        assert self.node.command("start", selector or "")["status"] == "ok"
        self.expect_mode(MODES)
        self.forget()

    def place(self, selector):
        """The centre of an element."""
        box = self.page.locator(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def down(self, selector):
        self.page.mouse.move(*self.place(selector))
        self.page.mouse.down()

    def hold(self, selector):
        """Holds a button until its action has been carried out."""
        count = len(self.commands())
        self.down(selector)
        wait_until(lambda: len(self.commands()) > count, f"a command of {selector}")
        self.page.mouse.up()
