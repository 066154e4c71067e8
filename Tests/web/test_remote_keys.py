"""The remote: the keys of `timer-node watch`, gestures, vibration, and the layout for the left hand."""
import re

import pytest
from playwright.sync_api import expect

from processes import wait_until
from remote import MODES, Remote

KEYS = [("s", "stop"), ("r", "rewind"), ("f", "fast_forward"), ("n", "next")]


@pytest.fixture
def remote(bench, node, web, browse):
    return Remote(bench, node, web, browse(role="operator"))


def settings(page, **values):
    """Settings of this browser, as its settings page stores them."""
    page.evaluate("async (values) => { const { settings } = await import(new URL('assets/settings.js' + "
                  "(document.querySelector('script').src.match(/\\?.*/) ?? ['?v='])[0], document.baseURI));"
                  "for (const [key, value] of Object.entries(values)) settings.set(key, value); }", values)


def test_space_plays_and_pauses(remote):
    for mode in (MODES, "paused", MODES):
        remote.keyboard.press("Space")
        remote.expect_mode(mode)
    remote.wait_for(("start", {}), ("pause", {}), ("resume", {}))


@pytest.mark.parametrize("key,seconds", [("+", 60), ("=", 60), ("-", -60), ("_", -60)])
def test_plus_and_minus_are_a_minute(remote, key, seconds):
    remote.start()
    remote.keyboard.press(key)
    remote.wait_for(("add", {"seconds": seconds}))


def test_shift_may_be_let_go_before_its_key(remote):
    """On a keyboard where + is Shift and =, the key that is released has another name than the one that was pressed."""
    remote.start()
    for _ in range(2):
        remote.keyboard.down("Shift")
        remote.keyboard.down("+")
        remote.keyboard.up("Shift")
        remote.keyboard.up("=")
    remote.wait_for(("add", {"seconds": 60}), ("add", {"seconds": 60}))


@pytest.mark.parametrize("key,verb", KEYS)
def test_a_key_that_ends_a_run_is_held(remote, key, verb):
    remote.start()
    remote.keyboard.press(key)
    remote.expect_status("Hold for a second")
    remote.keyboard.down(key)
    wait_until(lambda: remote.commands() != [], f"the command of {key}")
    remote.keyboard.up(key)
    remote.keyboard.press("x")
    remote.wait_for((verb, {}), ("silence", {}))


def test_p_is_the_timer_before(remote):
    assert remote.node.command("select", "1/2")["status"] == "ok"
    expect(remote.locator("#card")).to_have_value("1/2")
    remote.forget()
    remote.keyboard.press("p")
    remote.wait_for(("previous", {}))


def test_l_locks_and_unlocks(remote):
    remote.keyboard.press("l")
    expect(remote.locator("#link")).to_have_text("push-buttons locked")
    remote.keyboard.press("l")
    expect(remote.locator("#link")).to_have_text("live")
    remote.wait_for(("lock", {}), ("unlock", {}))


def test_m_takes_a_message_in_which_letters_are_letters(remote):
    remote.keyboard.press("m")
    remote.keyboard.type("stop now")
    remote.keyboard.press("Enter")
    expect(remote.locator("#shown-message")).to_have_text("stop now")
    remote.wait_for(("message", {"text": "stop now", "attention": False, "for": 20}))


def test_the_question_mark_shows_the_keys_and_q_leaves(remote, web):
    remote.keyboard.press("?")
    expect(remote.locator("dialog kbd")).to_have_count(12)
    remote.keyboard.press("s")  # It has no effect while the help is open.
    remote.keyboard.press("Escape")
    expect(remote.locator("dialog")).to_have_count(0)
    remote.keyboard.press("q")
    remote.wait_for_url(web.url)
    assert remote.commands() == []


