"""The sound and the vibration of a display, for users who have enabled them."""
import json

import pytest
from playwright.sync_api import expect

from displays import open_display, wait_for_mode

# What a display requests from the browser for its sound: a square wave begins with each alarm that is played.
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


def test_an_alarm_sounds_where_it_is_armed(node, web, browse):
    page = browse()
    page.add_init_script(SOUNDS)
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    # A browser plays nothing before the first tap.
    expect(page.locator("#tap")).to_have_text("Tap for sound")
    page.mouse.click(500, 500)
    expect(page.locator("#tap")).to_be_hidden()
    node.command("start")
    node.command("set", "0:50")  # The final mode begins a minute before the end.
    wait_for_mode(page, "Final")
    assert page.evaluate("window.sounds") == []
    assert node.command("end")["status"] == "ok"
    wait_for_mode(page, "Overtime")
    assert page.evaluate("window.sounds") == ["start"]
    assert page.evaluate("window.vibrations.length") == 1
    assert node.command("stop")["status"] == "ok"
    wait_for_mode(page, "Stopped")
    assert page.evaluate("window.sounds") == ["start", "stop"]


def open_without_sound(node, web, browse):
    """A display that vibrates, and plays nothing."""
    page = browse()
    page.add_init_script(SOUNDS.replace("sound: true", "sound: false"))
    open_display(page, web, node, display="numerical")
    wait_for_mode(page, "Stopped")
    expect(page.locator("#blackout")).to_be_attached()
    return page


def test_a_vibration_ends_with_its_alarm(node, web, browse):
    """The device vibrates even if sound is off."""
    page = open_without_sound(node, web, browse)
    page.mouse.click(500, 500)
    node.command("start")
    assert node.command("end")["status"] == "ok"
    wait_for_mode(page, "Overtime")
    assert page.evaluate("[window.sounds, window.vibrations.length, window.vibrations[0].length > 1]") == [[], 1, True]
    assert node.command("stop")["status"] == "ok"
    wait_for_mode(page, "Stopped")
    assert page.evaluate("window.vibrations.slice(1)") == [0]


def test_a_vibration_ends_where_the_buzzer_is_silenced(node, web, browse):
    page = open_without_sound(node, web, browse)
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
    # No other drawing of the display may cut the beep short.
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
