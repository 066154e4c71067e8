"""What people do with a display: keys, buttons, the QR code, a screen that stays on; and a remote operator."""
import io
import json

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from conftest import assert_accessible
from displays import open_display, take, wait_for_mode


@pytest.fixture
def display(node, web, browse):
    page = browse()
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    # The keys are loaded after the digits.
    expect(page.locator("#blackout")).to_be_attached()
    return page


def is_black(page, name):
    colours = take(page, name).getcolors()
    return colours is not None and [colour for _, colour in colours] == [(0, 0, 0)]


def test_blackout(display):
    assert not is_black(display, "lit")
    display.keyboard.press("b")
    assert is_black(display, "blackout")
    assert_accessible(display)
    display.keyboard.press("b")
    assert not is_black(display, "lit")


def test_full_screen(display):
    display.keyboard.press("f")
    expect(display.locator("[data-name=full]")).to_have_attribute("aria-pressed", "true")
    assert display.evaluate("document.fullscreenElement === document.documentElement")
    display.keyboard.press("f")
    expect(display.locator("[data-name=full]")).to_have_attribute("aria-pressed", "false")


def test_buttons_come_with_the_pointer(display):
    expect(display.locator("#controls")).to_be_hidden()
    display.mouse.move(500, 500)
    expect(display.locator("#controls")).to_be_visible()
    # They take their space from the stage, so they never cover the digits.
    stage, controls = (display.locator(name).bounding_box() for name in ("#stage", "#controls"))
    assert stage["y"] + stage["height"] <= controls["y"] + 1
    take(display, "controls")
    assert_accessible(display)
    for black in (True, False):
        display.mouse.move(510, 500)  # The buttons disappear after a few seconds, which may have passed by now.
        display.get_by_role("button", name="Blackout (B)").click()
        expect(display.locator("#blackout")).to_be_visible(visible=black)
    display.mouse.move(500, 200)
    display.evaluate("document.activeElement.blur()")
    expect(display.locator("#controls")).to_be_hidden(timeout=15_000)


def test_no_buttons_for_a_stream(node, web, browse):
    page = browse()
    open_display(page, web, node, controls="off")
    wait_for_mode(page, "Stopped")
    page.mouse.move(500, 500)
    assert page.locator("#controls").count() == 0


def test_no_buttons_where_the_servers_view_has_none(bench, node, browse):
    web = bench.start_web(views={"stream": "controls=off"})
    page = browse(server=web)
    held = []
    page.route("**/api/events?*", lambda route: held.append(route))
    page.goto(web.url + f"n/{node.id}?view=stream")
    # The view's parameters arrive later than the buttons.
    expect(page.locator("#controls")).to_have_count(1)
    held[0].continue_()
    wait_for_mode(page, "Stopped")
    expect(page.locator("#controls")).to_have_count(0)


def test_the_code_leads_to_the_remote(display, node, web):
    display.keyboard.press("q")
    image = display.locator("#code img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("e => e.naturalWidth") > 0
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(display.screenshot())))
    assert [code.text for code in found] == [f"{web.url}n/{node.id}/remote"]
    assert_accessible(display)
    display.keyboard.press("Escape")
    expect(display.locator("#code")).to_have_count(0)


@pytest.mark.parametrize("secure", [True, False], ids=["https", "http"])
def test_the_screen_stays_lit_or_the_page_says_why(node, web, browse, secure):
    page = browse()
    page.add_init_script("""(secure => {
        window.locks = 0;
        const lock = secure ? { request: async () => { window.locks += 1; return new EventTarget(); } } : undefined;
        Object.defineProperty(Navigator.prototype, 'wakeLock', { get: () => lock });
        Object.defineProperty(window, 'isSecureContext', { get: () => secure });
    })(%s)""" % json.dumps(secure))
    open_display(page, web, node)
    wait_for_mode(page, "Stopped")
    expect(page.locator("#blackout")).to_be_attached()
    page.mouse.move(500, 500)
    if secure:
        expect(page.locator("#awake")).to_be_empty()
        expect(page.locator("#how-awake")).to_be_hidden()
        assert page.evaluate("window.locks") == 1
    else:
        expect(page.locator("#awake")).to_contain_text("only over HTTPS")
        page.get_by_role("link", name="How to set that up").click()
        page.wait_for_url("**/settings#screen-title")
        expect(page.locator("#recipe")).to_be_in_viewport()


def test_an_operator_from_afar(display, web, browse):
    operator = browse(role="operator")
    operator.goto(web.url)

    def post(path, body):
        assert operator.evaluate("""async ([path, body]) => (await fetch(path, {
            method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)})).ok""",
            [path, body])

    post("api/displays/all/identify", {})
    expect(display.locator("#identity")).to_contain_text("lectern")
    take(display, "identify")
    expect(display.locator("#identity")).to_have_count(0, timeout=15_000)
    post("api/displays/all/blackout", {"on": True})
    expect(display.locator("#blackout")).to_be_visible()
    post("api/displays/all/blackout", {"on": False})
    expect(display.locator("#blackout")).to_be_hidden()