def test_the_space_bar_is_for_the_button_that_tab_has_led_to(remote):
    remote.start()
    remote.locator("#identify").focus()
    remote.keyboard.press("Space")
    remote.wait_for(("identify", {}))
    remote.click("#silence")  # A click does not choose a button for the keyboard.
    remote.keyboard.press("Space")
    remote.expect_mode("paused")
    remote.wait_for(("identify", {}), ("silence", {}), ("pause", {}))


def test_the_key_that_takes_the_last_minute_asks_first(remote):
    remote.start()
    assert remote.node.command("set", "0:50")["status"] == "ok"
    expect(remote.locator("#digits")).to_have_text(re.compile("^0:"))
    remote.forget()
    remote.keyboard.press("-")
    remote.locator("dialog").get_by_role("button", name="Cancel").click()
    remote.keyboard.press("+")
    remote.wait_for(("add", {"seconds": 60}))


def test_a_hold_with_enter_ends_a_run(remote):
    remote.start()
    remote.locator("#stop").focus()
    remote.keyboard.down("Enter")
    wait_until(lambda: remote.commands() != [], "the stop")
    remote.keyboard.up("Enter")
    remote.expect_mode("stopped")
    remote.wait_for(("stop", {}))


def swipe(remote, distance):
    x, y = remote.place("#clock")
    remote.page.mouse.move(x, y)
    remote.page.mouse.down()
    remote.page.mouse.move(x + distance, y + 5, steps=5)
    remote.page.mouse.up()


def test_gestures_are_off_unless_the_settings_say_so(remote):
    remote.click("#clock")
    swipe(remote, 120)
    remote.keyboard.press("x")
    remote.wait_for(("silence", {}))


def test_a_tap_plays_and_pauses_after_a_moment(remote):
    settings(remote.page, gestures=True)
    remote.evaluate("() => { window.sent = 0; const send = window.fetch; window.fetch = (...all) => {"
                    "if (String(all[0]).includes('commands')) window.sent = performance.now(); return send(...all); };"
                    "document.addEventListener('pointerup', (event) => { window.tapped ??= event.timeStamp; }); }")
    remote.click("#clock")
    remote.expect_mode(MODES)
    assert 250 <= remote.evaluate("window.sent - window.tapped") < 600
    remote.click("#clock")
    remote.expect_mode("paused")
    remote.wait_for(("start", {}), ("pause", {}))


@pytest.mark.parametrize("gesture,verb", [("double", "fast_forward"), ("right", "rewind"), ("left", "next")])
def test_a_gesture_that_ends_a_run_is_asked_for(remote, gesture, verb):
    settings(remote.page, gestures=True)

    def make():
        if gesture == "double":
            remote.locator("#clock").dblclick()
        else:
            swipe(remote, 120 if gesture == "right" else -120)

    remote.start()
    make()
    remote.locator("dialog button[value=no]").click()
    make()
    remote.locator("dialog button[value=yes]").click()
    remote.wait_for((verb, {}))


def test_a_swipe_is_enough_while_nothing_runs(remote):
    settings(remote.page, gestures=True)
    swipe(remote, -120)
    remote.wait_for(("next", {}))


def test_the_left_hand_has_the_large_button(remote):
    def buttons():
        boxes = {name: remote.locator(f"#{name}").bounding_box() for name in ("stop", "play")}
        assert max(boxes, key=lambda name: boxes[name]["width"]) == "play"
        return sorted(boxes, key=lambda name: boxes[name]["x"])

    remote.start()
    assert buttons() == ["stop", "play"]
    settings(remote.page, leftHanded=True)
    assert buttons() == ["play", "stop"]


def test_vibration_is_off_unless_the_settings_say_so(remote):
    remote.evaluate("() => { window.vibrations = []; navigator.vibrate = (length) => window.vibrations.push(length); }")
    remote.click("#silence")
    assert remote.evaluate("window.vibrations") == []
    settings(remote.page, vibration=True)
    remote.click("#silence")
    assert remote.evaluate("window.vibrations") == [15]
