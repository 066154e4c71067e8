"""The evenings of docs/running-order.md and docs/debates.md from the page: from the first press to the printed report."""
import csv
import io
import re

import pytest
from playwright.sync_api import expect

from displays import resize
from paper import pages_of
from remote import MODES, Remote

ORDER = """Titel\tRedner/in\tDauer\tum
Opening\tAda Lovelace\t0:30\t19:05
Motion 4\tGrace Hopper\t0:30\t
Break\t\t\t
Motion 5\tAlan Turing\t0:30\t
"""
DEBATE = {"groups": [{"name": "Debate", "at_zero": "alarm", "budget": "15:00", "timers": [
    {"name": "Pro", "start": "10:00", "carry": True}, {"name": "Contra", "start": "10:00", "carry": True}]}]}


@pytest.fixture
def clerk(browse):
    """The page of the person who prepares the evening."""
    return browse(size="laptop", role="operator")


def speak(remote, seconds=2):
    """Starts the timer that is put up, and waits until the speaker has spoken for so long."""
    remote.click("#play")
    remote.expect_mode(MODES)
    remote.wait_for_elapsed(seconds)


def test_a_council(bench, node, web, browse, clerk, tmp_path):
    # In the afternoon, the clerk pastes the order from a spreadsheet.
    clerk.goto(web.url + f"n/{node.id}/programme")
    clerk.click("#paste")
    clerk.fill("#table", ORDER)
    clerk.click("dialog button.primary")
    expect(clerk.locator(".entry")).to_have_count(4)

    # In the evening, a phone leads through it; a display shows who speaks.
    remote = Remote(bench, node, web, browse(size="phone", role="remote"), more=False)
    stage = browse()
    stage.goto(web.url + f"n/{node.id}?display=numerical")
    remote.click("#next-entry")
    expect(remote.locator("#speaker-name")).to_have_text("Ada Lovelace")
    expect(stage.locator("#name")).to_have_text("Opening")
    expect(stage.locator("#next")).to_have_text("Next: Motion 4 · Grace Hopper")
    speak(remote)
    remote.hold("#stop")
    remote.click("#next-entry")
    speak(remote)
    # Somebody stops the speaker by mistake, and takes it back.
    remote.hold("#stop")
    expect(remote.locator("#undo")).to_have_text("Undo stop")
    remote.click("#undo")
    remote.expect_mode(MODES)
    expect(remote.locator("#speaker-name")).to_have_text("Grace Hopper")
    remote.hold("#stop")
    # The clerk puts a question in before the break while the evening runs.
    clerk.locator(".entry", has_text="Motion 4").locator("[data-action=change]").click()
    clerk.locator(".entry", has_text="Motion 4").locator("[data-action=insert]").click()
    clerk.get_by_label("Title").fill("Question")
    clerk.get_by_label("Speaker").fill("Barbara Liskov")
    clerk.get_by_label("Timer", exact=True).select_option("1/2")
    clerk.click("dialog button.primary")
    expect(remote.locator("#next-entry")).to_have_text("Next: Barbara Liskov")
    remote.click("#next-entry")
    speak(remote)
    remote.hold("#stop")
    remote.click("#next-entry")
    expect(clerk.locator("[aria-current] .title")).to_have_text("4. Break")
    expect(remote.locator("#next-entry")).to_have_text("Next: Alan Turing")
    remote.click("#next-entry")
    speak(remote)
    remote.hold("#stop")
    expect(remote.locator("#next-entry")).to_be_hidden()

    # The report on paper has the titles, and one line for the speaker who was stopped by mistake.
    resize(remote.page, "laptop")
    remote.goto(web.url + f"n/{node.id}/report")
    expect(remote.locator("tbody tr")).to_have_count(4)
    assert remote.locator("tbody th").all_inner_texts() == [
        "Ada Lovelace", "Grace Hopper", "Barbara Liskov", "Alan Turing"]
    titles = [text.split("\n")[0] for text in remote.locator("tbody .timer").all_inner_texts()]
    assert titles == ["Opening", "Motion 4", "Question", "Motion 5"]
    expect(remote.locator("tbody tr").first.locator(".at")).to_contain_text("planned 19:05")
    pages, _ = pages_of(remote.page, tmp_path)
    assert pages == 1
    answer = remote.page.context.request.get(web.url + remote.locator("#csv").get_attribute("href"))
    lines = list(csv.DictReader(io.StringIO(answer.text())))
    assert [line["Title"] for line in lines] == titles
    assert all(line["Entry"] and line["Planned start"] for line in lines)


def test_a_debate(bench, web, browse, tmp_path):
    node = bench.start_node(timers=DEBATE)
    remote = Remote(bench, node, web, browse(size="phone", role="remote"), more=False)
    expect(remote.locator("#next")).to_be_hidden()
    speak(remote)
    for side in ("Contra", "Pro", "Contra"):
        remote.click("#switch")
        expect(remote.locator("#card")).to_contain_text(side)
        expect(remote.locator("#card option:checked")).to_have_text(re.compile(rf"^{side} · (10:00|9:5\d)$"))
        remote.wait_for_elapsed(1)
    # The key is that of the next timer, and it is pressed, not held.
    remote.keyboard.press("n")
    expect(remote.locator("#card option:checked")).to_have_text(re.compile("^Pro"))
    expect(remote.locator("#timer")).to_have_text(re.compile(r"budget 14:5\d$"))
    remote.hold("#stop")
    runs = remote.node.json("runs")["runs"]
    assert [run["name"] for run in runs] == ["Pro", "Contra", "Pro", "Contra", "Pro"]
    left = {timer["name"]: timer["left"] for timer in remote.node.json("timers")["groups"][0]["timers"]}
    for side in ("Pro", "Contra"):
        used = sum(run["used"] for run in runs if run["name"] == side)
        assert used + left[side] == pytest.approx(600, abs=0.01)
        assert next(run["total"] for run in runs if run["name"] == side) == pytest.approx(used, abs=0.01)

    remote.goto(web.url + f"n/{node.id}/report")
    expect(remote.locator("tbody tr")).to_have_count(5)
    expect(remote.locator("tbody tr").last.locator(".used")).to_have_text(re.compile(r"0:\d\d in all"))
    assert pages_of(remote.page, tmp_path)[0] == 1
