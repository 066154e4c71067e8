"""The remote during an evening: the running order, the last runs and a picture of the stage beside the clock."""
import re

import pytest
from playwright.sync_api import expect

from conftest import SIZES, assert_fits
from displays import resize, take
from remote import MODES, Remote

EVENING = {"entries": [
    {"id": f"e{number}", "title": f"Motion {number}", "speaker": f"Speaker {number}", "start": 180}
    for number in range(1, 13)]}
WIDE = [size for size, (width, _) in SIZES.items() if width >= 900]


@pytest.fixture
def remote(bench, node, web, browse):
    assert node.command("programme", EVENING)["status"] == "ok"
    assert node.command("entry", "4")["status"] == "ok"
    return Remote(bench, node, web, browse(size="laptop", role="remote"), more=False)


def box(page, selector):
    return page.locator(selector).bounding_box()


def test_the_evening_is_beside_the_clock(remote):
    remote.start()
    remote.wait_for_elapsed(2)
    remote.node.command("stop")
    remote.expect_mode("stopped")
    for size in WIDE:
        resize(remote.page, size)
        take(remote.page, f"remote-evening-{size}")
        assert_fits(remote.page)
        clock = box(remote, "#clock")
        for name in ("#play", "#speaker"):
            assert box(remote, name)["x"] < clock["x"] + clock["width"], (size, name)
        # The running order needs the space more than what is pressed seldom.
        expect(remote.locator("#rest")).to_be_visible(visible=SIZES[size][1] > 950)
        for name in ("#order", "#recent", "#stage"):
            assert box(remote, name)["x"] > clock["x"] + clock["width"], (size, name)
            expect(remote.locator(name)).to_be_in_viewport(ratio=0.98)
        expect(remote.locator("#order [aria-current]")).to_be_in_viewport()
    resize(remote.page, "phone")
    for name in ("#order", "#stage"):
        expect(remote.locator(name)).to_be_hidden()


def test_an_entry_is_put_up_with_a_press_and_a_run_is_ended_only_when_that_is_confirmed(remote):
    expect(remote.locator("#order [aria-current]")).to_have_text(re.compile("^4. Motion 4 · Speaker 4now$"))
    remote.click("[data-entry=e6]")
    expect(remote.locator("#order [aria-current]")).to_contain_text("Motion 6")
    remote.start()
    remote.click("[data-entry=e7]")
    remote.locator("dialog").get_by_role("button", name="Cancel").click()
    remote.expect_mode(MODES)
    remote.click("[data-entry=e7]")
    remote.locator("dialog").get_by_role("button", name="Yes").click()
    expect(remote.locator("#order [aria-current]")).to_contain_text("Motion 7")
    remote.wait_for(("entry", {"entry": "e7"}))


def test_the_picture_is_what_the_stage_shows_and_no_display_of_its_own(remote, web, browse):
    stage = remote.page.frame_locator("#stage iframe")
    expect(stage.locator("#name")).to_have_text("Motion 4")
    expect(stage.locator("#mode")).to_have_text("Stopped")
    remote.start()
    expect(stage.locator("#mode")).to_have_text("Running")
    page = browse(role="operator")
    page.goto(web.url + "displays")
    expect(page.locator("#count")).to_have_text("No display is open.")
    remote.click("#stage")
    remote.wait_for_url(web.url + f"n/{remote.node.id}")


def test_a_phone_loads_no_picture_of_the_stage(remote, web, browse, bench, node):
    page = browse(size="phone", role="remote")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    phone = Remote(bench, node, web, page)
    phone.start()
    assert not [url for url in asked if "preview" in url]


def test_the_last_run_says_by_how_much_it_was_over(remote):
    assert remote.node.command("select", "2/1")["status"] == "ok"
    remote.start({"speaker": "Ada Lovelace"})
    assert remote.node.command("end")["status"] == "ok"
    remote.expect_mode("alarm")
    remote.wait_for_elapsed(2)
    assert remote.node.command("stop")["status"] == "ok"
    expect(remote.locator("#result")).to_have_text(re.compile(r"^Ada Lovelace 0:0\d, 0:0\d over$"))
    expect(remote.locator("#undo")).to_have_text("Undo stop")
