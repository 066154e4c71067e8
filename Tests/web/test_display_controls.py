"""What people do with a display: keys, buttons, the QR code, a screen that stays lit, sound; an operator from afar."""
import io
import json

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from conftest import assert_accessible
from displays import open_display, take, wait_for_mode

# What a display asks of the browser for its sound: a square wave begins with each alarm that is played.
SOUNDS = """(() => {
    window.sounds = [];
    window.vibrations = [];
    const Real = window.OscillatorNode;
    window.OscillatorNode = class extends Real {
        start(...at) { window.sounds.push('start'); super.start(...at); }
        stop(...at) { if (at.length === 0) window.sounds.push('stop'); super.stop(...at); }
    };
    navigator.vibrate = (pattern) => { window.vibrations.push(pattern); return true; };
    localStorage.setItem('timer-web', JSON.stringify({ sound: true, vibration: true }));
})()"""


@pytest.fixture
def display(node, web, browse):
    page = browse()
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    # The keys come after the digits.
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
    assert display.locator("#controls").evaluate("e => getComputedStyle(e).opacity") == "0"
    display.mouse.move(500, 500)
    expect(display.locator("#controls")).to_have_css("opacity", "1")
    take(display, "controls")
    assert_accessible(display)
    for black in (True, False):
        display.mouse.move(510, 500)  # They go again after some seconds, which a busy machine may have taken until here.
        display.get_by_role("button", name="Blackout (B)").click()
        expect(display.locator("#blackout")).to_be_visible(visible=black)
    display.mouse.move(500, 200)
    display.evaluate("document.activeElement.blur()")
    expect(display.locator("#controls")).to_have_css("opacity", "0", timeout=15_000)


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
    # What the view says comes later than the buttons.
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
    page.mouse.move(500, 500)
    if secure:
        expect(page.locator("#awake")).to_be_empty()
        assert page.evaluate("window.locks") == 1
    else:
        expect(page.locator("#awake")).to_contain_text("over HTTPS only")
        expect(page.locator("#awake")).to_contain_text("/usr/share/doc/timer-web/web.md")


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


def test_an_alarm_sounds_where_it_is_armed(node, web, browse):
    page = browse()
    page.add_init_script(SOUNDS)
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    # A browser plays nothing before a tap.
    expect(page.locator("#tap")).to_have_text("Tap for sound")
    page.mouse.click(500, 500)
    expect(page.locator("#tap")).to_be_hidden()
    node.command("start")
    node.command("set", "0:02")
    wait_for_mode(page, "Final")
    assert page.evaluate("window.sounds") == []
    assert node.command("end")["status"] == "ok"
    wait_for_mode(page, "Overtime")
    assert page.evaluate("window.sounds") == ["start"]
    assert page.evaluate("window.vibrations.length") == 1
    assert node.command("stop")["status"] == "ok"
    wait_for_mode(page, "Stopped")
    assert page.evaluate("window.sounds") == ["start", "stop"]


def test_a_vibration_ends_with_its_alarm(node, web, browse):
    """Where sound is off, too."""
    page = browse()
    page.add_init_script(SOUNDS.replace("sound: true", "sound: false"))
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    expect(page.locator("#blackout")).to_be_attached()
    page.mouse.click(500, 500)
    node.command("start")
    assert node.command("end")["status"] == "ok"
    wait_for_mode(page, "Overtime")
    assert page.evaluate("[window.sounds, window.vibrations.length, window.vibrations[0].length > 1]") == [[], 1, True]
    assert node.command("stop")["status"] == "ok"
    wait_for_mode(page, "Stopped")
    assert page.evaluate("window.vibrations.slice(1)") == [0]


def test_a_vibration_ends_where_the_buzzer_is_silenced(node, web, browse):
    page = browse()
    page.add_init_script(SOUNDS.replace("sound: true", "sound: false"))
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    expect(page.locator("#blackout")).to_be_attached()
    node.command("start")
    assert node.command("end")["status"] == "ok"
    page.wait_for_function("() => window.vibrations.length === 1")
    assert node.command("silence")["status"] == "ok"
    page.wait_for_function("() => window.vibrations.length === 2")
    assert page.evaluate("window.vibrations[1]") == 0


@pytest.mark.parametrize("group, beeps", [({}, 1), ({"transition": "none"}, 0)], ids=["beep", "none"])
def test_the_next_timer_of_a_group_beeps_unless_it_is_not_to(bench, web, browse, group, beeps):
    node = bench.start_node(timers={"groups": [group | {"name": "Short", "display": "numerical", "timers": [
        {"name": "One", "start": 2}, {"name": "Two", "start": 60}]}]})
    page = browse()
    page.add_init_script(SOUNDS)
    # Whatever else a display draws does not cut the beep short.
    page.add_init_script("""(() => {
        const { start } = OscillatorNode.prototype;
        OscillatorNode.prototype.start = function (...at) {
            start.apply(this, at);
            queueMicrotask(() => document.dispatchEvent(new Event('visibilitychange')));
        };
    })()""")
    open_display(page, web, node)
    wait_for_mode(page, "Stopped")
    page.mouse.click(500, 500)
    expect(page.locator("#tap")).to_be_hidden()
    assert node.command("start")["status"] == "ok"
    node.wait_for_message("event", lambda payload: json.loads(payload)["event_type"] == "transition")
    assert node.command("message", "Later than the beep")["status"] == "ok"
    expect(page.locator("#text")).to_have_text("Later than the beep")
    assert page.evaluate("window.sounds") == ["start"] * beeps


def test_a_late_alarm_is_not_played(node, web, browse):
    page = browse()
    page.add_init_script(SOUNDS)
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    page.mouse.click(500, 500)
    page.evaluate("""() => {
        Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true });
        window.leave = (away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); };
        localStorage.setItem('timer-web', '{}');
        window.dispatchEvent(new StorageEvent('storage', { key: 'timer-web' }));
        window.leave(true);
        localStorage.setItem('timer-web', '{"sound": true}');
        window.dispatchEvent(new StorageEvent('storage', { key: 'timer-web' }));
    }""")
    node.command("start")
    assert node.command("end")["status"] == "ok"
    page.wait_for_timeout(3000)
    page.evaluate("window.leave(false)")
    wait_for_mode(page, "Overtime")
    assert page.evaluate("window.sounds") == []


def test_nothing_sounds_unless_it_is_armed(node, web, browse):
    page = browse()
    page.add_init_script(SOUNDS.replace("sound: true, vibration: true", "sound: false"))
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    page.mouse.click(500, 500)
    node.command("start")
    node.command("end")
    wait_for_mode(page, "Overtime")
    assert page.evaluate("[window.sounds, window.vibrations]") == [[], []]
