"""A Toastmasters evening from a phone, with short cards: from the log-in to the report on paper, each tap counted."""
import time

import pytest
from playwright.sync_api import expect

from paper import pages_of
from remote import MODES, Remote

# The groups of config/toastmasters.yaml, with seconds in place of minutes: minimum, middle and maximum of each card.
CARDS = {"settings": {"start_timer_immediately": False}, "groups": [
    {"name": "Prepared speeches", "display": "stoplights", "at_zero": "alarm", "timers": [
        {"name": "Ice Breaker", "min": 4, "mid": 5, "max": 6}, {"name": "Speech", "min": 8, "mid": 9, "max": 10},
        {"name": "Long speech", "min": 10, "mid": 11, "max": 12}]},
    {"name": "Table Topics", "display": "stoplights", "at_zero": "alarm", "timers": [
        {"name": "Table Topic", "min": 3, "mid": 4, "max": 5}]},
    {"name": "Evaluations", "display": "stoplights", "at_zero": "alarm", "timers": [
        {"name": "Evaluation", "min": 3, "mid": 4, "max": 5}]}]}
# Who speaks, with which card, and for how long: the time used is at least that.
EVENING = [
    ("Ada Lovelace", "1/1", 4.2, "yes"), ("Grace Hopper", "1/2", 2.2, "in"), ("Alan Turing", "2/1", 3.4, "yes"),
    ("Barbara Liskov", "3/1", 9.2, "over"), ("Edsger Dijkstra", "3/1", 3.4, "yes")]


@pytest.fixture
def remote(bench, browse):
    node = bench.start_node(timers=CARDS, signals={"profile": "toastmasters", "grace": "1s"})
    web = bench.start_web()
    page = browse(size="phone", server=web)
    # The display's QR code leads here.
    page.goto(web.url + f"n/{node.id}/remote")
    page.wait_for_url("**/login?**")
    page.keyboard.type(web.pin("remote"))  # The field has the focus, and the last digit submits it.
    page.wait_for_url("**/remote")
    return Finger(bench, node, web, page, more=False)


class Finger(Remote):
    """The remote of a timekeeper, whose taps are counted; typing is not."""
    taps = 0

    def tap(self, selector):
        self.taps += 1
        self.page.tap(selector)

    def hold(self, selector):
        self.taps += 1
        super().hold(selector)

    def choose(self, selector, value):
        """Opens a list and taps an entry, unless it is chosen already."""
        if self.page.locator(selector).input_value() != value:
            self.taps += 2
            self.page.select_option(selector, value)


def speak(remote, name, card, seconds, verdict):
    """One talk, with nothing but the phone."""
    remote.tap("#speaker")
    remote.tap("#speaker-field")
    remote.fill("#speaker-field", name)
    remote.keyboard.press("Enter")
    expect(remote.locator("#speaker-name")).to_have_text(name)
    remote.choose("#card", card)
    expect(remote.locator("#card")).to_have_value(card)
    expect(remote.locator("#speaker-name")).to_have_text(name)
    remote.tap("#play")
    remote.expect_mode(MODES)
    # Until the page itself shows it, in whole seconds, as the person at the phone sees them.
    remote.wait_for_elapsed(int(seconds))
    expect(remote.locator("#qualified")).to_contain_text(verdict)
    # When the time is up, the large button is the one that stops.
    remote.hold("#stop" if remote.locator("#stop").is_visible() else "#play")
    remote.expect_mode("stopped")
    expect(remote.locator("#result")).to_contain_text(f"{name} 0:")


def test_a_toastmasters_evening(remote, browse, tmp_path):
    began = time.monotonic()
    for talk in EVENING:
        speak(remote, *talk)
    print(f"the evening took {time.monotonic() - began:.0f} s")
    runs = remote.node.json("runs")["runs"][::-1]
    assert [(run["speaker"], run["timer"]) for run in runs] == [(name, card) for name, card, *_ in EVENING]
    assert [run["qualified"] for run in runs] == [True, False, True, False, True], runs

    # The recent names are offered for a speaker who speaks again.
    remote.tap("#speaker")
    expect(remote.locator("#recent-speakers button")).to_have_text([name for name, *_ in EVENING[::-1]])
    remote.keyboard.press("Escape")

    remote.tap("#more")
    remote.tap("#links >> text=Report")
    remote.wait_for_url("**/report")
    expect(remote.locator("tbody tr")).to_have_count(5)
    remote.evaluate("window.print = () => { window.isPrinted = true; }")
    remote.tap("#print")
    assert remote.evaluate("window.isPrinted")
    print(f"{remote.taps} taps")
    # For each speaker the name, its field, the card (two, if it is another one), start and stop; then the report.
    assert remote.taps == 5 * 4 + 2 * 3 + 1 + 3
    pages, sizes = pages_of(remote.page, tmp_path)
    assert (pages, sizes) == (1, [(595, 842)])
    remote.emulate_media(media="print")
    lines = [row.all_inner_texts() for row in [line.locator("th, td") for line in remote.locator("tbody tr").all()]]
    assert [(line[1], line[2], line[4], line[6]) for line in lines] == [
        ("Ada Lovelace", "Ice Breaker", "0:04–0:06", "✓ yes"), ("Grace Hopper", "Speech", "0:08–0:10", "✗ no"),
        ("Alan Turing", "Table Topic", "0:03–0:05", "✓ yes"), ("Barbara Liskov", "Evaluation", "0:03–0:05", "✗ no"),
        ("Edsger Dijkstra", "Evaluation", "0:03–0:05", "✓ yes")]
    assert [line[3] for line in lines] == [f"0:{int(run['used']):02}" for run in runs]
    expect(remote.locator("#summary")).to_have_text("5 talks, 3 of 5 qualified")
