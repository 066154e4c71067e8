"""What the displays show of the evening: the running order, and the meeting that begins soon."""
import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from conftest import assert_accessible, assert_fits
from displays import KINDS, SCREENS, assert_readable, open_display, resize, take, wait_for_mode
from node import agenda, meeting

EVENING = {"entries": [
    {"id": f"e{number}", "title": f"Motion {number}", "speaker": f"Speaker {number}", "timer": "1/1"}
    for number in range(1, 10)]}


@pytest.fixture
def council(node):
    assert node.command("programme", EVENING)["status"] == "ok"
    assert node.command("entry", "4")["status"] == "ok"
    return node


def test_what_is_on_and_what_follows(council, web, browse):
    page = browse()
    open_display(page, web, council, display="numerical")
    expect(page.locator("#now")).to_have_text("Motion 4")
    expect(page.locator("#name")).to_have_text("Talk")
    expect(page.locator("#next")).to_have_text("Next: Motion 5 · Speaker 5")
    # When the evening is expected to go on is for those who lead it.
    for name in ("#expected", "#list", "#end"):
        expect(page.locator(name)).to_be_hidden()
    open_display(page, web, council, display="backstage")
    expect(page.locator("#expected")).to_have_text(re.compile(r"^Begins about \d\d:\d\d$"))
    open_display(page, web, council, display="numerical", elements="digits,-now")
    expect(page.locator("#now")).to_be_hidden()


def test_the_list_is_around_the_current_entry(council, web, browse):
    page = browse()
    open_display(page, web, council, display="numerical", elements="digits,list")
    lines = page.locator("#list li")
    expect(lines).to_have_count(6)
    expect(lines.first).to_have_text("3. Motion 3 · Speaker 3")
    expect(lines.nth(2)).to_have_text(re.compile(r"^5\. Motion 5 · Speaker 5\d\d:\d\d$"))
    expect(page.locator("#list [aria-current]")).to_have_text("4. Motion 4 · Speaker 4")
    assert council.command("entry", {"skip": "e5"})["status"] == "ok"
    expect(page.locator("#list [data-state=skipped]")).to_have_text("5. Motion 5 · Speaker 5")
    assert council.command("entry", "9")["status"] == "ok"
    expect(lines.last).to_have_text("9. Motion 9 · Speaker 9")
    expect(lines).to_have_count(6)
    assert council.command("programme", "")["status"] == "ok"
    expect(page.locator("#list")).to_be_hidden()


def test_a_display_of_one_timer_has_nothing_of_the_running_order(council, web, browse):
    page = browse()
    open_display(page, web, council, display="numerical", timer="1/2", elements="digits,name,now,list")
    expect(page.locator("#name")).to_have_text("Questions")
    expect(page.locator("#now")).to_be_hidden()
    expect(page.locator("#list")).to_be_hidden()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("message", [None, "Please wrap up"])
def test_everything_at_once_can_be_read(council, web, browse, kind, message):
    if message and kind != "lower-third":  # Its message would cover the picture that it lies on.
        assert council.command("message", message)["status"] == "ok"
    assert council.command("start")["status"] == "ok"
    page = browse()
    everything = "lamps,digits,mode,now,name,event,location,speaker,progress,next,expected,list,clock,message,end"
    open_display(page, web, council, display=kind, elements=everything, theme="auto")
    wait_for_mode(page, "Running")
    for size in SCREENS:
        resize(page, size)
        take(page, f"{kind}-everything-{size}{'-message' if message else ''}")
        assert_fits(page)
        assert_readable(page)
    assert_accessible(page)


def test_a_display_counts_down_to_a_meeting_and_shows_the_timer_again_when_it_runs(bench, web, browse):
    node = bench.start_node(agenda=agenda(meeting("Council", timedelta(seconds=90), begin="none") | {"lead": "5m"}))
    page = browse()
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Begins in")
    expect(page.locator("#name")).to_have_text("Council")
    expect(page.locator("#time")).to_have_text(re.compile(r"^(1:[0-3]\d|0:\d\d)$"))
    before = page.locator("#time").inner_text()
    page.wait_for_function("(before) => document.getElementById('time').textContent !== before", arg=before)
    assert node.command("start")["status"] == "ok"
    wait_for_mode(page, "Running")
    expect(page.locator("#name")).not_to_have_text("Council")
