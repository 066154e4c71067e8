"""Two people at the same editor at once, refusals, and typed text while the connection or the session is lost."""
import json

import pytest

from editor import (FOUR, card, clock, closed, model, names, open_editor, open_timer, save, shown_times, timer,
                    wait_for_names, wait_for_rows)
from processes import wait_until


@pytest.fixture
def node(bench):
    return bench.start_node(timers=FOUR)


def conflict(page):
    box = page.locator(".conflict")
    box.wait_for()
    return box


def both(browse, web, node):
    """Two editors, in which the same timer is open."""
    pages = [open_editor(browse, web, node, refused=True) for _ in range(2)]
    return [(page, open_timer(page, "A")) for page in pages]


def first_saves(page, dialog, node):
    dialog.get_by_label("Location", exact=True).fill("Theirs")
    clock(dialog, "start").fill("5:40")
    save(dialog)
    closed(page)


def test_a_conflict_shows_what_changed_and_mine_can_be_applied(node, web, browse):
    (one, first), (other, second) = both(browse, web, node)
    second.get_by_label("Event", exact=True).fill("Mine")
    clock(second, "warning").fill("4:50")
    first_saves(one, first, node)
    save(second)
    text = conflict(other).inner_text()
    assert "A: Location was none, now “Theirs”" in text
    assert "A: Time is up was 6:40, now 5:40" in text
    assert second.get_by_label("Event", exact=True).input_value() == "Mine"
    other.get_by_role("button", name="Apply mine").click()
    closed(other)
    found = timer(node, "A")
    assert (found["event"], found["location"], found["start"], found["warning"]) == ("Mine", "Theirs", 340, 110)
    wait_until(lambda: card(one, "A").inner_text() == card(other, "A").inner_text(), "both show the same")


def test_theirs_can_be_taken_and_mine_comes_back(node, web, browse):
    (one, first), (other, second) = both(browse, web, node)
    second.get_by_label("Event", exact=True).fill("Mine")
    first_saves(one, first, node)
    save(second)
    conflict(other).get_by_role("button", name="Use theirs").click()
    assert second.get_by_label("Event", exact=True).input_value() == ""
    assert second.get_by_label("Location", exact=True).input_value() == "Theirs"
    assert shown_times(second)["start"] == "5:40"
    other.get_by_role("button", name="Restore mine").click()
    assert second.get_by_label("Event", exact=True).input_value() == "Mine"
    save(second)
    closed(other)
    assert (timer(node, "A")["event"], timer(node, "A")["location"]) == ("Mine", "Theirs")


