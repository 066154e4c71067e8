"""The editor: its forms, its clamps, adding, deleting, undo, and who may use it."""
import random

import pytest
from playwright.sync_api import expect

from editor import (FOUR, card, clock, closed, model, names, open_editor, open_timer, save, shown_times, timer,
                    wait_for_names, wait_for_rows)
from processes import wait_until


@pytest.fixture
def node(bench):
    return bench.start_node(timers=FOUR)


def test_the_words_are_those_of_the_nodes_profile(bench, web, browse):
    node = bench.start_node(timers=FOUR, signals={"profile": "toastmasters"})
    page = open_editor(browse, web, node)
    details = card(page, "A").locator("button.timer")
    # All times count from the start, as the fields do.
    expect(details).to_contain_text("Qualified 5:00")
    expect(details).to_contain_text("Wrap up 6:20")
    dialog = open_timer(page, "A")
    for label in ("Green · Qualified", "Yellow · Wrap up", "Red · Time"):
        expect(clock(dialog, label)).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".group-settings").first.click()
    # The preview goes through all modes in 12.5 s.
    for word in ("Running", "Qualified", "Wrap up", "Time"):
        expect(page.locator(".preview-word")).to_have_text(word, timeout=30_000)


def test_a_timer_is_edited(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    dialog = open_timer(page, "A")
    assert shown_times(dialog) == {"warning": "5:00", "final": "6:20", "start": "6:40"}
    for field, text in (("Name", "Keynote"), ("Event", "Spring “conference”"), ("Location", "Hall Ä")):
        dialog.get_by_label(field, exact=True).fill(text)
    for name, text in (("start", "1:06:40"), ("warning", "56:00"), ("final", "1:06:20"), ("minimum", "50"),
                       ("maximum", "65")):
        clock(dialog, name).fill(text)
    clock(dialog, "minimum").focus()
    assert shown_times(dialog)["maximum"] == "1:05:00"
    save(dialog)
    closed(page)
    edited = timer(node, "Keynote")
    assert edited | {"id": None} == {
        "id": None, "name": "Keynote", "event": "Spring “conference”", "location": "Hall Ä", "start": 4000,
        "warning": 640, "final": 20, "minimum": 3000, "maximum": 3900}
    assert model(node)["model_revision"] == revision + 1
    assert card(page, "Keynote").locator(".start").text_content() == "1:06:40"

    dialog = open_timer(page, "Keynote")
    dialog.get_by_label("Event", exact=True).fill("")
    dialog.get_by_label("Name", exact=True).fill("")  # The verb `edit` cannot remove a timer's name, but `timers` can.
    clock(dialog, "maximum").fill("")
    save(dialog)
    closed(page)
    edited = model(node)["groups"][0]["timers"][0]
    assert (edited["name"], edited.get("event"), edited.get("maximum"), edited["minimum"]) == ("", None, None, 3000)


def test_clamps_show_as_they_happen_and_go_when_they_need_not_be(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "A")
    clock(dialog, "start").fill("5:30")
    assert shown_times(dialog) == {"warning": "5:00", "final": "5:29", "start": "5:30"}
    expect(dialog).to_contain_text("The last second alone is too short for it: it is left out.")
    clock(dialog, "warning").fill("7:00")
    expect(dialog).to_contain_text("At most 5:29: before “Time is up”.")
    clock(dialog, "warning").fill("5:00")
    clock(dialog, "start").fill("0:02")
    assert shown_times(dialog) == {"warning": "0:01", "start": "0:02"}
    expect(dialog).to_contain_text("There is no room for it.")
    clock(dialog, "start").fill("6:4")  # While typing, nothing is lost.
    expect(dialog).to_contain_text("A time such as 5:00")
    clock(dialog, "start").fill("6:40")
    assert shown_times(dialog) == {"warning": "5:00", "final": "6:20", "start": "6:40"}
    expect(dialog).not_to_contain_text("At most")
    clock(dialog, "final").fill("4:00")
    expect(dialog).to_contain_text("At least 5:01: after “Warning”.")
    clock(dialog, "warning").focus()
    assert shown_times(dialog)["final"] == "5:01"
    save(dialog)
    closed(page)
    edited = timer(node, "A")
    assert (edited["start"], edited["warning"], edited["final"]) == (400, 100, 99)


def test_a_timer_needs_a_time(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    dialog = open_timer(page, "A")
    for text in ("", "soon"):
        clock(dialog, "start").fill(text)
        save(dialog)
        expect(dialog).to_contain_text("A time such as 5:00")
    assert model(node)["model_revision"] == revision


def test_what_the_form_shows_is_what_the_node_gets(node, web, browse):
    """The node clamps the final time by the previous warning, unless it receives all three."""
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "A")
    for name, text in (("start", "0:21"), ("warning", ""), ("final", "0:01")):
        clock(dialog, name).fill(text)
    assert shown_times(dialog) == {"final": "0:01", "start": "0:21"}
    save(dialog)
    closed(page)
    assert {key: timer(node, "A")[key] for key in ("start", "warning", "final")} == {
        "start": 21, "warning": 0, "final": 20}


def test_clamps_are_those_of_the_node(node, web, browse):
    """Random edits, one field at a time, on the node and on the page."""
    page = open_editor(browse, web, node)
    known, numbers = timer(node, "A"), random.Random(14)
    times = {key: known.get(key, 0) for key in ("start", "warning", "final", "minimum", "maximum")}
    for _ in range(60):
        field = numbers.choice(list(times))
        value = numbers.choice([0, 1, 2, numbers.randrange(1000), numbers.randrange(100_000)])
        expected = page.evaluate(
            "async times => (await import(document.baseURI + 'assets/edit/clamps.js')).clampTimer(times)",
            times | {field: value})
        assert node.command("edit", {"timer": known["id"], field: value})["status"] == "ok"
        found = timer(node, "A")
        times = {key: found.get(key, 0) for key in times}
        if value <= 86_399:
            assert times == expected, (field, value)


def test_what_does_not_fit_is_said_and_not_sent(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    dialog = open_timer(page, "A")
    dialog.get_by_label("Location", exact=True).fill("ä" * 65)
    assert "130 bytes" in dialog.inner_text()
    save(dialog)
    assert dialog.is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keep editing").click()
    assert dialog.get_by_label("Location", exact=True).input_value() == "ä" * 65
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Discard").click()
    closed(page)
    assert model(node)["model_revision"] == revision


def test_timers_and_groups_are_added(node, web, browse):
    page = open_editor(browse, web, node)
    plus = page.get_by_role("button", name="Add timer to Talks")
    # What one sees is part of its name, so that it can be pressed by voice.
    expect(plus).to_have_text("+ Add timer")
    plus.click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Name", exact=True).fill("New")
    save(dialog)
    wait_for_names(node, [["A", "B", "C", "New"], list("DEFG"), ["H"]])
    wait_for_rows(page, [["A", "B", "C", "New"], list("DEFG"), ["H"]])
    # It is like the last timer of its group.
    assert (timer(node, "New")["start"], timer(node, "New")["warning"]) == (200, 0)
    assert page.get_by_role("button", name="Add timer to Talks").count() == 0
    page.get_by_role("button", name="Add a group").click()
    page.locator("dialog[open]").get_by_label("Name", exact=True).fill("Last")
    save(page.locator("dialog[open]"))
    wait_for_names(node, [["A", "B", "C", "New"], list("DEFG"), ["H"], ["Last"]])


def test_the_rest_of_a_form_is_folded_and_save_is_in_sight(node, web, browse):
    page = open_editor(browse, web, node, size="phone")
    page.locator(".cell .timer").first.click()
    dialog = page.locator("dialog[open]")
    for label in ("Event", "Location"):
        expect(dialog.get_by_label(label, exact=True)).to_be_hidden()
    dialog.locator("summary").click()
    for label in ("Event", "Name"):
        dialog.get_by_label(label, exact=True).scroll_into_view_if_needed()
        expect(dialog.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    # A new timer is put in its place in the evening at once.
    page.get_by_role("button", name="Add timer to Talks").click()
    expect(dialog.locator("h2")).to_have_text("Add timer")
    expect(dialog.get_by_label("Event", exact=True)).to_be_visible()


def test_deleting_can_be_undone(node, web, browse):
    page = open_editor(browse, web, node)
    before = model(node)["groups"]
    page.get_by_role("button", name="Delete B").click()
    wait_for_names(node, [["A", "C"], list("DEFG"), ["H"]])
    page.locator(".toast").get_by_role("button", name="Undo").click()
    wait_until(lambda: model(node)["groups"] == before, "the timer is back")
    page.get_by_role("button", name="Delete H").click()  # Its group is deleted with it.
    wait_for_names(node, [["A", "B", "C"], list("DEFG")])
    page.get_by_role("button", name="Undo: H deleted").click()
    wait_until(lambda: model(node)["groups"] == before, "the timer and its group are back")
    page.get_by_role("button", name="Settings for group Talks").click()
    page.get_by_role("button", name="Delete the group").click()
    wait_for_names(node, [list("DEFG"), ["H"]])
    page.get_by_role("button", name="Undo: Group Talks deleted").click()
    wait_until(lambda: model(node)["groups"] == before, "the group is back, with all its timers")


def test_a_run_does_not_end_by_mistake_and_the_last_timer_stays(node, web, browse):
    page = open_editor(browse, web, node)
    node.command("start", "1/1")
    page.wait_for_selector(".is-selected .badge:text('in use')")
    page.get_by_role("button", name="Delete A").click()
    page.get_by_role("button", name="Cancel").click()
    assert names(model(node))[0] == ["A", "B", "C"]
    page.get_by_role("button", name="Delete A").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    wait_for_names(node, [["B", "C"], list("DEFG"), ["H"]])
    node.command("timers", {"groups": [{"name": "One", "timers": [{"name": "Z", "start": 5}]}]})
    wait_for_rows(page, [["Z"]])
    page.get_by_role("button", name="Delete Z").click()
    page.wait_for_selector(".toast-error:has-text('at least one timer')")
    assert names(model(node)) == [["Z"]]


def test_only_operators_edit(node, web, browse):
    page = browse()
    page.goto(web.url + f"n/{node.id}/edit")
    page.wait_for_url("**/login?next=n%2Flectern%2Fedit&role=operator")
    page = browse(role="remote")
    page.goto(web.url + f"n/{node.id}/edit?timer=1")
    page.wait_for_url("**/login?next=n%2Flectern%2Fedit%3Ftimer%3D1&role=operator")


def test_an_address_opens_a_form(node, web, browse):
    page = browse(role="operator")
    page.goto(web.url + f"n/{node.id}/edit?timer={timer(node, 'B')['id']}")
    page.wait_for_selector("dialog[open] h2:text('Timer: B')")
    page.goto(web.url + f"n/{node.id}/edit?add=3")
    page.locator("dialog[open]").get_by_label("Name", exact=True).fill("I")
    save(page.locator("dialog[open]"))
    wait_for_names(node, [["A", "B", "C"], list("DEFG"), ["H", "I"]])
