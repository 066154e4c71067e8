"""Tests a display of timer-web in a dashboard frame, as described in docs/web.md."""
import os
import pathlib
import re
import tempfile
import unittest

import yaml

from recipes import RecipeTest
from server import Server

PAGE = pathlib.Path(__file__).parents[2] / "docs/web.md"


@unittest.skipUnless("TIMER_WEB" in os.environ, "needs the program timer-web, in the environment: TIMER_WEB")
class Frame(RecipeTest):
    def card(self, server):
        """Returns the card from the page, with the address of this server."""
        block = re.search(r"```yaml\n(type: iframe\n.*?)```", PAGE.read_text(), re.DOTALL)[1]
        return yaml.safe_load(block.replace("http://lectern.local:8080/", server.url))

    def test_a_dashboard_shows_a_display(self):
        from browser import Browser
        server = Server(self.bench, frame_ancestors=[self.home.url]).start()
        self.addCleanup(server.stop)
        self.home.command("lovelace/dashboards/create", url_path="timer-web", title="Web", mode="storage",
                          show_in_sidebar=True, require_admin=False)
        self.home.command("lovelace/config/save", url_path="timer-web", config={
            "views": [{"title": "Timer", "path": "timer", "type": "panel", "cards": [self.card(server)]}]})
        with Browser(self.home) as browser:
            page = browser.page
            page.goto(f"{self.home.url}/timer-web/timer", timeout=60_000)
            frame = page.frame_locator("iframe")
            frame.get_by_text("20:00").first.wait_for(timeout=60_000)
            self.node.command("start")
            frame.get_by_text("19:58").first.wait_for(timeout=60_000)

    def test_another_site_may_not_frame_it(self):
        from browser import Browser
        server = Server(self.bench, frame_ancestors=["https://dashboard.example"]).start()
        self.addCleanup(server.stop)
        with Browser(self.home) as browser, tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.html"
            file.write_text(f'<iframe src="{server.url}n/lectern"></iframe>')
            with browser.page.expect_console_message(lambda message: "frame-ancestors" in message.text):
                browser.page.goto(file.as_uri())
