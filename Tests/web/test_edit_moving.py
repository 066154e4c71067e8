"""Moving timers in the editor: with the mouse, a finger and the keyboard."""
import pytest
from playwright.sync_api import expect

from editor import FOUR, card, model, names, open_editor, timer, wait_for_names, wait_for_rows
from processes import wait_until

START = [["A", "B", "C"], list("DEFG"), ["H"]]


@pytest.fixture
def node(bench):
    return bench.start_node(timers=FOUR)


def middle(locator, part=0.5):
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] * part, box["y"] + box["height"] / 2


def drag_with_mouse(page, source, target, part=0.5, release=True):
    x, y = middle(source)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y + 10)
    page.mouse.move(*middle(target, part), steps=5)
    if release:
        page.mouse.up()


def drag_with_finger(page, source, target, part=0.5):
    """Chromium's own touch events, as a finger causes them."""
    session = page.context.new_cdp_session(page)

    def touch(kind, points):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": 1} for x, y in points]})

    (x, y), (to_x, to_y) = middle(source), middle(target, part)
    touch("touchStart", [(x, y)])
    for step in range(1, 9):
        touch("touchMove", [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)])
    touch("touchEnd", [])


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_the_mouse_moves_timers(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    drag_with_mouse(page, card(page, "A").locator(".timer"), card(page, "C"), 0.9)
    wait_for_names(node, [["B", "C", "A"], list("DEFG"), ["H"]])
    assert model(node)["model_revision"] == revision + 1
    assert page.locator("dialog").count() == 0, "the drag opened a form"
    drag_with_mouse(page, card(page, "D").locator(".grip"), card(page, "H"), 0.1)
    wait_for_names(node, [["B", "C", "A"], list("EFG"), ["D", "H"]])
    drag_with_mouse(page, card(page, "A"), page.locator(".row").nth(1).locator(".plus"))
    wait_for_names(node, [["B", "C"], ["E", "F", "G", "A"], ["D", "H"]])
    drag_with_mouse(page, card(page, "D"), page.locator(".row.new"))
    wait_for_names(node, [["B", "C"], ["E", "F", "G", "A"], ["H"], ["D"]])
    drag_with_mouse(page, card(page, "D"), card(page, "B"), 0.1)  # Its group disappears with the last timer.
    wait_for_names(node, [["D", "B", "C"], ["E", "F", "G", "A"], ["H"]])
    wait_for_rows(page, [["D", "B", "C"], ["E", "F", "G", "A"], ["H"]])


def test_a_drag_can_be_given_up_and_a_full_group_takes_none(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    drag_with_mouse(page, card(page, "A"), card(page, "H"), release=False)
    page.wait_for_selector(".ghost")
    page.keyboard.press("Escape")
    page.wait_for_selector(".ghost", state="detached")
    page.mouse.up()
    drag_with_mouse(page, card(page, "A"), card(page, "E"), release=False)
    page.wait_for_selector(".row.drop-refused")
    page.mouse.up()
    page.wait_for_selector(".ghost", state="detached")
    assert page.locator("dialog").count() == 0
    assert (model(node)["model_revision"], names(model(node))) == (revision, START)
    drag_with_mouse(page, card(page, "A").locator(".timer"), card(page, "A").locator(".timer"), 0.3)
    assert page.locator("dialog").count() == 0, "a drag that ends where it began does not count as a press"
    card(page, "A").locator(".timer").click()  # A press without a movement is not a drag.
    page.wait_for_selector("dialog[open]")


def test_what_was_given_up_stays_so_while_the_button_is_down(node, web, browse):
    page = open_editor(browse, web, node)
    drag_with_mouse(page, card(page, "A"), card(page, "H"), release=False)
    page.wait_for_selector(".ghost")
    page.keyboard.press("Escape")
    page.wait_for_selector(".ghost", state="detached")
    page.mouse.move(*middle(card(page, "C"), 0.9), steps=5)
    assert page.locator(".ghost").count() == 0
    page.mouse.move(*middle(card(page, "A").locator(".timer")), steps=5)
    page.mouse.up()
    assert page.locator("dialog").count() == 0, "its end does not count as a press on the timer below"
    drag_with_mouse(page, card(page, "A"), card(page, "H"), 0.9)  # The next press is a new one.
    wait_for_names(node, [["B", "C"], list("DEFG"), ["H", "A"]])


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_a_finger_moves_timers_by_their_grips(node, web, browse, size):
    page = open_editor(browse, web, node, size=size)
    drag_with_finger(page, card(page, "C").locator(".grip"), card(page, "A"), 0.1)
    wait_for_names(node, [["C", "A", "B"], list("DEFG"), ["H"]])


def test_a_finger_scrolls_elsewhere(node, web, browse):
    page = open_editor(browse, web, node, size="phone")
    before, source = names(model(node)), card(page, "C").locator(".timer")
    middle(source)
    position = page.evaluate("scrollY")
    drag_with_finger(page, source, page.locator(".row-head").first)
    wait_until(lambda: page.evaluate("scrollY") != position, "the page scrolls")
    assert names(model(node)) == before
    assert page.locator("dialog").count() == 0


def test_the_keyboard_moves_timers_and_says_so(node, web, browse):
    page = open_editor(browse, web, node)
    said = page.locator("#announcer")
    grip = card(page, "A").locator(".grip")
    grip.focus()
    page.keyboard.press("Enter")
    assert said.text_content() == "A picked up. Position 1 of 3 in Talks"
    page.keyboard.press("ArrowRight")
    assert said.text_content() == "Position 2 of 3 in Talks"
    page.keyboard.press("ArrowDown")  # The full group accepts none.
    assert said.text_content() == "Position 2 of 2 in Alone"
    page.keyboard.press("ArrowLeft")
    assert said.text_content() == "Position 1 of 2 in Alone"
    page.keyboard.press(" ")
    assert said.text_content() == "A dropped. Position 1 of 2 in Alone"
    wait_for_names(node, [["B", "C"], list("DEFG"), ["A", "H"]])
    wait_for_rows(page, [["B", "C"], list("DEFG"), ["A", "H"]])
    wait_until(lambda: focused(page) == "Move A", "the grip has the focus again")

    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    assert said.text_content() == "A new group at the end"
    page.keyboard.press("Enter")
    wait_for_names(node, [["B", "C"], list("DEFG"), ["H"], ["A"]])

    revision = model(node)["model_revision"]
    wait_until(lambda: focused(page) == "Move A", "the grip has the focus again")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    assert said.text_content() == "A is back where it was"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")  # Leaving the handle cancels the move.
    assert said.text_content() == "A is back where it was"
    assert model(node)["model_revision"] == revision


def test_a_move_can_be_undone(node, web, browse):
    page = open_editor(browse, web, node)
    before = model(node)["groups"]
    # H is alone, so its group goes with it and comes back with it.
    for name, keys in (("B", ["ArrowRight"]), ("H", ["ArrowUp", "ArrowUp"])):
        page.get_by_role("button", name=f"Move {name}").focus()
        for key in ("Enter", *keys, "Enter"):
            page.keyboard.press(key)
        wait_until(lambda: names(model(node)) != names({"groups": before}), f"{name} is moved")
        page.get_by_role("button", name=f"Undo: Move {name}").click()
        wait_until(lambda: model(node)["groups"] == before, f"{name} is back", otherwise=lambda: str(names(model(node))))


def test_groups_move_with_their_timers(node, web, browse):
    page = open_editor(browse, web, node)
    page.get_by_role("button", name="Settings for group Alone").click()
    assert page.get_by_role("button", name="Move down").is_disabled()
    page.get_by_role("button", name="Move up").click()
    wait_for_names(node, [["A", "B", "C"], ["H"], list("DEFG")])
    page.get_by_role("button", name="Undo: Move group Alone").click()
    wait_for_names(node, START)


def test_undoing_a_move_keeps_what_others_changed_since(node, web, browse):
    page = open_editor(browse, web, node)
    drag_with_mouse(page, card(page, "A"), card(page, "H"), 0.9)
    wait_for_names(node, [["B", "C"], list("DEFG"), ["H", "A"]])
    for name, new in (("A", "Keynote"), ("H", "Dinner")):
        assert node.command("edit", {"timer": timer(node, name)["id"], "name": new, "start": "9:00"})["status"] == "ok"
    wait_for_rows(page, [["B", "C"], list("DEFG"), ["Dinner", "Keynote"]])
    page.locator("#undo").click()
    wait_for_names(node, [["Keynote", "B", "C"], list("DEFG"), ["Dinner"]])
    assert [timer(node, name)["start"] for name in ("Keynote", "Dinner")] == [540, 540]


def test_only_the_latest_change_can_be_undone(node, web, browse):
    page = open_editor(browse, web, node)
    drag_with_mouse(page, card(page, "A"), card(page, "C"), 0.9)
    expect(page.locator(".toast")).to_have_text("Move AUndo")
    page.get_by_role("button", name="Delete D").click()
    expect(page.locator(".toast")).to_have_text("D deletedUndo")
    page.locator("#undo").click()
    wait_for_names(node, [["B", "C", "A"], list("DEFG"), ["H"]])
    expect(page.locator(".toast, #undo:visible")).to_have_count(0)
