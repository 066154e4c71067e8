"""The rooms: all nodes, their timers, and what a remote and an operator may do there."""
import io
import json
import pathlib
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from conftest import SIZES, assert_accessible, assert_fits
from displays import take
from editor import FIELDS, Unexpected, timer

BACK = 60_000


def room(page, identifier="lectern"):
    return page.locator(f".room[data-node={identifier}]")


def rows(page):
    """The list of timers, as text."""
    return [" ".join(row.split()) for row in room(page).locator(".timers a").all_inner_texts()]


def test_a_room_has_the_name_of_its_node(bench, web, browse):
    bench.start_node("hall-2", name="Großer Saal")
    page = browse()
    page.goto(web.url)
    expect(room(page, "hall-2").locator("h2")).to_have_text("Großer Saal")


def test_a_room_gets_the_new_name_of_its_node(node, web, browse):
    page = browse(role="operator")
    page.goto(web.url)
    expect(room(page).locator("h2")).to_have_text("Lectern")
    node.stop()
    node.configuration["node"]["name"] = "Aula"
    node.start()
    expect(room(page).locator("h2")).to_have_text("Aula")
    expect(room(page).get_by_role("link", name="Open display of Aula").first).to_be_visible()
    expect(room(page).get_by_role("link", name="Add timer to Aula")).to_be_visible()


