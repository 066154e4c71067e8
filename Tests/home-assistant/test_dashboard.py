"""Tests the dashboard in config/home-assistant in Home Assistant's own frontend."""
import os
import unittest

import yaml

import contract
from home_assistant import KNOWS_DEFAULT_ENTITY_ID
from node import agenda, meeting
from processes import wait_until
from recipes import RECIPES, RecipeTest, time_of


class Dashboard(RecipeTest):
    def setUp(self):
        super().setUp()
        from browser import Browser
        self.Browser = Browser
        if not KNOWS_DEFAULT_ENTITY_ID:  # as the page instructs the user
            for key in ("plus_1_min", "minus_1_min"):
                old, new = contract.entity_id(key), f"button.lectern_{key}"
                if self.home.state(old):
                    self.home.command("config/entity_registry/update", entity_id=old, new_entity_id=new)
                    self.wait_for_state(new, lambda state: state["state"] != "unavailable")
        dashboards = self.home.command("lovelace/dashboards/list")
        if "timer-node" not in [dashboard["url_path"] for dashboard in dashboards]:
            self.home.command("lovelace/dashboards/create", url_path="timer-node", title="Timer", mode="storage",
                              show_in_sidebar=True, require_admin=False)
        self.home.command("lovelace/config/save", url_path="timer-node",
                          config=yaml.safe_load((RECIPES / "dashboard.yaml").read_text()))

    def expect_countdown(self, browser):
        """Checks three times that the screen shows the time left, in a different second each time."""
        seen = []

        def read():
            ends_at = self.node.json("state")["ends_at"]
            at, left = browser.countdown()
            if not isinstance(left, int) or left in seen:
                return False
            expected = time_of(ends_at) - at
            self.assertAlmostEqual(left, expected, delta=2, msg="seconds left on the screen")
            self.assertTrue(not seen or left < seen[-1], (seen, left))
            seen.append(left)
            return len(seen) == 3
        wait_until(read, "three times can be read on the screen", otherwise=lambda: f"{seen}, {browser.countdown()}")

    def test_every_card_is_there(self):
        with self.Browser(self.home) as browser:
            page = browser.open("timer-node/timer")
            page.wait_for_selector("hui-button-card:nth-child(1)")
            wait_until(lambda: page.locator("hui-button-card").count() == 12, "twelve buttons")
            wait_until(lambda: page.locator("hui-entities-card").count() == 4, "four lists")
            for text in ("Start", "Silence", "Ends at", "Time used", "Lamps and buttons", "Please wrap up",
                         "Lock the buttons"):
                page.get_by_text(text, exact=True).first.wait_for()
            self.assertEqual(browser.errors(), [])
            browser.open("timer-node/room")
            self.assertEqual(browser.errors(), [])

    def test_the_agenda_is_there_where_the_node_has_one(self):
        with self.Browser(self.home) as browser:
            page = browser.open("timer-node/timer")
            self.assertEqual(page.get_by_text("The agenda", exact=True).count(), 0)
            self.node.command("agenda", agenda(meeting("Toastmasters")))
            for text in ("The agenda", "Toastmasters", "Next meeting", "Spring conference"):
                page.get_by_text(text).first.wait_for()
            self.assertEqual(browser.errors(), [])

    def test_a_click_sends_the_speaker_a_message(self):
        with self.Browser(self.home) as browser:
            page = browser.open("timer-node/timer")
            for name, text, attention in ("5 minutes", "5 minutes", False), ("Please wrap up", "Please wrap up", True):
                page.locator("hui-button-card").get_by_text(name, exact=True).click()
                self.wait_for_state("text.lectern_shown_message", text)
                self.assertEqual(self.node.json("message")["attention"], attention)
            page.locator("hui-button-card").get_by_text("No message", exact=True).click()
            self.wait_for_state("text.lectern_shown_message", "")
            for row, (entity, value) in enumerate([
                    ("text.lectern_speaker", "Ada Lovelace"), ("text.lectern_shown_message", "Louder, please")]):
                field = page.locator("hui-text-entity-row").nth(row).locator("input")
                field.fill(value)
                field.press("Enter")
                self.wait_for_state(entity, value)
            page.locator("hui-toggle-entity-row ha-switch").click()
            self.wait_for_state("switch.lectern_lock", "on")

    def test_a_missing_card_is_found(self):
        broken = {"views": [{"path": "timer", "cards": [
            {"type": "custom:no-such-card"}, {"type": "entities", "entities": ["sensor.no_such_entity"]},
            {"type": "markdown", "content": "<img src='data:image/svg+xml;base64,'>"}]}]}
        self.home.command("lovelace/config/save", url_path="timer-node", config=broken)
        with self.Browser(self.home) as browser:
            browser.open("timer-node/timer")
            wait_until(lambda: len(browser.errors()) >= 2, "both are found", otherwise=lambda: str(browser.errors()))

    def test_it_counts_down_each_second(self):
        with self.Browser(self.home, width=1000, height=700) as browser:
            browser.open("timer-node/room")
            self.node.command("start")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            wait_until(lambda: browser.lamps() == [(None, False), (None, False), ("#2ecc40", False)], "green")
            self.expect_countdown(browser)
            self.node.command("set", "9:02")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            self.expect_countdown(browser)
            self.node.command("set", "1:03")
            wait_until(lambda: browser.lamps() == [(None, False), ("#ffdc00", False), (None, False)], "yellow")
            self.expect_countdown(browser)
            self.node.command("pause")
            left = self.node.json("state")["remaining"]
            wait_until(lambda: browser.countdown()[1] == left, "it shows the time left, and stays there",
                       otherwise=lambda: f"{browser.countdown()}, {left}")
            self.node.command("end")
            wait_until(lambda: browser.lamps() == [("#ff4136", True), (None, False), (None, False)], "red flashes")

    def test_a_click_starts_the_talk(self):
        with self.Browser(self.home) as browser:
            page = browser.open("timer-node/timer")
            since = self.mqtt.position()
            page.locator("hui-button-card").get_by_text("Start", exact=True).click()
            self.assertEqual(self.node.response("start", since)["status"], "ok")
            self.wait_for_state("sensor.lectern_mode", "countdown")
            self.expect_countdown(browser)
            page.locator("hui-button-card").get_by_text("+1 min", exact=True).click()
            self.assertEqual(self.node.response("add", since)["status"], "ok")
            if file := os.environ.get("DASHBOARD_PICTURE"):
                self.node.command("speaker", "Ada Lovelace")
                self.node.command("message", "5 minutes")
                page.mouse.move(0, 0)
                page.set_viewport_size({"width": 1000, "height": 1010})
                self.expect_countdown(browser)
                browser.take_picture(file)


if __name__ == "__main__":
    unittest.main()
