"""Editing the agenda: add, change, delete with undo, and two people at once."""
import pytest

from editor import closed, save
from processes import wait_until
from test_agenda import agenda, berlin, open_agenda


@pytest.fixture
def node(bench):
    return bench.start_node(agenda=berlin())


def edit(page, name):
    page.get_by_role("button", name=f"Edit {name}", exact=True).click()
    return page.locator("dialog[open]")


def part(dialog, field, unit):
    return dialog.get_by_label(f"{field}: {unit}", exact=True)


def names(node):
    return [one["name"] for one in agenda(node)["meetings"]]


def test_a_meeting_is_added_and_changed(node, web, browse):
    page = open_agenda(browse, web)
    revision = agenda(node)["revision"]
    page.get_by_role("button", name="Add a meeting").click()
    dialog = page.locator("dialog[open]")
    save(dialog)
    assert dialog.is_visible(), "it needs a name"
    dialog.get_by_label("Name", exact=True).fill("Stand-up")
    for day in ("Mon", "Fri"):
        dialog.get_by_label(day, exact=True).check()
    dialog.locator(".dates button").click()  # Removes today, which is preset for a new meeting.
    dialog.get_by_label("Date", exact=True).fill("2030-01-02")
    dialog.get_by_label("Begin", exact=True).fill("09:15")
    part(dialog, "Duration", "hours").fill("0")
    part(dialog, "Duration", "minutes").fill("15")
    dialog.get_by_label("When it begins").select_option("start")
    dialog.get_by_label("Place", exact=True).fill("Room 3")
    dialog.get_by_label("Note", exact=True).fill("Short")
    dialog.get_by_label("Time zone", exact=True).fill("America/New_York")
    save(dialog)
    closed(page)
    assert agenda(node)["revision"] == revision + 1
    assert agenda(node)["meetings"][-1] == {
        "name": "Stand-up", "day": ["mon", "fri", "2030-01-02"], "at": "09:15", "for": 900, "group": 1,
        "begin": "start", "attend": True, "zone": "America/New_York", "location": "Room 3", "note": "Short"}
    rule = "Every Mon, Fri; 2 Jan 2030, 09:15, for 15 min (America/New_York)"
    assert rule in page.locator("main").inner_text()

    dialog = edit(page, "Stand-up")
    dialog.get_by_label("Timer group").select_option("")
    assert dialog.get_by_label("When it begins").is_disabled()
    dialog.get_by_label("Attended").uncheck()
    dialog.get_by_label("Note", exact=True).fill("")
    dialog.get_by_label("Time zone", exact=True).fill("Europe/Atlantis")
    save(dialog)
    assert "There is no time zone with that name" in dialog.inner_text()
    dialog.get_by_label("Time zone", exact=True).fill("")
    save(dialog)
    closed(page)
    assert agenda(node)["meetings"][-1] == {
        "name": "Stand-up", "day": ["mon", "fri", "2030-01-02"], "at": "09:15", "for": 900, "begin": "none",
        "attend": False, "location": "Room 3"}


def test_a_form_has_what_the_page_does_not_show(node, web, browse):
    page = open_agenda(browse, web)
    for begin in ("start", "select"):
        dialog = edit(page, "Toastmasters")
        dialog.get_by_label("When it begins").select_option(begin)
        save(dialog)
        closed(page)
        wait_until(lambda: agenda(node)["meetings"][0]["begin"] == begin, f"the group is to {begin}")
        dialog = edit(page, "Toastmasters")
        assert dialog.get_by_label("When it begins").input_value() == begin
        dialog.get_by_role("button", name="Cancel").click()
        closed(page)


def test_displays_count_down_to_a_meeting(node, web, browse):
    page = open_agenda(browse, web)
    # An edit of something else keeps it, and 0 removes it.
    for minutes, place, lead in (("5", None, 300), (None, "Room 9", 300), ("0", None, None)):
        dialog = edit(page, "Toastmasters")
        if minutes:
            part(dialog, "Count down to it for", "minutes").fill(minutes)
        if place:
            assert part(dialog, "Count down to it for", "minutes").input_value() == "5"
            dialog.get_by_label("Place", exact=True).fill(place)
        save(dialog)
        closed(page)
        assert agenda(node)["meetings"][0].get("lead") == lead


def test_deleting_can_be_undone(node, web, browse):
    page = open_agenda(browse, web)
    before = agenda(node)["meetings"]
    edit(page, "Café").get_by_role("button", name="Delete the meeting").click()
    wait_until(lambda: names(node) == ["Toastmasters", "Far away"], "it is deleted")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    wait_until(lambda: agenda(node)["meetings"] == before, "it is back in its place")


