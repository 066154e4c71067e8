"""The forms of the editor: what is in sight, and what one can do from them."""
import pytest
from playwright.sync_api import expect

from conftest import THEMES
from displays import SCREENS
from editor import FOUR, clock, closed, model, open_editor, open_timer, timer
from processes import wait_until


@pytest.fixture
def node(bench):
    return bench.start_node(timers=FOUR)


def test_save_is_always_in_sight(node, web, browse):
    page = open_editor(browse, web, node)

    def look(dialog):
        buttons = [dialog.get_by_role("button", name=name) for name in ("Save", "Cancel")]
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            for width, height in SCREENS.values():
                page.set_viewport_size({"width": width, "height": height})
                for field in (dialog.get_by_label("Name", exact=True), dialog.locator("input:visible, select").last):
                    field.scroll_into_view_if_needed()
                    expect(field).to_be_in_viewport(ratio=1)
                    for button in buttons:
                        expect(button).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

    look(open_timer(page, "A"))
    page.get_by_role("button", name="Settings for group Talks").click()
    look(page.locator("dialog[open]"))


def title(page, name):
    expect(page.locator("dialog[open] h2")).to_have_text(f"Timer: {name}")
    expect(page.locator("dialog")).to_have_count(1)


def swipe(page, element, by_x, by_y=0):
    """A finger on an element, with Chromium's own touch events."""
    session = page.context.new_cdp_session(page)
    box = element.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y, "id": 1}]})
    for step in range(1, 9):
        points = [{"x": x + by_x * step / 8, "y": y + by_y * step / 8, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_arrows_lead_from_timer_to_timer(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "A")
    expect(dialog.get_by_role("button", name="Previous timer")).to_be_disabled()
    dialog.get_by_role("button", name="Next timer").click()
    title(page, "B")
    expect(dialog.get_by_role("button", name="Next timer")).to_be_focused()
    clock(dialog, "start").focus()
    for key, name in [("ArrowRight", "C"), ("ArrowRight", "D"), ("ArrowLeft", "C"), ("ArrowLeft", "B"),
                      ("ArrowLeft", "A"), ("ArrowLeft", "A")]:
        page.keyboard.press(f"Alt+{key}")
        title(page, name)
        # The focus stays in its field, and the fold as it was; the first and the last timer do not leave the page.
        expect(clock(dialog, "start")).to_be_focused()
        expect(dialog.get_by_label("Location", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    closed(page)
    wait_until(lambda: page.evaluate("document.activeElement.innerText").find("6:40") > 0, "A has the focus")


def test_what_was_typed_is_saved_on_the_way(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    dialog = open_timer(page, "A")
    clock(dialog, "start").fill("8:00")
    page.keyboard.press("Alt+ArrowRight")
    title(page, "B")
    assert timer(node, "A")["start"] == 480
    # What is wrong or refused stays, with what was typed.
    clock(dialog, "start").fill("soon")
    page.keyboard.press("Alt+ArrowRight")
    expect(dialog).to_contain_text("A time such as 5:00")
    title(page, "B")
    clock(dialog, "start").fill("7:00")
    # The page does not see someone else's change before it sends its own.
    theirs = {"timer": timer(node, "B")["id"], "location": "Theirs"}
    page.route("**/commands/edit", lambda route: (node.command("edit", theirs), route.continue_()), times=1)
    page.keyboard.press("Alt+ArrowLeft")
    expect(dialog.locator(".conflict")).to_contain_text("B: Location was none, now “Theirs”")
    title(page, "B")
    page.get_by_role("button", name="Apply mine").click()
    title(page, "A")
    assert (timer(node, "B")["start"], timer(node, "B")["location"]) == (420, "Theirs")


def test_a_text_that_cannot_be_read_is_not_discarded_unasked(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "A")
    clock(dialog, "start").fill("soon")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keep editing").click()
    expect(clock(dialog, "start")).to_have_value("soon")


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_a_swipe_leads_from_timer_to_timer(node, web, browse, size):
    page = open_editor(browse, web, node, size=size)
    dialog = open_timer(page, "A")
    content, heading = dialog.locator(".fields > p.muted"), dialog.locator("h2")
    swipe(page, heading, -120)
    title(page, "B")
    clock(dialog, "start").fill("8:00")
    swipe(page, content, -120, 20)
    title(page, "C")
    assert timer(node, "B")["start"] == 480
    swipe(page, content, 120)
    title(page, "B")
    # These are no swipes: too short, too steep, and in a field, where a finger selects text.
    swipe(page, heading, -50)
    swipe(page, heading, -100, 60)
    swipe(page, clock(dialog, "start"), -120)
    swipe(page, heading, 120)
    title(page, "A")


def test_a_finger_scrolls_the_form(node, web, browse):
    page = open_editor(browse, web, node, size=(360, 480), has_touch=True)
    dialog = open_timer(page, "B")
    swipe(page, dialog.locator(".fields > p.muted"), -40, -150)
    wait_until(lambda: dialog.evaluate("dialog => dialog.scrollTop") > 0, "the form scrolls")
    title(page, "B")


@pytest.mark.parametrize("platform, expected", [("MacIntel", "A"), ("Linux x86_64", "B")])
def test_a_mac_moves_the_caret_with_the_same_keys(node, web, browse, platform, expected):
    page = browse(role="operator")
    page.add_init_script(f"Object.defineProperty(navigator, 'platform', {{get: () => '{platform}'}})")
    page.goto(web.url + f"n/{node.id}/edit?timer={timer(node, 'A')['id']}")
    title(page, "A")
    page.keyboard.press("Alt+ArrowRight")
    title(page, expected)
    page.locator("dialog[open] button[name=next]").focus()
    page.keyboard.press("Alt+ArrowRight")
    title(page, chr(ord(expected) + 1))


def test_a_timer_is_started_from_its_form(node, web, browse):
    page = open_editor(browse, web, node, refused=True)

    def state():
        shown = node.json("state")
        return shown["mode"], shown["timer"]["name"], shown["start"]

    dialog = open_timer(page, "B")
    clock(dialog, "start").fill("8:00")
    dialog.get_by_label("Name", exact=True).fill("Keynote")
    dialog.get_by_role("button", name="Start", exact=True).click()
    closed(page)
    running = ("countdown", "Keynote", 480)
    wait_until(lambda: state() == running, "it runs, with what was typed", otherwise=state)
    expect(page.locator(".toast")).to_have_text("Keynote has started")
    page.wait_for_selector(".is-selected .badge:text('in use')")
    dialog = open_timer(page, "C")
    start = dialog.get_by_role("button", name="Start", exact=True)
    # Nobody is asked to end a talk for a timer that cannot be started.
    clock(dialog, "start").fill("soon")
    start.click()
    expect(clock(dialog, "start")).to_be_focused()
    expect(page.locator("dialog")).to_have_count(1)
    clock(dialog, "start").fill("9:00")
    start.click()
    question = page.get_by_role("dialog", name="A talk is in progress. End it and start C?")
    question.get_by_role("button", name="Cancel").click()
    # Nothing was started or saved, and what was typed is still there.
    expect(clock(dialog, "start")).to_have_value("9:00")
    assert (state(), timer(node, "C")["start"]) == (running, 200)
    start.click()
    question.get_by_role("button", name="Start").click()
    closed(page)
    wait_until(lambda: state() == ("countdown", "C", 540), "C runs", otherwise=state)
    assert node.command("stop")["status"] == "ok"
    page.wait_for_selector(".is-selected .badge:text('selected')")
    node.stop()
    page.wait_for_selector("#status:has-text('offline')")
    open_timer(page, "C").get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".toast-error:has-text('The stoplight is offline')")