def test_a_timer_that_somebody_has_deleted_comes_back_with_what_was_typed(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    dialog = open_timer(page, "B")
    dialog.get_by_label("Name", exact=True).fill("Important")
    other = open_editor(browse, web, node, refused=True)
    other.get_by_role("button", name="Delete B").click()
    wait_for_names(node, [["A", "C"], list("DEFG"), ["H"]])
    save(dialog)
    assert "B was deleted" in conflict(page).inner_text()
    page.get_by_role("button", name="Apply mine").click()
    wait_for_names(node, [["A", "Important", "C"], list("DEFG"), ["H"]])


def test_groups_conflict_too(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    page.get_by_role("button", name="Settings for group Talks").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("Display", exact=True).select_option("circular")
    changed = model(node)
    changed["groups"][0]["name"] = "Speeches"
    assert node.command("timers", changed)["status"] == "ok"
    save(dialog)
    assert "Name was “Talks”, now “Speeches”" in conflict(page).inner_text()
    page.get_by_role("button", name="Apply mine").click()
    closed(page)
    group = model(node)["groups"][0]
    assert (group["name"], group["display"]) == ("Speeches", "circular")


def test_a_move_that_is_based_on_an_old_model_is_a_conflict(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    card(page, "A").locator(".grip").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert node.command("edit", {"timer": timer(node, "H")["id"], "name": "Z"})["status"] == "ok"
    revision = model(node)["model_revision"]
    page.keyboard.press("Enter")
    assert "H: Name was “H”, now “Z”" in conflict(page).inner_text()
    assert names(model(node))[0] == ["A", "B", "C"]
    page.get_by_role("button", name="Apply mine").click()
    wait_for_names(node, [["B", "A", "C"], list("DEFG"), ["Z"]])
    wait_for_rows(page, [["B", "A", "C"], list("DEFG"), ["Z"]])


def test_a_group_that_somebody_has_filled_takes_no_more(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    card(page, "A").locator(".grip").focus()
    for key in ("Enter", "ArrowDown"):
        page.keyboard.press(key)
    changed = model(node)
    changed["groups"][2]["timers"] += [{"name": name, "start": 9} for name in "IJK"]
    assert node.command("timers", changed)["status"] == "ok"
    expected = names(model(node))
    page.keyboard.press("Enter")
    conflict(page).get_by_role("button", name="Apply mine").click()
    page.wait_for_selector(".toast-error:has-text('already has four timers')")
    assert names(model(node)) == expected
    wait_for_rows(page, expected)


def carry_to_alone(page):
    """Picks A up and takes it to the last group."""
    card(page, "A").locator(".grip").focus()
    for key in ("Enter", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator("#announcer").text_content() == "Position 1 of 2 in Alone"


def change_meanwhile(node, page, groups):
    """Someone else changes the groups, and the page receives that before it notices that the node has gone."""
    assert node.command("timers", {"groups": groups})["status"] == "ok"
    node.stop()
    page.wait_for_selector("#status:has-text('offline')")
    node.start()
    wait_until(lambda: page.locator("#status").text_content() == "", "the node is back")


def test_a_timer_that_somebody_deletes_while_it_is_carried_is_a_conflict(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    carry_to_alone(page)
    groups = model(node)["groups"]
    groups[0]["timers"].pop(0)
    change_meanwhile(node, page, groups)
    page.keyboard.press("Enter")
    assert "A was deleted" in conflict(page).inner_text()
    page.get_by_role("button", name="Apply mine").click()
    page.wait_for_selector(".toast-error:has-text('no longer exists')")
    wait_for_rows(page, [["B", "C"], list("DEFG"), ["H"]])


def test_a_timer_goes_where_its_user_saw_the_place(node, web, browse):
    """Someone else has since inserted a group above it, so its number is now different."""
    page = open_editor(browse, web, node, refused=True)
    carry_to_alone(page)
    change_meanwhile(node, page, [{"name": "New", "timers": [{"name": "Z", "start": 9}]}] + model(node)["groups"])
    page.keyboard.press("Enter")
    assert "Z was added to New" in conflict(page).inner_text()
    page.get_by_role("button", name="Apply mine").click()
    wait_for_names(node, [["Z"], ["B", "C"], list("DEFG"), ["A", "H"]])


def test_changes_of_ones_own_are_no_conflict(node, web, browse):
    """Many at once, each based on the one before."""
    page = open_editor(browse, web, node)
    grip = card(page, "A").locator(".grip")
    for _ in range(2):
        grip.focus()
        for key in ("Enter", "ArrowRight", "Enter"):
            page.keyboard.press(key)
    page.get_by_role("button", name="Delete D").click()
    wait_for_names(node, [["B", "C", "A"], list("EFG"), ["H"]])
    wait_for_rows(page, [["B", "C", "A"], list("EFG"), ["H"]])
    assert page.locator(".conflict, .toast-error").count() == 0


def test_a_refusal_says_why_and_keeps_what_was_typed(bench, web, browse):
    node = bench.start_node("fixed", timers=FOUR, read_only=True)
    page = open_editor(browse, web, node, refused=True)
    dialog = open_timer(page, "A")
    dialog.get_by_label("Name", exact=True).fill("Mine")
    save(dialog)
    page.wait_for_selector("dialog .error:has-text('cannot be edited')")
    assert dialog.get_by_label("Name", exact=True).input_value() == "Mine"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Delete B").click()
    page.wait_for_selector(".toast-error:has-text('Not done')")
    wait_for_rows(page, [["A", "B", "C"], list("DEFG"), ["H"]])


def test_a_node_that_is_away_takes_nothing_and_nothing_is_lost(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    dialog = open_timer(page, "A")
    dialog.get_by_label("Name", exact=True).fill("Patient")
    node.stop()
    page.wait_for_selector("#status:has-text('offline')", state="attached")
    save(dialog)
    wait_until(lambda: dialog.locator(".error").text_content(), "the page shows that there was no answer")
    assert dialog.get_by_label("Name", exact=True).input_value() == "Patient"
    node.start()
    wait_until(lambda: page.locator("#status").text_content() == "", "the node is back")
    save(dialog)
    closed(page)
    assert timer(node, "Patient")


def test_who_is_logged_out_keeps_what_was_typed(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    dialog = open_timer(page, "A")
    dialog.get_by_label("Name", exact=True).fill("Kept")
    page.evaluate("fetch('api/session', {method: 'DELETE'})")
    page.wait_for_selector("text=You are logged out", state="attached")
    save(dialog)
    page.wait_for_selector("dialog .error a")
    headers = {"origin": web.url.rstrip("/")}
    assert page.context.request.post(web.url + "api/session", data={"pin": web.pin("operator")}, headers=headers).ok
    save(dialog)
    closed(page)
    assert json.dumps(names(model(node))) == json.dumps([["Kept", "B", "C"], list("DEFG"), ["H"]])
