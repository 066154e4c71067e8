"""The editor and time accounts: `carry` of a timer and `budget` of a group can be set, and no edit loses them."""
import pytest
from playwright.sync_api import expect

from editor import card, clock, closed, model, open_editor, open_timer, save, timer, wait_for_names
from processes import wait_until

BUDGET = "Budget of all runs (m:ss)"
ACCOUNT = "Keep what is left when it is stopped (an account)"


@pytest.fixture
def node(bench):
    return bench.start_node(timers={"groups": [
        {"name": "Debate", "at_zero": "alarm", "budget": "15:00", "timers": [
            {"name": name, "start": 600, "warning": 60, "final": 30, "carry": True} for name in ("Pro", "Contra")]},
        {"name": "Break", "timers": [{"name": "Break", "start": 60}]}]})


def open_group(page, name):
    page.get_by_role("button", name=f"Settings for group {name}").click()
    return page.locator("dialog[open]")


def accounts(node):
    return [(group.get("budget"), [(one["name"], one.get("carry")) for one in group["timers"]])
            for group in model(node)["groups"]]


DEBATE = (900, [("Pro", True), ("Contra", True)])


def test_an_account_and_a_budget_are_set_and_removed(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "Break")
    dialog.get_by_label(ACCOUNT).check()
    clock(dialog, "start").fill("2:00")
    save(dialog)
    closed(page)
    assert (timer(node, "Break")["carry"], timer(node, "Break")["start"]) == (True, 120)
    expect(card(page, "Break").locator(".details")).to_have_text("Time account")
    dialog = open_group(page, "Break")
    clock(dialog, BUDGET).fill("168:00:01")  # A week is the longest.
    expect(dialog).to_contain_text("A time such as 5:00")
    clock(dialog, BUDGET).fill("168:00:00")
    save(dialog)
    closed(page)
    assert accounts(node) == [DEBATE, (604_800, [("Break", True)])]
    expect(page.locator(".row").nth(1).locator(".settings")).to_contain_text("Budget 168:00:00")

    dialog = open_timer(page, "Break")
    dialog.get_by_label(ACCOUNT).uncheck()
    save(dialog)
    closed(page)
    dialog = open_group(page, "Break")
    expect(clock(dialog, BUDGET)).to_have_value("168:00:00")
    clock(dialog, BUDGET).fill("")
    save(dialog)
    closed(page)
    assert accounts(node) == [DEBATE, (None, [("Break", None)])]


def test_no_edit_loses_an_account(node, web, browse):
    """What has been used of an account stays used, too."""
    page = open_editor(browse, web, node)
    assert node.command("start", {"timer": "1/1", "ago": 60})["status"] == "ok"
    assert node.command("stop")["status"] == "ok"
    wait_until(lambda: "left" in timer(node, "Pro"), "the account is used")
    dialog = open_timer(page, "Pro")
    dialog.get_by_label("Name", exact=True).fill("For")  # The verb `edit`
    save(dialog)
    closed(page)
    dialog = open_timer(page, "Contra")
    dialog.get_by_label("Name", exact=True).fill("")  # The verb `timers`
    save(dialog)
    closed(page)
    dialog = open_group(page, "Debate")
    dialog.get_by_label("Name", exact=True).fill("Council")
    save(dialog)
    closed(page)
    assert accounts(node)[0] == (900, [("For", True), ("", True)])
    card(page, "For").locator(".grip").focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    wait_for_names(node, [["", "For"], ["Break"]])
    page.get_by_role("button", name="Delete Break").click()
    wait_for_names(node, [["", "For"]])
    page.locator("#undo").click()
    wait_for_names(node, [["", "For"], ["Break"]])
    assert accounts(node) == [(900, [("", True), ("For", True)]), (None, [("Break", None)])]
    assert timer(node, "For")["left"] <= 540


def test_a_conflict_names_accounts_and_budgets(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    dialog = open_timer(page, "Break")
    dialog.get_by_label(ACCOUNT).check()
    changed = model(node)
    changed["groups"][0]["budget"] = 1200
    del changed["groups"][0]["timers"][0]["carry"]
    assert node.command("timers", changed)["status"] == "ok"
    save(dialog)
    conflict = page.locator(".conflict")
    expect(conflict).to_contain_text("Pro: Time account was yes, now no")
    expect(conflict).to_contain_text(f"Group Debate: {BUDGET} was 15:00, now 20:00")
    page.get_by_role("button", name="Use theirs").click()
    expect(dialog.get_by_label(ACCOUNT)).not_to_be_checked()
    page.get_by_role("button", name="Restore mine").click()
    expect(dialog.get_by_label(ACCOUNT)).to_be_checked()
    save(dialog)
    closed(page)
    assert accounts(node) == [(1200, [("Pro", None), ("Contra", True)]), (None, [("Break", True)])]