def test_a_phone_gets_a_picture_for_its_home_screen(web, browse):
    """Phones do not accept SVG: Android needs a PNG of 192 and of 512 pixels, and iOS the one that each page names."""
    page = browse()

    def size(address):
        answer = page.request.get(web.url + address)
        assert answer.ok and answer.headers["content-type"] == "image/png", address
        return "x".join(map(str, Image.open(io.BytesIO(answer.body())).size))

    icons = page.request.get(web.url + "manifest.webmanifest").json()["icons"]
    pictures = [icon for icon in icons if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon["purpose"]) for icon in pictures} >= {
        ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in pictures:
        assert size(icon["src"]) == icon["sizes"]
    assert size("assets/icon-180.png") == "180x180"
    for file in (pathlib.Path(__file__).parents[2] / "www").glob("*.html"):
        text = file.read_text()
        if file.name == "plain.html":
            continue  # It loads one file only, and is for screens on a wall.
        assert 'rel="apple-touch-icon" href="assets/icon-180.png?v="' in text and 'rel="manifest"' in text, file.name


def test_a_follower_counts_what_it_follows(bench, node, web, browse):
    """It has no timers of its own to list."""
    side = bench.start_node("side", "Side", follow={"node": node.id})
    page = browse()
    page.goto(web.url)
    assert node.command("start")["status"] == "ok"
    expect(room(page, side.id).locator(".time")).to_have_text(re.compile(r"^19:5\d$"))
    assert node.command("end")["status"] == "ok"
    expect(room(page, side.id).locator(".mode")).to_have_text("Overtime")
    expect(room(page, side.id).locator(".time")).to_have_text(re.compile(r"^\+0:\d\d$"))


def test_a_room(node, web, browse):
    page = browse()
    page.goto(web.url)
    assert node.command("start", {"speaker": "Ada Lovelace"})["status"] == "ok"
    now = room(page).locator(".now")
    expect(now.locator(".time")).to_have_text(re.compile(r"^19:5\d$"))
    expect(now.locator("h2")).to_have_text("Lectern")
    for text in ("Talk", "Spring conference · Hall A", "Ada Lovelace", "Online"):
        expect(now).to_contain_text(text)
    expect(now.locator("[data-lamp=green][data-lit]")).to_be_visible()
    # The list: event, location, time left; the selected one counts with the digits above.
    expect(room(page).locator("[aria-current=true] .left")).to_have_text(re.compile(r"^19:[45]\d$"))
    assert rows(page)[1:] == ["Questions 5:00", "Break 10:00"]
    assert rows(page)[0].startswith("Talk Spring conference · Hall A 19:")
    expect(room(page).locator("h3")).to_have_text(["Talk 1", "Break"])
    node.command("end")
    expect(now.locator(".mode")).to_have_text("Overtime")
    expect(now.locator(".time")).to_have_text(re.compile(r"^\+0:\d\d$"))
    expect(room(page).locator("[aria-current=true] .left")).to_have_text("0:00")
    now.click()
    expect(page).to_have_url(re.compile(rf"/n/{node.id}$"))
    expect(page.locator("#stage")).to_have_attribute("data-mode", "alarm")


def test_a_viewer_sees_the_countdown_of_the_timer_that_he_taps(node, web, browse):
    page = browse()
    page.goto(web.url)
    assert node.command("start")["status"] == "ok"
    room(page).locator(".timers li", has_text="Questions").click()
    expect(page.locator("#name")).to_have_text("Questions")
    expect(page.locator("#time")).to_have_text("5:00")
    expect(page.locator("#stage")).to_have_attribute("data-mode", "stopped")
    # It counts while it is selected, and stops when it no longer is.
    assert node.command("start", "1/2")["status"] == "ok"
    expect(page.locator("#time")).to_have_text(re.compile(r"^4:5\d$"))
    expect(page.locator("#stage")).to_have_attribute("data-mode", "countdown")
    assert node.command("start", "2/1")["status"] == "ok"
    expect(page.locator("#stage")).to_have_attribute("data-mode", "stopped")
    expect(page.locator("#time")).to_have_text("5:00")
    page.goto(web.url + f"n/{node.id}?timer=2/1")
    expect(page.locator("#name")).to_have_text("Break")
    expect(page.locator("#time")).to_have_text(re.compile(r"^9:[45]\d$"))
    page.goto(web.url + f"n/{node.id}?timer=3/1")
    expect(page.locator("#notice-title")).to_have_text("There is no such timer")


def test_a_tap_anywhere_on_its_row_selects_a_timer(node, web, browse):
    page = browse(role="remote")
    page.goto(web.url)
    room(page).locator(".timers .name", has_text="Questions").click(force=True)
    expect(room(page).locator("[aria-current=true]")).to_contain_text("Questions")
    assert node.json("state")["timer"]["path"] == "1/2"
    room(page).locator("[aria-current=true] .name").click()
    expect(page.locator("#name")).to_have_text("Questions")


def test_an_operators_row_leads_to_the_display_of_its_timer(node, web, browse):
    page = browse(role="operator")
    page.goto(web.url)
    row = room(page).locator(".timers li", has_text="Questions")
    expect(row.get_by_role("button")).to_have_text("Select")
    row.locator(".name").click()
    expect(page.locator("#name")).to_have_text("Questions")
    assert node.json("state")["timer"]["path"] == "1/1"


def test_a_row_with_one_line_has_it_beside_its_time(node, web, browse):
    page = browse()
    page.goto(web.url)
    row = room(page).locator(".timers li", has_text="Break")
    name, time = [row.locator(part).bounding_box() for part in (".name", ".left")]
    assert abs(name["y"] + name["height"] / 2 - time["y"] - time["height"] / 2) < 1


def test_viewers_change_nothing(node, web, browse):
    page = browse()
    page.goto(web.url)
    expect(room(page).locator(".timers li")).to_have_count(3)
    assert room(page).get_by_role("button").count() == 0
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def test_selecting(node, web, browse):
    page = browse(role="remote")
    page.goto(web.url)
    page.get_by_role("button", name="Select Questions").click()
    expect(room(page).locator("[aria-current=true]")).to_contain_text("Questions")
    assert node.json("state")["timer"]["path"] == "1/2"
    # A run ends only if the user confirms it.
    node.command("start")
    expect(room(page).locator(".mode")).to_have_text("Running")
    page.get_by_role("button", name="Select Break").click()
    page.get_by_role("button", name="Cancel").click()
    assert node.json("state")["mode"] == "countdown"
    page.get_by_role("button", name="Select Break").click()
    page.locator("dialog").get_by_role("button", name="Select").click()
    expect(room(page).locator("[aria-current=true]")).to_contain_text("Break")
    assert (node.json("state")["timer"]["path"], node.json("state")["mode"]) == ("2/1", "stopped")


def test_it_says_so_where_the_server_is_away(node, web, browse):
    """The code for changes is loaded when it is needed, and requested again the next time if that failed."""
    page = browse(role="operator")
    page.goto(web.url)
    page.route("**/rooms/changes.js*", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Select Questions").click()
    expect(page.locator(".toast-error").last).to_contain_text("The server cannot be reached; nothing was done")
    page.reload()
    page.route("**/api/session", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Log out").click()
    expect(page.locator(".toast-error")).to_contain_text("The server cannot be reached")
    page.get_by_role("button", name="Select Questions").click()
    expect(room(page).locator("[aria-current=true]")).to_contain_text("Questions")
    page.errors[:] = [error for error in page.errors if "net::ERR" not in error]


def leave_paused(page, node, web):
    """Opens the rooms, and selects another timer while the talk is paused with 7:30 left."""
    page.goto(web.url)
    node.command("start")
    node.command("set", "7:30")
    node.command("pause")
    expect(room(page).locator(".mode")).to_have_text("Paused")
    page.get_by_role("button", name="Select Break").click()


def test_a_timer_that_is_left_paused_keeps_what_is_left(node, web, browse):
    page = browse(role="remote")
    leave_paused(page, node, web)
    expect(room(page).locator("[aria-current=true]")).to_contain_text("Break")
    expect(room(page).locator(".timers li").first).to_contain_text("paused with 7:30 left")
    page.reload()
    page.get_by_role("button", name="Select Talk").click()
    expect(room(page).locator(".mode")).to_have_text("Paused")
    expect(room(page).locator(".time")).to_have_text("7:30")
    expect(room(page).locator(".timers li").first).not_to_contain_text("paused with")
    assert (node.json("state")["mode"], node.json("state")["remaining"]) == ("paused", 450)


def test_what_was_left_stays_where_it_could_not_be_set(node, web, browse):
    page = browse(role="remote")
    page.errors = Unexpected()
    leave_paused(page, node, web)
    expect(room(page).locator(".timers li").first).to_contain_text("paused with 7:30 left")
    refused = {"error": {"code": "no_broker", "message": "no connection to the broker"}}
    page.route("**/commands/set", lambda route: route.fulfill(status=503, json=refused), times=1)
    page.get_by_role("button", name="Select Talk").click()
    expect(page.locator(".toast-error")).to_contain_text("no connection to the broker")
    page.get_by_role("button", name="Select Break").click()
    expect(room(page).locator(".timers li").first).to_contain_text("paused with 7:30 left")
    page.get_by_role("button", name="Select Talk").click()
    expect(room(page).locator(".time")).to_have_text("7:30")


def test_adding_a_timer_leads_to_the_editor(node, web, browse):
    """With a timer like the last one of the selected group."""
    page = browse(role="operator")
    page.goto(web.url)
    assert node.command("select", "2/1")["status"] == "ok"
    expect(room(page).locator("[aria-current=true]")).to_contain_text("Break")
    link = room(page).get_by_role("link", name="Add timer to Lectern")
    expect(link).to_have_text("Add timer")
    link.click()
    dialog = page.locator("dialog[open]")
    expect(dialog.get_by_role("heading")).to_have_text("Add timer")
    # Nothing of it is folded.
    for field, text in (("Name", "Dinner"), ("Event", "Spring conference"), ("Location", "Hall A"),
                        (FIELDS["start"], "15:00")):
        dialog.get_by_label(field, exact=True).fill(text)
    dialog.get_by_role("button", name="Save").click()
    page.wait_for_selector("dialog", state="detached")
    added = timer(node, "Dinner")
    assert (added["event"], added["location"], added["start"]) == ("Spring conference", "Hall A", 900)
    assert [[timer["name"] for timer in group["timers"]] for group in node.json("timers")["groups"]] == [
        ["Talk", "Questions"], ["Break", "Dinner"]]


def test_no_node(bench, web, browse):
    page = browse()
    page.goto(web.url)
    expect(page.locator("#empty")).to_contain_text("No timers on this broker yet")
    expect(page.locator("#empty")).to_contain_text(f"127.0.0.1:{bench.broker.port}")
    expect(page.locator("#empty")).to_contain_text("timer-node run")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        take(page, f"rooms-empty-{size}")
        assert_fits(page)
    assert_accessible(page)
    bench.start_node("stage")
    expect(room(page, "stage")).to_be_visible()
    expect(page.locator("#empty")).to_be_hidden()


def test_what_is_away_is_marked(bench, node, web, browse):
    page = browse()
    page.goto(web.url)
    node.command("start")
    expect(room(page).locator(".connection")).to_have_text("Online")
    node.kill()
    expect(room(page).locator(".connection")).to_have_text("Offline · ≈ estimate", timeout=BACK)
    assert_accessible(page)
    node.start()
    expect(room(page).locator(".connection")).to_have_text("Online", timeout=BACK)
    bench.broker.stop()
    expect(page.locator("#connection")).to_contain_text("is not responding", timeout=BACK)
    take(page, "rooms-broker-away")
    bench.broker.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=BACK)
    web.kill()
    expect(page.locator("#connection")).to_contain_text("Reconnecting", timeout=BACK)
    web.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=BACK)
    page.errors[:] = [error for error in page.errors if "net::ERR" not in error]


def test_logging_out(node, web, browse):
    page = browse(role="remote")
    page.goto(web.url)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    expect(room(page).get_by_role("button")).to_have_count(0)
    # The server ends the stream of a session that is over.
    page.errors[:] = [error for error in page.errors if "INCOMPLETE_CHUNKED" not in error]


@pytest.mark.parametrize("text, seconds", [
    ("5", 300), ("5:00", 300), ("0:30", 30), ("1:30:00", 5400), ("90:00", 5400), ("", None), ("5:7", None),
    ("5:60", None), ("-3", None), ("0", None), ("24:00:00", None), ("1:2:3:4", None), ("a", None)])
def test_times_that_people_write(web, browse, text, seconds):
    page = browse()
    page.goto(web.url)
    assert page.evaluate("""async text => (await import(new URL('assets/seconds.js', document.baseURI)))
        .secondsOf(text)""", text) == seconds