def delete_cafe(page, node):
    edit(page, "Café").get_by_role("button", name="Delete the meeting").click()
    wait_until(lambda: names(node) == ["Toastmasters", "Far away"], "it is deleted")


def test_deleting_is_undone_once(node, web, browse):
    page = open_agenda(browse, web)
    before = agenda(node)["meetings"]
    delete_cafe(page, node)
    page.locator("#undo").click()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    dialog = edit(page, "Far away")  # A later change is carried out after these.
    dialog.get_by_label("Place", exact=True).fill("Moon")
    save(dialog)
    closed(page)
    assert agenda(node)["meetings"] == before[:2] + [before[2] | {"location": "Moon"}]
    assert page.locator("#undo").is_hidden()


def test_what_somebody_else_has_changed_comes_back_as_it_was(node, web, browse):
    page = open_agenda(browse, web)
    dialog = edit(page, "Café")
    changed = {key: agenda(node)[key] for key in ("zone", "remind_after", "meetings")}
    changed["meetings"][1]["location"] = "Theirs"
    assert node.command("agenda", changed)["status"] == "ok"
    page.wait_for_selector("main >> text=Theirs", state="attached")
    dialog.get_by_role("button", name="Delete the meeting").click()
    wait_until(lambda: names(node) == ["Toastmasters", "Far away"], "it is deleted")
    page.locator("#undo").click()
    wait_until(lambda: agenda(node)["meetings"] == changed["meetings"], "it is back")


def test_an_undo_that_nobody_answered_can_be_tried_again(node, web, browse):
    page = open_agenda(browse, web, refused=True)
    before = agenda(node)["meetings"]
    delete_cafe(page, node)
    with node.halted():
        page.locator("#undo").click()
        page.wait_for_selector(".toast-error:has-text('No answer')")
    page.wait_for_selector("main strong:text('Café')")  # The node has carried out the command anyway.
    page.locator("#undo").click()
    page.locator("#undo").wait_for(state="hidden")
    assert agenda(node)["meetings"] == before


def test_zone_and_reminder(node, web, browse):
    page = open_agenda(browse, web)
    page.locator(".agenda-settings").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Time zone", exact=True).fill("America/New_York")
    part(dialog, "Remind after", "minutes").fill("0")
    save(dialog)
    closed(page)
    assert (agenda(node)["zone"], agenda(node)["remind_after"]) == ("America/New_York", 0)
    assert "Time zone: America/New_York · No reminders" in page.locator("section.all").inner_text()


def test_a_conflict_shows_what_changed(node, web, browse):
    page = open_agenda(browse, web, refused=True)
    dialog = edit(page, "Toastmasters")
    dialog.get_by_label("Note", exact=True).fill("Mine")
    other = open_agenda(browse, web)
    second = edit(other, "Toastmasters")
    second.get_by_label("Place", exact=True).fill("Room 9")
    second.get_by_label("Begin", exact=True).fill("18:30")
    save(second)
    closed(other)
    save(dialog)
    text = page.locator(".conflict").inner_text()
    assert "Place was “Room 2”, now “Room 9”" in text
    assert "Begin was “19:00”, now “18:30”" in text
    assert dialog.get_by_label("Note", exact=True).input_value() == "Mine"
    page.get_by_role("button", name="Apply mine").click()
    closed(page)
    found = agenda(node)["meetings"][0]
    assert (found["note"], found["location"], found["at"]) == ("Mine", "Room 9", "18:30")


def test_theirs_can_be_taken(node, web, browse):
    page = open_agenda(browse, web, refused=True)
    dialog = edit(page, "Café")
    dialog.get_by_label("Place", exact=True).fill("Mine")
    changed = {key: agenda(node)[key] for key in ("zone", "remind_after", "meetings")}
    changed["meetings"][1]["location"] = "Theirs"
    assert node.command("agenda", changed)["status"] == "ok"
    save(dialog)
    page.get_by_role("button", name="Use theirs").click()
    assert dialog.get_by_label("Place", exact=True).input_value() == "Theirs"
    page.get_by_role("button", name="Restore mine").click()
    assert dialog.get_by_label("Place", exact=True).input_value() == "Mine"
    save(dialog)
    closed(page)
    assert agenda(node)["meetings"][1]["location"] == "Mine"


def test_a_node_without_an_agenda_gets_its_first_meeting(bench, web, browse):
    node = bench.start_node()
    page = browse(role="operator")
    page.goto(web.url + "agenda")
    page.get_by_role("button", name="Add a meeting").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Name", exact=True).fill("First")
    save(dialog)
    wait_until(lambda: node._bench.mqtt.messages(node.topic("agenda"), 0)[-1].payload, "there is an agenda")
    assert names(node) == ["First"]
    page.wait_for_selector("main strong:text('First')")
