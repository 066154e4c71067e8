"""The running order as people use it: pasted, led from the page, edited while it runs, by two people at once."""
import json
import re

import pytest
from playwright.sync_api import expect

from conftest import assert_fits
from displays import resize
from remote import MODES, Remote
from test_screens import LOST

EVENING = {"entries": [
    {"id": "open", "title": "Opening", "speaker": "Ada Lovelace", "timer": "1/1", "at": "19:05"},
    {"id": "motion", "title": "Motion 4", "speaker": "Grace Hopper", "start": "3:00", "warning": "1:00"},
    {"id": "break", "title": "Break", "note": "Coffee in room 2"}]}


@pytest.fixture
def programme(node, web, browse):
    def visit(role="operator", size="laptop"):
        page = browse(size=size, role=role)
        page.goto(web.url + f"n/{node.id}/programme")
        expect(page.locator("#heading")).not_to_be_empty()
        return page
    return visit


def titles(page):
    return [text.split(". ", 1)[1] for text in page.locator(".entry .title").all_inner_texts()]


def published(node):
    return json.loads(node._bench.mqtt.messages(node.topic("programme"), 0)[-1].payload)


def test_a_table_is_pasted_and_a_fault_in_it_changes_nothing(programme, node):
    page = programme()
    expect(page.locator("#state")).to_have_text("There is no running order yet.")
    page.click("#paste")
    page.fill("#table", "title\tlength\nOpening\tsoon\n")
    page.click("dialog button.primary")
    expect(page.locator("dialog .error")).to_contain_text("line 2, column length")
    page.errors[:] = [error for error in page.errors if "Failed to load resource" not in error]
    page.fill("#table", "Titel\tRedner/in\tDauer\nOpening\tAda Lovelace\t5:00\nBreak\t\t\n")
    page.click("dialog button.primary")
    expect(page.locator(".entry")).to_have_count(2)
    assert titles(page) == ["Opening", "Break"]
    assert [entry.get("start") for entry in published(node)["entries"]] == [300, None]


def test_an_evening_is_led_entry_by_entry(programme, node):
    assert node.command("programme", EVENING)["status"] == "ok"
    page = programme(role="remote", size="phone")
    expect(page.locator("#next")).to_have_text("Next: Ada Lovelace")
    page.click("#next")
    expect(page.locator("[aria-current] .title")).to_have_text("1. Opening")
    assert node.command("start")["status"] == "ok"
    expect(page.locator("#next")).to_have_text("Next: Grace Hopper")
    page.wait_for_timeout(2500)
    page.click("#next")
    page.click("dialog button[value=yes]")
    expect(page.locator("[aria-current] .title")).to_have_text("2. Motion 4")
    expect(page.locator("[data-entry=open] .used")).to_have_text(re.compile(r"^0:\d\d$"))
    expect(page.locator("[data-entry=motion] [data-action=change]")).to_have_count(0)
    assert_fits(page)
    assert page.evaluate(LOST) == []
    assert published(node)["current"] == "motion"


def test_operators_edit_it_with_the_keyboard_while_it_runs(programme, node):
    assert node.command("programme", EVENING)["status"] == "ok"
    assert node.command("entry", {"entry": "open", "start": True})["status"] == "ok"
    page = programme()
    expect(page.locator(".entry")).to_have_count(3)
    page.locator("[data-entry=break] [data-action=change]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-entry=break] [data-action=up]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".entry .title").nth(1)).to_have_text("2. Break")
    page.click("[data-entry=break] [data-action=insert]")
    page.get_by_label("Title").fill("Motion 5")
    page.get_by_label("Timer", exact=True).select_option("own")
    page.get_by_label("Length (m:ss)").fill("2:30")
    page.click("dialog button.primary")
    expect(page.locator(".entry")).to_have_count(4)
    assert titles(page) == ["Opening", "Break", "Motion 5", "Motion 4"]
    page.click("[data-entry=motion] [data-action=skip]")
    expect(page.locator("[data-entry=motion]")).to_have_attribute("data-state", "skipped")
    page.click("[data-entry=break] [data-action=remove]")
    expect(page.locator(".entry")).to_have_count(3)
    state = published(node)
    assert state["current"] == "open" and state["entries"][1]["start"] == 150


def test_an_entry_is_dragged_to_its_place(programme, node):
    assert node.command("programme", EVENING)["status"] == "ok"
    page = programme()
    expect(page.locator(".entry")).to_have_count(3)
    entry = {name: page.locator(f"[data-entry={name}]") for name in ("open", "motion", "break")}
    top, bottom = {"x": 200, "y": 4}, {"x": 200, "y": entry["motion"].bounding_box()["height"] - 4}
    for dragged, other, position, order in (
            ("break", "open", top, ["Break", "Opening", "Motion 4"]),
            ("break", "motion", top, ["Opening", "Break", "Motion 4"]),
            ("open", "motion", bottom, ["Break", "Motion 4", "Opening"]),
            ("break", "break", top, ["Break", "Motion 4", "Opening"])):
        entry[dragged].locator(".title").drag_to(entry[other], target_position=position)
        expect(page.locator(".entry .title").nth(0)).to_have_text(f"1. {order[0]}")
        expect(page.locator(".entry .title").nth(1)).to_have_text(f"2. {order[1]}")
        expect(page.locator("[data-drop]")).to_have_count(0)
    assert [entry["title"] for entry in published(node)["entries"]] == ["Break", "Motion 4", "Opening"]


def test_a_remote_drags_nothing(programme, node):
    assert node.command("programme", EVENING)["status"] == "ok"
    page = programme(role="remote")
    expect(page.locator(".entry")).to_have_count(3)
    expect(page.locator("[draggable]")).to_have_count(0)


def test_two_people_do_not_overwrite_each_other(programme, node):
    assert node.command("programme", EVENING)["status"] == "ok"
    page = programme()
    page.click("[data-entry=break] [data-action=change]")
    page.click("[data-entry=break] [data-action=edit]")
    page.get_by_label("Title").fill("Long break")
    revision = published(node)["revision"]
    assert node.command("programme", {"entries": EVENING["entries"][1:], "revision": revision})["status"] == "ok"
    expect(page.locator(".entry")).to_have_count(2)
    page.click("dialog button.primary")
    # It is saved into the running order of the other person, which the page shows by now.
    expect(page.locator(".entry")).to_have_count(2)
    expect(page.locator("[data-entry=break] .title")).to_have_text("2. Long break")


def test_the_remote_goes_to_the_next_entry_with_its_largest_key(node, web, browse, bench):
    assert node.command("programme", EVENING)["status"] == "ok"
    remote = Remote(bench, node, web, browse(size="phone", role="remote"))
    for size in ("phone", "laptop"):
        resize(remote.page, size)
        key, play = remote.locator("#next-entry").bounding_box(), remote.locator("#play").bounding_box()
        assert key["width"] > 1.5 * play["width"]
        assert_fits(remote.page)
        assert remote.evaluate(LOST) == []
    remote.forget()
    expect(remote.locator("#next-entry")).to_have_text("Next: Ada Lovelace")
    remote.click("#next-entry")
    expect(remote.locator("#next-entry")).to_be_hidden()
    expect(remote.locator("#speaker-name")).to_have_text("Ada Lovelace")
    remote.click("#play")
    remote.expect_mode(MODES)
    remote.page.wait_for_timeout(2500)
    remote.hold("#stop")
    expect(remote.locator("#next-entry")).to_have_text("Next: Grace Hopper")
    remote.wait_for(("entry", {"entry": "next"}), ("start", {}), ("stop", {}))
